UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(e)
OPTIONAL MATCH (n)-[named:NAMES]->(e)
WITH n, e, named
WHERE e.uid IS NOT NULL
RETURN DISTINCT
  n.key AS thing,
  e.uid AS entity,
  e.label AS label,
  e.kind AS kind,
  CASE WHEN named IS NULL THEN 'family' ELSE 'named' END AS `match`
