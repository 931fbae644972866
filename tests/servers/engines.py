"""How each server is started. The data lies in the folder that is given; starting again there finds it again."""

import json
import logging
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

from tests.ports import free_port
from tests.servers.artifacts import SHORT_LIVED, Artifact, Unavailable, java
from tests.servers.running import Server, answers, start

_NEO4J_FLAGS = (
    *SHORT_LIVED,
    "-XX:ReservedCodeCacheSize=256m",  # with one compiler it is 48 MB, which the questions of a run fill; then they are interpreted
    "-Xms256m",
    "-Xmx1g",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--add-modules=jdk.incubator.vector",
)
_PASSWORD = "test-only-secret"


def start_neo4j(
    folder: Path, *, owner: int, port: int | None = None, auth: bool = False, scheme: str = "neo4j"
) -> Server:
    """Neo4j Community from its artifacts; with `auth` the user neo4j has a password."""
    jars, port = Artifact("neo4j").jars(), port or free_port()
    (folder / "conf").mkdir(parents=True, exist_ok=True)
    settings = {
        "server.directories.data": folder / "data",
        "server.directories.logs": folder / "logs",
        "server.directories.import": folder / "import",
        "server.directories.transaction.logs.root": folder / "transactions",
        "server.directories.plugins": folder / "plugins",
        "server.directories.run": folder / "run",
        "server.directories.lib": folder / "lib",
        "server.directories.licenses": folder / "licenses",
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "server.bolt.advertised_address": f"127.0.0.1:{port}",
        "server.http.enabled": "false",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": str(auth).lower(),
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "dbms.usage_report.enabled": "false",
        "server.memory.pagecache.size": "64m",
        "db.transaction.timeout": "120s",
        "db.tx_log.preallocate": "false",
        # a question is planned once, not anew for each length of a list nor after each push: half of a run was planning
        "internal.cypher.use_parameter_size": "false",
        "dbms.cypher.min_replan_interval": "1d",
    }
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    (folder / "conf" / "neo4j.conf").write_text(text, encoding="utf-8")
    classes = str(jars / "*")
    if auth and not (folder / "data").exists():
        _set_neo4j_password(folder, classes)
    command = [
        java(),
        *_NEO4J_FLAGS,
        "-cp",
        classes,
        "org.neo4j.server.CommunityEntryPoint",
        f"--home-dir={folder}",
        f"--config-dir={folder / 'conf'}",
        "--console-mode",
    ]
    user, password = ("neo4j", _PASSWORD) if auth else ("", "")
    return start(
        "neo4j",
        command,
        folder=folder,
        address=f"{scheme}://127.0.0.1:{port}",
        owner=owner,
        user=user,
        password=password,
        ready=lambda: answers(port) and _bolt_answers(f"bolt://127.0.0.1:{port}", user, password),
    )


def _set_neo4j_password(folder: Path, classes: str) -> None:
    """The first password is set on standard input of a helper of the server's own, before it starts."""
    done = subprocess.run(
        [
            java(),
            *SHORT_LIVED,
            "-cp",
            classes,
            "org.neo4j.server.startup.Neo4jAdminCommand",
            "dbms",
            "set-initial-password",
            _PASSWORD,
        ],
        env={"NEO4J_HOME": str(folder), "NEO4J_CONF": str(folder / "conf")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Unavailable(f"neo4j took no password: {(done.stderr or done.stdout)[-300:]}")


def start_fuseki(
    folder: Path, *, owner: int, port: int | None = None, auth: bool = False, durable: bool = False
) -> Server:
    """Apache Jena Fuseki with one dataset `kg`, in memory or in a TDB2 folder."""
    jar, port = next(Artifact("fuseki").jars().glob("*.jar")), port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        java(),
        *SHORT_LIVED,
        "-Xmx1g",
        "-jar",
        str(jar),
        "--localhost",
        f"--port={port}",
        "--timeout=120000",
        "--update",
        "--ping",
    ]
    if auth:
        (folder / "passwd").write_text(f"kg: {_PASSWORD}\n", encoding="utf-8")
        command += ["--auth=basic", f"--passwd={folder / 'passwd'}"]
    if durable:
        (folder / "tdb").mkdir(exist_ok=True)
        command += ["--tdb2", f"--loc={folder / 'tdb'}"]
    else:
        command += ["--mem"]
    return start(
        "fuseki",
        [*command, "/kg"],
        folder=folder,
        address=f"sparql+http://127.0.0.1:{port}/kg",
        owner=owner,
        user="kg" if auth else "",
        password=_PASSWORD if auth else "",
        ready=lambda: answers(port) and _http_answers(f"http://127.0.0.1:{port}/kg/query?query=ASK%7B%7D"),
    )


_VIRTUOSO = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
ErrorLogLevel = 7
FileExtend = 200
Striping = 0
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx
Striping = 0
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
MaxClientConnections = 20
CheckpointInterval = 0
CaseMode = 2
DirsAllowed = .
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
SchedulerInterval = 10
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = .
ServerThreads = 10
MaxKeepAlives = 10
KeepAliveTimeout = 10
Charset = UTF-8
[Client]
SQL_PREFETCH_ROWS = 100
[SPARQL]
ResultSetMaxRows = 10000
MaxQueryExecutionTime = 60
[Plugins]
"""


def start_virtuoso(folder: Path, *, owner: int, port: int | None = None, auth: bool = False) -> Server:
    """Virtuoso from Debian's packages; it cuts results at 10,000 rows. With `auth` only its digest-guarded addresses write."""
    program, isql = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    if program is None or isql is None:
        raise Unavailable("virtuoso-t is missing (Debian: virtuoso-opensource-7-bin)")
    folder.mkdir(parents=True, exist_ok=True)
    port, sql = port or free_port(), free_port()
    (folder / "virtuoso.ini").write_text(_VIRTUOSO.format(sql=sql, http=port), encoding="utf-8")
    (folder / "virtuoso.lck").unlink(missing_ok=True)  # left by one that was killed
    is_new = not (folder / "virtuoso.db").exists()
    server = start(
        "virtuoso",
        [program, "+configfile", "virtuoso.ini", "+foreground", "+wait"],
        folder=folder,
        owner=owner,
        address=f"sparql+http://127.0.0.1:{port}/{'sparql-auth' if auth else 'sparql'}",
        user="dba" if auth else "",
        password=_PASSWORD if auth else "",
        ready=lambda: answers(port) and _http_answers(f"http://127.0.0.1:{port}/sparql?query=ASK%7B%7D"),
    )
    if is_new:
        statement = f"set password dba {json.dumps(_PASSWORD)};" if auth else 'grant SPARQL_UPDATE to "SPARQL";'
        done = subprocess.run(
            [isql, f"127.0.0.1:{sql}", "dba", "dba"], input=statement, capture_output=True, text=True, check=False
        )
        if "Done." not in done.stdout:
            server.stop()
            raise Unavailable(f"virtuoso took no setting: {(done.stdout + done.stderr)[-300:]}")
    return server


def start_arcadedb(folder: Path, *, owner: int, port: int | None = None) -> Server:
    """ArcadeDB from its Python package, as a second engine that speaks Bolt; it always wants a login."""
    if find_spec("arcadedb_embedded") is None:
        raise Unavailable("the package arcadedb-embedded is missing (extra: test)")
    folder.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    return start(
        "arcadedb",
        [sys.executable, str(Path(__file__).with_name("arcadedb_main.py")), str(folder), str(port), str(free_port())],
        folder=folder,
        address=f"bolt://127.0.0.1:{port}",
        owner=owner,
        user="root",
        password=_PASSWORD,
        environment={"ARCADEDB_PASSWORD": _PASSWORD},
        ready=lambda: answers(port) and (folder / "ready").exists(),
    )


def _bolt_answers(address: str, user: str, password: str) -> bool:
    from neo4j import GraphDatabase
    from neo4j.exceptions import DriverError, Neo4jError

    logging.getLogger("neo4j").setLevel(logging.CRITICAL)
    try:
        with GraphDatabase.driver(address, auth=(user, password) if user else None, connection_timeout=5) as driver:
            driver.verify_connectivity()
            return True
    except (DriverError, Neo4jError, OSError):
        return False


def _http_answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError as error:
        return error.code == 401
    except OSError:
        return False
