UNWIND $bucket AS bucket
MATCH (k:Bucket {uid: 'bucket/' + bucket})
OPTIONAL MATCH (k)<-[:IN_BUCKET]-(c:Claim)
WITH c
WHERE c.uid IS NOT NULL
UNWIND CASE WHEN size(c.values) > 0 THEN c.values ELSE [null] END AS number
RETURN DISTINCT
  c.uid AS claim,
  number AS value,
  c.printed AS printed,
  #FRAGMENT claim_fields
