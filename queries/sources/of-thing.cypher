UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(s)<-[:SUBJECT]-(c:Claim)-[:STATED_IN]->(t:Source)
RETURN DISTINCT
  t.uid AS source,
  t.label AS label,
  t.publisher AS publisher,
  t.published AS published,
  count(DISTINCT c.uid) AS claims
