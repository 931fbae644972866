UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:COMPUTED_BY]->(d:Derivation)-[:HAS_USAGE]->(n:Usage)
OPTIONAL MATCH (n)-[:USED]->(i:Claim)
WITH c, d, n, i
WHERE n.uid IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  d.uid AS derivation,
  n.name AS input,
  n.claim AS input_claim,
  n.role AS role,
  n.constant AS constant,
  n.unit AS constant_unit,
  n.why AS why,
  i.source AS input_source,
  #FRAGMENT claim_fields i
