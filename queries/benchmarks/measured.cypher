MATCH (u:Conditions)<-[:UNDER]-(c:Claim)-[:SUBJECT]->(s)
WHERE c.kind = 'measurement' AND c.metric = 'metric/throughput' AND 'per-chip' IN c.normalisers AND c.canonical_value IS NOT NULL
  AND (size($accelerator) = 0 OR s.uid IN $accelerator)
UNWIND u.model AS its_model
UNWIND u.task AS its_task
UNWIND u.round AS its_round
UNWIND u.scenario AS its_scenario
WITH c, s, u, its_model, its_task, its_round, its_scenario
WHERE (size($model) = 0 OR its_model IN $model) AND (size($task) = 0 OR its_task IN $task) AND (size($round) = 0 OR its_round IN $round) AND (size($scenario) = 0 OR its_scenario IN $scenario)
OPTIONAL MATCH (c)-[:COMPUTED_BY]->(:Derivation)-[:HAS_USAGE]->(:Usage)-[:USED]->(t:Claim)
WITH c, s, u, its_model, its_task, its_round, its_scenario,
  max(CASE WHEN t.metric = 'metric/throughput' AND 'total' IN t.normalisers THEN t.uid ELSE null END) AS its_result,
  max(CASE WHEN t.metric = 'metric/throughput' AND 'total' IN t.normalisers THEN t.canonical_value ELSE null END) AS total
UNWIND coalesce(u.accelerators, ['']) AS its_accelerators
UNWIND coalesce(u.benchmark, ['']) AS its_benchmark
UNWIND coalesce(u.division, ['']) AS its_division
UNWIND coalesce(u.precision, ['']) AS its_precision
UNWIND coalesce(u.category, ['']) AS its_category
UNWIND coalesce(u.availability, ['']) AS its_availability
UNWIND coalesce(u.includes, ['']) AS its_includes
UNWIND coalesce(u.boundary, ['']) AS its_boundary
UNWIND coalesce(u.entry, ['']) AS its_entry
UNWIND coalesce(u.tested_on, ['']) AS its_tested_on
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS accelerator,
  s.label AS accelerator_label,
  its_task AS task,
  its_model AS model,
  its_scenario AS scenario,
  its_round AS round,
  total AS result,
  its_result AS result_claim,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators,
  CASE its_benchmark WHEN '' THEN null ELSE its_benchmark END AS benchmark,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division,
  CASE its_category WHEN '' THEN null ELSE its_category END AS category,
  CASE its_availability WHEN '' THEN null ELSE its_availability END AS availability,
  CASE its_includes WHEN '' THEN null ELSE its_includes END AS includes,
  CASE its_boundary WHEN '' THEN null ELSE its_boundary END AS boundary,
  CASE its_precision WHEN '' THEN null ELSE its_precision END AS precision,
  CASE its_entry WHEN '' THEN null ELSE its_entry END AS entry,
  a.uid AS submitter,
  a.label AS submitter_label,
  CASE its_tested_on WHEN '' THEN null ELSE its_tested_on END AS system,
  #FRAGMENT claim_fields
