MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.verdict IN ['consistent', 'within-rounding', 'agree', 'supported', 'identical', 'primary']
RETURN DISTINCT
  f.code AS code,
  f.verdict AS verdict,
  c.source AS source,
  count(DISTINCT f.uid) AS findings
