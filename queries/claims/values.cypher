UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
UNWIND c.values AS number
RETURN
  c.uid AS claim,
  number AS value,
  CASE WHEN false THEN c.uid ELSE null END AS word
UNION
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
UNWIND c.`set` AS item
RETURN
  c.uid AS claim,
  c.value AS value,
  item AS word
