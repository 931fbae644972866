UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(s)<-[:SUBJECT]-(c:Claim)
RETURN DISTINCT
  c.level AS level,
  s.uid AS subject,
  count(DISTINCT c.uid) AS claims
