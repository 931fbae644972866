UNWIND $model AS model
MATCH (n:Name {uid: 'name/' + model})
OPTIONAL MATCH (n)-[:COVERS]->(m)<-[:SUBJECT]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, m
WHERE c.uid IS NOT NULL
RETURN
  c.uid AS claim,
  'subject' AS role,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $model AS model
MATCH (n:Name {uid: 'name/' + model})
OPTIONAL MATCH (n)-[:COVERS]->(m)<-[:BASELINE]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, m
WHERE c.uid IS NOT NULL
RETURN
  c.uid AS claim,
  'baseline' AS role,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $model AS model
MATCH (n:Name {uid: 'name/' + model})-[:COVERS]->(m)
MATCH (m)<-[:CONDITION {name: 'model'}]-(u:Conditions)<-[:UNDER]-(c:Claim)
MATCH (c)-[:SUBJECT]->(s)
RETURN
  c.uid AS claim,
  'condition' AS role,
  s.uid AS subject,
  #FRAGMENT claim_fields
