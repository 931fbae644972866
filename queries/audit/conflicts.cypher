// title: Groups of claims that disagree
// question: Which groups of claims about one thing were judged, with which verdict?
// parameters:
// - {name: verdict, type: list-of-text, default: null, example: [conflict, possible-conflict]}
// - {name: metric, type: list-of-metric, default: null, example: [memory-bandwidth]}
// - {name: subject, type: list-of-id, default: null, example: [family/nvidia-h200]}
// columns:
// - {name: finding, type: id}
// - {name: code, type: text}
// - {name: severity, type: text}
// - {name: verdict, type: text}
// - {name: claim, type: id}
// - {name: group_metric, type: id}
// - {name: message, type: text}
// example: {metric: [memory-bandwidth]}
MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.kind = 'conflict' AND (size($verdict) = 0 OR f.verdict IN $verdict)
OPTIONAL MATCH (f)-[:HAS_ROLE]->(r:Role)
WITH f, c, collect(r.involves) AS others
UNWIND [c.uid] + others AS member
MATCH (o:Claim {uid: member})-[:SUBJECT]->(s)
WHERE (size($metric) = 0 OR o.metric IN $metric) AND (size($subject) = 0 OR s.uid IN $subject)
RETURN DISTINCT f.uid AS finding, f.code AS code, f.severity AS severity, f.verdict AS verdict, c.uid AS claim,
  c.metric AS group_metric, f.message AS message
ORDER BY severity, code, finding, claim
