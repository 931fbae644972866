MATCH (m:Metric)<-[:MEASURES]-(c:Claim)-[:BASELINE]->(b)
WHERE c.quantity_kind = 'ratio' AND (size($metric) = 0 OR m.uid IN $metric) AND (size($better) = 0 OR m.better IN $better)
MATCH (c)-[:SUBJECT]->(s)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  c.canonical_value AS ratio,
  #FRAGMENT claim_fields
