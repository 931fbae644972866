MATCH (s:Entity)<-[:SUBJECT]-(c:Claim)-[:BASELINE]->(b:Entity)
WHERE (s.kind = 'moe-model' AND b.kind = 'dense-model') OR (s.kind = 'dense-model' AND b.kind = 'moe-model')
RETURN DISTINCT
  c.uid AS claim,
  CASE s.kind WHEN 'moe-model' THEN 'moe-against-dense' ELSE 'dense-against-moe' END AS orientation,
  s.uid AS subject,
  b.uid AS baseline,
  #FRAGMENT claim_fields
