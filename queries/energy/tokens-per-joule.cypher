MATCH (d:DerivedResult)-[:OF_ACCELERATOR]->(e)
WHERE d.kind = 'efficiency' AND d.model IS NOT NULL
  AND (size($model) = 0 OR d.model IN $model)
  AND (size($task) = 0 OR d.task IN $task)
  AND (size($scenario) = 0 OR d.scenario IN $scenario)
  AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT
  d.uid AS `row`,
  e.uid AS accelerator,
  d.power_claim AS power_claim,
  #FRAGMENT result_fields
