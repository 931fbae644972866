UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)<-[:STEP_OF]-(t:TraceStep)
OPTIONAL MATCH (t)-[:REACHES]->(e:Entity|Source)
OPTIONAL MATCH (t)-[:REACHES]->(c:Claim)
WITH o, t, e, c
WHERE t.uid IS NOT NULL
RETURN DISTINCT
  o.uid AS claim,
  t.via AS via,
  t.hop AS hop,
  t.reaches AS reached,
  t.fidelity AS fidelity,
  t.end_state AS end_state,
  e.label AS label,
  coalesce(c.printed, c.cue) AS printed,
  c.asserted_by AS reached_asserted_by,
  c.source AS reached_source
