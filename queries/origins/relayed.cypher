MATCH (r:Restatement)<-[:HAS_RESTATEMENT]-(c:Claim)-[:SUBJECT]->(s)
WHERE (size($fidelity) = 0 OR r.fidelity IN $fidelity)
RETURN DISTINCT
  c.uid AS claim,
  r.fidelity AS fidelity,
  coalesce(r.claim, r.source) AS repeats,
  s.uid AS subject,
  #FRAGMENT claim_fields
