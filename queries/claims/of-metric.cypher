UNWIND $thing AS thing
MATCH (n:Name {uid: 'name/' + thing})
OPTIONAL MATCH (n)-[:COVERS]->(e)<-[:SUBJECT]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, e
WHERE c.uid IS NOT NULL AND c.metric IN $metric
RETURN
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $thing AS thing
MATCH (n:Name {uid: 'name/' + thing})-[:COVERS]->(e)
MATCH (e)<-[:CONDITION {name: 'model'}]-(u:Conditions)<-[:UNDER]-(c:Claim)
MATCH (c)-[:SUBJECT]->(s)
WHERE c.metric IN $metric
RETURN
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
