UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
WHERE c.kind IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  #FRAGMENT claim_fields
