MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.verdict = 'not-checkable' AND (size($source) = 0 OR c.source IN $source)
OPTIONAL MATCH (f)-[:OF_DERIVATION]->(d:Derivation)
RETURN DISTINCT
  f.uid AS finding,
  c.uid AS claim,
  c.source AS source,
  coalesce(c.printed, c.cue) AS printed,
  f.derivation AS derivation,
  d.expression AS expression,
  f.message AS message
