// title: Explanations of a finding
// question: Which explanations were found, best first, and to which value does each lead?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: finding, type: id}
// - {name: rank, type: integer}
// - {name: code, type: text}
// - {name: message, type: text}
// - {name: corrected_value, type: number}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
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
RETURN DISTINCT claim, finding, x.rank AS rank, coalesce(x.code, 'unstated') AS code,
  coalesce(x.message, 'unstated') AS message, x.corrected_value AS corrected_value
ORDER BY claim, rank, finding
