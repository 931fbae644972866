UNWIND $finding AS finding
MATCH (f:Finding {uid: finding})-[:HAS_EXPLANATION]->(x:Explanation)
RETURN DISTINCT
  f.uid AS finding,
  x.rank AS rank,
  x.code AS code,
  x.message AS message,
  x.corrected_value AS corrected_value
