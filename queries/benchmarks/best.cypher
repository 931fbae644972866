// title: Best result of each accelerator
// question: What is the best published result of one accelerator, by model, scenario and round, and which entry gave it?
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
// - {name: value, type: number}
// - {name: unit, type: text}
// - {name: results, type: integer}
// - {name: accelerators, type: integer}
// - {name: entry, type: text}
// - {name: submitter, type: id}
// - {name: submitter_label, type: text}
// - {name: category, type: text}
// - {name: availability, type: text}
// - {name: claim, type: id}
// example: {model: model/deepseek-r1, scenario: scenario/offline}
MATCH (d:DerivedResult)-[:OF_ACCELERATOR]->(e)
WHERE d.kind = 'best' AND d.model IS NOT NULL
  AND (size($model) = 0 OR d.model IN $model)
  AND (size($task) = 0 OR d.task IN $task)
  AND (size($scenario) = 0 OR d.scenario IN $scenario)
  AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT d.uid AS `row`, e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label,
  d.task AS task, d.model AS model, d.scenario AS scenario, d.round AS round, d.value AS value,
  coalesce(d.unit, 'none') AS unit, d.results AS results, d.accelerators AS accelerators,
  coalesce(d.entry, 'unstated') AS entry, d.submitter AS submitter, coalesce(a.label, 'unstated') AS submitter_label,
  coalesce(d.category, 'unstated') AS category, coalesce(d.availability, 'unstated') AS availability,
  d.claim AS claim
ORDER BY task, scenario, round, value DESC, `row`
