// title: What rests on a claim
// question: Which claims were computed from this one or repeat it, directly or further on?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.total}
// columns:
// - {name: claim, type: id}
// - {name: dependent, type: id}
// - {name: via, type: text}
// - {name: hop, type: integer}
// - {name: fidelity, type: text}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: hedge, type: text}
// - {name: modality, type: text}
// - {name: statement, type: text}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {claim: 002/r1.gb200.offline.total}
UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)<-[:REACHES]-(x:TraceStep)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (t:TraceStep {uid: id})
OPTIONAL MATCH (t)-[:STEP_OF]->(x:Claim)
WITH DISTINCT claim, t.via AS via, t.hop AS hop, coalesce(t.fidelity, 'none') AS fidelity, x.uid AS id
WHERE id IS NOT NULL
MATCH (c:Claim {uid: id})
RETURN DISTINCT claim, c.uid AS dependent, via, hop, fidelity, c.metric AS metric, coalesce(c.printed, c.cue, 'none') AS printed,
  c.unit AS unit, coalesce(c.hedge, 'none') AS hedge, coalesce(c.modality, 'stated') AS modality,
  coalesce(c.statement, 'none') AS statement, c.source AS source, coalesce(c.use, 'unstated') AS `use`
ORDER BY claim, via, hop, dependent
