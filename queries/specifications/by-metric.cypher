UNWIND $metric AS metric
MATCH (m:Metric {uid: metric})<-[:MEASURES]-(c:Claim)-[:SUBJECT]->(s)
WHERE c.kind IN $kind AND (size($level) = 0 OR c.level IN $level) AND (size($source) = 0 OR c.source IN $source)
OPTIONAL MATCH (c)-[:BASELINE]->(b)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
