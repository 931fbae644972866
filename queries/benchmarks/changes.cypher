MATCH (d:DerivedResult)-[:OF_ACCELERATOR]->(e)
WHERE d.kind = 'best' AND d.model IS NOT NULL AND d.previous_claim IS NOT NULL AND d.change IS NOT NULL
  AND (size($previous_round) = 0 OR d.previous_round IN $previous_round)
  AND (size($round) = 0 OR d.round IN $round)
  AND (size($model) = 0 OR d.model IN $model)
  AND (size($scenario) = 0 OR d.scenario IN $scenario)
OPTIONAL MATCH (d)-[:PREVIOUS_CLAIM]->(p)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
OPTIONAL MATCH (p)-[:ASSERTED_BY]->(b)
OPTIONAL MATCH (p)-[:UNDER]->(u:Conditions)
OPTIONAL MATCH (d)-[:RESULT_CLAIM]->(r)
OPTIONAL MATCH (r)-[:UNDER]->(w:Conditions)
UNWIND coalesce(u.accelerators, ['']) AS number_before
UNWIND coalesce(w.accelerators, ['']) AS number_now
UNWIND coalesce(u.availability, ['']) AS state_before
WITH d, e, p, a, b, number_before, state_before,
  b.uid IS NOT NULL AND a.uid IS NOT NULL AND b.uid <> a.uid AS by_other,
  number_before <> '' AND number_now <> '' AND number_before <> number_now AS of_other,
  state_before <> '' AND d.availability IS NOT NULL AND state_before <> d.availability AS in_other
WITH d, e, p, a, b, number_before, state_before,
  CASE
    WHEN by_other AND of_other AND in_other THEN 'submitter, accelerators, availability'
    WHEN by_other AND of_other THEN 'submitter, accelerators'
    WHEN by_other AND in_other THEN 'submitter, availability'
    WHEN of_other AND in_other THEN 'accelerators, availability'
    WHEN by_other THEN 'submitter'
    WHEN of_other THEN 'accelerators'
    WHEN in_other THEN 'availability'
    ELSE null
  END AS others
RETURN DISTINCT
  d.uid AS `row`,
  e.uid AS accelerator,
  d.previous_round AS previous_round,
  p.canonical_value AS previous_value,
  d.change AS change,
  d.previous_claim AS previous_claim,
  b.uid AS previous_submitter,
  b.label AS previous_submitter_label,
  CASE number_before WHEN '' THEN null ELSE number_before END AS previous_accelerators,
  CASE state_before WHEN '' THEN null ELSE state_before END AS previous_availability,
  others AS unlike,
  #FRAGMENT result_fields
