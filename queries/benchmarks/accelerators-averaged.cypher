MATCH (u:Conditions)<-[:UNDER]-(c:Claim)-[:SUBJECT]->(s)
WHERE u.accelerators_mean IS NOT NULL AND u.benchmark IS NOT NULL
UNWIND u.accelerators_mean AS mean
UNWIND u.benchmark AS suite
WITH c, s, mean, suite
WHERE (size($benchmark) = 0 OR suite IN $benchmark)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  mean AS accelerators_mean,
  #FRAGMENT claim_fields
