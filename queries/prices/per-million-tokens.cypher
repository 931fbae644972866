MATCH (d:DerivedResult)-[:OF_ACCELERATOR]->(e)
WHERE d.kind = 'cost' AND d.model IS NOT NULL
  AND (size($model) = 0 OR d.model IN $model)
  AND (size($task) = 0 OR d.task IN $task)
  AND (size($scenario) = 0 OR d.scenario IN $scenario)
  AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT
  d.uid AS `row`,
  e.uid AS accelerator,
  d.bound AS bound,
  d.lower AS lower,
  d.upper AS upper,
  d.price_claim AS price_claim,
  #FRAGMENT result_fields
