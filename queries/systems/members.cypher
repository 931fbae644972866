UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(e)
OPTIONAL MATCH (n)-[named:NAMES]->(e)
RETURN DISTINCT
  e.uid AS member,
  e.label AS label,
  e.kind AS kind,
  coalesce(e.level, e.kind) AS level,
  CASE WHEN named IS NULL THEN 'family' ELSE 'named' END AS `match`
