// title: Price of a million tokens
// question: What does a million tokens cost at full load, by the lowest and the highest rental price known of each accelerator?
// parameters:
// - {name: model, type: id, default: null, example: model/deepseek-r1}
// - {name: task, type: id, default: null, example: task/mlperf-deepseek-r1}
// - {name: scenario, type: id, default: null, example: scenario/offline}
// - {name: round, type: id, default: null, example: round/mlperf-inference-v5.1}
// columns:
// - {name: row, type: id}
// - {name: accelerator, type: id}
// - {name: accelerator_label, type: text}
// - {name: task, type: id}
// - {name: model, type: id}
// - {name: scenario, type: id}
// - {name: round, type: id}
// - {name: bound, type: text}
// - {name: value, type: number}
// - {name: lower, type: number}
// - {name: upper, type: number}
// - {name: unit, type: text}
// - {name: price_claim, type: id}
// - {name: accelerators, type: integer}
// - {name: entry, type: text}
// - {name: submitter, type: id}
// - {name: submitter_label, type: text}
// - {name: category, type: text}
// - {name: availability, type: text}
// - {name: claim, type: id}
// example: {model: model/llama-2-70b, scenario: scenario/offline}
MATCH (d:DerivedResult)-[:OF_ACCELERATOR]->(e)
WHERE d.kind = 'cost' AND d.model IS NOT NULL
  AND (size($model) = 0 OR d.model IN $model)
  AND (size($task) = 0 OR d.task IN $task)
  AND (size($scenario) = 0 OR d.scenario IN $scenario)
  AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT d.uid AS `row`, e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label,
  d.task AS task, d.model AS model, d.scenario AS scenario, d.round AS round, coalesce(d.bound, 'unstated') AS bound,
  d.value AS value, d.lower AS lower, d.upper AS upper, coalesce(d.unit, 'none') AS unit,
  d.price_claim AS price_claim, d.accelerators AS accelerators, coalesce(d.entry, 'unstated') AS entry,
  d.submitter AS submitter, coalesce(a.label, 'unstated') AS submitter_label,
  coalesce(d.category, 'unstated') AS category, coalesce(d.availability, 'unstated') AS availability,
  d.claim AS claim
ORDER BY task, scenario, round, value, `row`
