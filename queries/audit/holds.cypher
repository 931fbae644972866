// title: What was checked and holds
// question: How many findings say that something holds, by code and source?
// columns:
// - {name: code, type: text}
// - {name: verdict, type: text}
// - {name: source, type: id}
// - {name: findings, type: integer}
// example: {}
MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.verdict IN ['consistent', 'within-rounding', 'agree', 'supported', 'identical', 'primary']
RETURN DISTINCT f.code AS code, f.verdict AS verdict, c.source AS source, count(DISTINCT f.uid) AS findings
ORDER BY code, verdict, source
