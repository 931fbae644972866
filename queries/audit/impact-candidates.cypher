MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.code = 'arithmetic.inconsistent' AND f.corrected_value IS NOT NULL AND (size($source) = 0 OR c.source IN $source)
OPTIONAL MATCH (c)<-[:REACHES]-(t:TraceStep)
RETURN DISTINCT
  c.uid AS claim,
  c.source AS source,
  c.printed AS printed,
  c.unit AS unit,
  c.relation AS relation,
  f.corrected_value AS corrected_value,
  f.corrected_unit AS corrected_unit,
  count(DISTINCT t.claim) AS dependents
