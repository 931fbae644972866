UNWIND $origin AS origin
MATCH (e:Source|Entity {uid: origin})
OPTIONAL MATCH (e)<-[:REACHES]-(x:TraceStep)
WITH DISTINCT x.uid AS id
WHERE id IS NOT NULL
MATCH (t:TraceStep {uid: id})
OPTIONAL MATCH (t)-[:STEP_OF]->(x:Claim)
WITH DISTINCT t.hop AS hop, t.fidelity AS fidelity, t.end_state AS end_state, x.uid AS id
WHERE id IS NOT NULL
MATCH (c:Claim {uid: id})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, hop, fidelity, end_state
WHERE s.uid IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  hop,
  fidelity,
  end_state,
  s.uid AS subject,
  #FRAGMENT claim_fields
