UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)-[:OF_STATEMENT]->(k:Statement)
OPTIONAL MATCH (k)<-[:OF_STATEMENT]-(c:Claim)
WITH o, c
WHERE c.uid <> o.uid
RETURN DISTINCT
  o.uid AS claim,
  c.uid AS other,
  #FRAGMENT claim_fields
