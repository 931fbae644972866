UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)<-[:REACHES]-(x:TraceStep)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (t:TraceStep {uid: id})
OPTIONAL MATCH (t)-[:STEP_OF]->(x:Claim)
WITH DISTINCT claim, t.via AS via, t.hop AS hop, t.fidelity AS fidelity, x.uid AS id
WHERE id IS NOT NULL
MATCH (c:Claim {uid: id})
RETURN DISTINCT
  claim,
  c.uid AS dependent,
  via,
  hop,
  fidelity,
  #FRAGMENT claim_fields
