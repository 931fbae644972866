// title: Findings counted
// question: How many findings are there, by code, severity, verdict and source?
// columns:
// - {name: code, type: text}
// - {name: severity, type: text}
// - {name: verdict, type: text}
// - {name: source, type: id}
// - {name: findings, type: integer}
// example: {}
MATCH (f:Finding)-[:ABOUT]->(c:Claim)
RETURN f.code AS code, f.severity AS severity, f.verdict AS verdict, c.source AS source,
  count(DISTINCT f.uid) AS findings
UNION
MATCH (f:Finding)-[:ABOUT]->(t:Source)
RETURN f.code AS code, f.severity AS severity, f.verdict AS verdict, t.uid AS source,
  count(DISTINCT f.uid) AS findings
//ORDER code, severity, verdict, source
