// title: Claims near a number
// question: Which claims print a figure in these value buckets?
// parameters:
// - {name: bucket, type: list-of-text, example: ["raw:1123", "raw:1124", "raw:1125"], about: raw or a quantity kind with the logarithmic bucket of the value}
// columns:
// - {name: claim, type: id}
// - {name: value, type: number}
// - {name: unit, type: id}
// - {name: printed, type: text}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: quantity_kind, type: text}
// example: {bucket: ["raw:1123", "raw:1124", "raw:1125"]}
UNWIND $bucket AS bucket
MATCH (k:Bucket {uid: 'bucket/' + bucket})
OPTIONAL MATCH (k)<-[:IN_BUCKET]-(c:Claim)
WITH c
WHERE c.uid IS NOT NULL
UNWIND c.values AS number
RETURN DISTINCT c.uid AS claim, number AS value, c.unit AS unit, coalesce(c.printed, 'unstated') AS printed,
  c.canonical_value AS canonical_value, coalesce(c.canonical_unit, 'none') AS canonical_unit,
  coalesce(c.quantity_kind, 'none') AS quantity_kind
ORDER BY value, claim
