UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(s)<-[:SUBJECT]-(c:Claim)
OPTIONAL MATCH (n)-[named:NAMES]->(s)
WITH s, c, named
WHERE c.uid IS NOT NULL AND (size($kind) = 0 OR c.kind IN $kind)
  AND (size($sources) = 0 OR c.source IN $sources)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  CASE WHEN named IS NULL THEN 'family' ELSE 'named' END AS `match`,
  #FRAGMENT claim_fields
