// title: Measured results per accelerator
// question: Which published results of one accelerator are there for a model, with the system, the round and the entry they come from?
// parameters:
// - {name: model, type: list-of-id, default: null, example: model/deepseek-r1}
// - {name: task, type: list-of-id, default: null, example: task/mlperf-deepseek-r1}
// - {name: round, type: id, default: null, example: round/mlperf-inference-v5.1}
// - {name: scenario, type: id, default: null, example: scenario/offline}
// - {name: accelerator, type: list-of-id, default: null, example: accelerator/nvidia-gb200-gpu}
// columns:
// - {name: claim, type: id}
// - {name: accelerator, type: id}
// - {name: accelerator_label, type: text}
// - {name: task, type: id}
// - {name: model, type: id}
// - {name: scenario, type: id}
// - {name: round, type: id}
// - {name: accelerators, type: number}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: benchmark, type: id}
// - {name: division, type: id}
// - {name: category, type: text}
// - {name: availability, type: text}
// - {name: includes, type: text}
// - {name: boundary, type: text}
// - {name: precision, type: id}
// - {name: entry, type: text}
// - {name: submitter, type: id}
// - {name: submitter_label, type: text}
// - {name: system, type: text}
// - {name: source, type: id}
// - {name: said_on, type: text}
// example: {model: model/deepseek-r1, scenario: scenario/offline}
MATCH (u:Conditions)<-[:UNDER]-(c:Claim)-[:SUBJECT]->(s)
WHERE c.kind = 'measurement' AND c.metric = 'metric/throughput' AND 'per-chip' IN c.normalisers AND c.canonical_value IS NOT NULL
  AND (size($accelerator) = 0 OR s.uid IN $accelerator)
UNWIND u.model AS its_model
UNWIND u.task AS its_task
UNWIND u.round AS its_round
UNWIND u.scenario AS its_scenario
WITH c, s, u, its_model, its_task, its_round, its_scenario
WHERE (size($model) = 0 OR its_model IN $model) AND (size($task) = 0 OR its_task IN $task) AND (size($round) = 0 OR its_round IN $round) AND (size($scenario) = 0 OR its_scenario IN $scenario)
UNWIND coalesce(u.accelerators, ['']) AS its_accelerators
UNWIND coalesce(u.benchmark, ['']) AS its_benchmark
UNWIND coalesce(u.division, ['']) AS its_division
UNWIND coalesce(u.precision, ['']) AS its_precision
UNWIND coalesce(u.category, ['unstated']) AS its_category
UNWIND coalesce(u.availability, ['unstated']) AS its_availability
UNWIND coalesce(u.includes, ['none']) AS its_includes
UNWIND coalesce(u.boundary, ['none']) AS its_boundary
UNWIND coalesce(u.entry, ['unstated']) AS its_entry
UNWIND coalesce(u.tested_on, ['unstated']) AS its_tested_on
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
RETURN DISTINCT c.uid AS claim, s.uid AS accelerator, coalesce(s.label, 'unstated') AS accelerator_label,
  its_task AS task, its_model AS model, its_scenario AS scenario, its_round AS round,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators,
  c.canonical_value AS canonical_value, coalesce(c.canonical_unit, 'none') AS canonical_unit,
  CASE its_benchmark WHEN '' THEN null ELSE its_benchmark END AS benchmark,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division, its_category AS category,
  its_availability AS availability, its_includes AS includes, its_boundary AS boundary,
  CASE its_precision WHEN '' THEN null ELSE its_precision END AS precision, its_entry AS entry, a.uid AS submitter,
  coalesce(a.label, 'unstated') AS submitter_label, its_tested_on AS system, c.source AS source,
  coalesce(c.said_on, 'unstated') AS said_on
ORDER BY task, scenario, round, accelerator, claim
