// title: Where a claim comes from
// question: Hop by hop, which claims and sources does this claim repeat or rest on, and where does each chain end?
// parameters:
// - {name: claim, type: list-of-claim, example: 000/mistral.impact.training-speed.h200}
// columns:
// - {name: claim, type: id}
// - {name: via, type: text}
// - {name: hop, type: integer}
// - {name: reached, type: id}
// - {name: fidelity, type: text}
// - {name: end_state, type: text}
// - {name: label, type: text}
// - {name: printed, type: text}
// - {name: reached_asserted_by, type: id}
// - {name: reached_source, type: id}
// example: {claim: 000/mistral.impact.training-speed.h200}
UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)<-[:STEP_OF]-(t:TraceStep)
OPTIONAL MATCH (t)-[:REACHES]->(e:Entity|Source)
OPTIONAL MATCH (t)-[:REACHES]->(c:Claim)
WITH o, t, e, c
WHERE t.uid IS NOT NULL
RETURN DISTINCT o.uid AS claim, t.via AS via, t.hop AS hop, t.reaches AS reached,
  coalesce(t.fidelity, 'none') AS fidelity, coalesce(t.end_state, 'none') AS end_state,
  coalesce(e.label, 'none') AS label, coalesce(c.printed, c.cue, 'none') AS printed,
  c.asserted_by AS reached_asserted_by, c.source AS reached_source
ORDER BY claim, via, hop, reached
