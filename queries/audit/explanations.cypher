// title: What may explain findings
// question: Which explanations were found for these findings, best first, and to which value does each lead?
// parameters:
// - {name: finding, type: list-of-id, example: [finding/002/r1.gb200.offline.per-accelerator/arithmetic.inconsistent-1]}
// columns:
// - {name: finding, type: id}
// - {name: rank, type: integer}
// - {name: code, type: text}
// - {name: message, type: text}
// - {name: corrected_value, type: number}
// example: {finding: [finding/002/r1.gb200.offline.per-accelerator/arithmetic.inconsistent-1]}
UNWIND $finding AS finding
MATCH (f:Finding {uid: finding})-[:HAS_EXPLANATION]->(x:Explanation)
RETURN DISTINCT f.uid AS finding, x.rank AS rank, coalesce(x.code, 'unstated') AS code,
  coalesce(x.message, 'unstated') AS message, x.corrected_value AS corrected_value
ORDER BY rank, finding
