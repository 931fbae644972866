UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:COMPUTED_BY]->(x:Derivation)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (d:Derivation {uid: id})
RETURN DISTINCT
  claim,
  d.uid AS derivation,
  d.expression AS expression,
  d.stated_by_text AS stated_by_text,
  d.variant AS variant,
  d.note AS note
