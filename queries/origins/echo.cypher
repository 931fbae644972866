// title: Echo of a source
// question: Which claims of other texts lead back to this source?
// parameters:
// - {name: origin, type: id, example: unresolved/coreweave-mistral-case-study}
// columns:
// - {name: claim, type: id}
// - {name: hop, type: integer}
// - {name: fidelity, type: text}
// - {name: end_state, type: text}
// - {name: subject, type: id}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// example: {origin: unresolved/coreweave-mistral-case-study}
UNWIND $origin AS origin
MATCH (e:Source|Entity {uid: origin})
OPTIONAL MATCH (e)<-[:REACHES]-(x:TraceStep)
WITH DISTINCT x.uid AS id
WHERE id IS NOT NULL
MATCH (t:TraceStep {uid: id})
OPTIONAL MATCH (t)-[:STEP_OF]->(x:Claim)
WITH DISTINCT t.hop AS hop, coalesce(t.fidelity, 'none') AS fidelity, coalesce(t.end_state, 'none') AS end_state, x.uid AS id
WHERE id IS NOT NULL
MATCH (c:Claim {uid: id})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, hop, fidelity, end_state
WHERE s.uid IS NOT NULL
RETURN DISTINCT c.uid AS claim, hop, fidelity, end_state, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.asserted_by AS asserted_by, c.source AS source
ORDER BY hop, claim, subject
