UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(e)<-[:SUBJECT]-(c:Claim)-[:BASELINE]->(o)
WITH c, o
WHERE c.uid IS NOT NULL
RETURN
  c.uid AS claim,
  'subject' AS role,
  o.uid AS other,
  o.label AS other_label,
  #FRAGMENT claim_fields
UNION
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(e)<-[:BASELINE]-(c:Claim)-[:SUBJECT]->(o)
WITH c, o
WHERE c.uid IS NOT NULL
RETURN
  c.uid AS claim,
  'baseline' AS role,
  o.uid AS other,
  o.label AS other_label,
  #FRAGMENT claim_fields
