MATCH (d:DerivedResult)-[:OF_ACCELERATOR]->(e)
WHERE d.kind = 'best' AND d.model IS NOT NULL AND d.previous_claim IS NOT NULL AND d.change IS NOT NULL
  AND (size($previous_round) = 0 OR d.previous_round IN $previous_round)
  AND (size($round) = 0 OR d.round IN $round)
  AND (size($model) = 0 OR d.model IN $model)
  AND (size($scenario) = 0 OR d.scenario IN $scenario)
OPTIONAL MATCH (d)-[:PREVIOUS_CLAIM]->(p)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT
  d.uid AS `row`,
  e.uid AS accelerator,
  d.previous_round AS previous_round,
  p.canonical_value AS previous_value,
  d.change AS change,
  d.previous_claim AS previous_claim,
  #FRAGMENT result_fields
