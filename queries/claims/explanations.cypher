UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)<-[:ABOUT]-(x:Finding)
WITH DISTINCT claim, x.uid AS finding
WHERE finding IS NOT NULL
MATCH (f:Finding {uid: finding})
OPTIONAL MATCH (f)-[:HAS_EXPLANATION]->(x:Explanation)
WITH DISTINCT claim, finding, x.uid AS id
WHERE id IS NOT NULL
MATCH (x:Explanation {uid: id})
RETURN DISTINCT
  claim,
  finding,
  x.rank AS rank,
  x.code AS code,
  x.message AS message,
  x.corrected_value AS corrected_value
