MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE (size($status) = 0 OR c.baseline_status IN $status)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
