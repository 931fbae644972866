UNWIND $metric AS metric
MATCH (m:Metric {uid: metric})<-[:MEASURES]-(c:Claim)-[:SUBJECT]->(s)
WHERE c.kind = 'specification' AND (size($level) = 0 OR c.level IN $level)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
