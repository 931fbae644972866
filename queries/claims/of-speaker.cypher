UNWIND $organisation AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(a)<-[:ASSERTED_BY]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH s, c, a
WHERE c.uid IS NOT NULL AND s.uid IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  a.uid AS asserted_by,
  #FRAGMENT claim_fields
