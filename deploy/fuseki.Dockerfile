# Apache Jena Fuseki as the tests run it: one runnable jar, fetched by the tests' own pom, with one dataset /kg and a login.
FROM maven:3-eclipse-temurin-17 AS fetched
ARG SHA256=d28c1eaf703122ee628895a460c20fa4aa60a892f435d403ea8c036f241da1f8
COPY tests/servers/fuseki/pom.xml /fetch/pom.xml
RUN mvn --batch-mode --quiet --file /fetch/pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=/fetch/lib \
 && mv /fetch/lib/jena-fuseki-server-*.jar /fuseki.jar \
 && echo "${SHA256}  /fuseki.jar" | sha256sum --check

FROM eclipse-temurin:17-jre
COPY --from=fetched /fuseki.jar /fuseki.jar
RUN useradd --system --home-dir /data fuseki && mkdir -p /data/tdb && chown -R fuseki /data
USER fuseki
VOLUME /data
EXPOSE 3030

# The password goes into a file in memory, not onto the command line.
ENTRYPOINT ["/bin/sh", "-c", "umask 077 && printf '%s: %s\\n' \"$FUSEKI_USER\" \"$FUSEKI_PASSWORD\" > /dev/shm/passwd && unset FUSEKI_PASSWORD && mkdir -p /data/tdb && exec java $JAVA_OPTIONS -jar /fuseki.jar --port=3030 --ping --timeout=60000 --update --auth=basic --passwd=/dev/shm/passwd --tdb2 --loc=/data/tdb /kg"]
