// title: Results between rounds
// question: How did the best result of an accelerator move from one round to the next, where the rules let the two be compared?
// parameters:
// - {name: thing, type: name, example: GB200}
// - {name: model, type: id, default: null, example: model/llama-3-1-405b}
// - {name: scenario, type: id, default: null, example: scenario/offline}
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
// - {name: previous_round, type: id}
// - {name: change, type: number}
// - {name: previous_claim, type: id}
// - {name: accelerators, type: integer}
// - {name: entry, type: text}
// - {name: submitter, type: id}
// - {name: submitter_label, type: text}
// - {name: category, type: text}
// - {name: availability, type: text}
// - {name: claim, type: id}
// example: {thing: GB200, model: model/llama-3-1-405b}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(e)<-[:OF_ACCELERATOR]-(d:DerivedResult)
WHERE d.kind = 'best' AND d.model IS NOT NULL AND (size($model) = 0 OR d.model IN $model) AND (size($scenario) = 0 OR d.scenario IN $scenario)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT d.uid AS `row`, e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label,
  d.task AS task, d.model AS model, d.scenario AS scenario, d.round AS round, d.value AS value,
  coalesce(d.unit, 'none') AS unit, d.previous_round AS previous_round, d.change AS change,
  d.previous_claim AS previous_claim, d.accelerators AS accelerators, coalesce(d.entry, 'unstated') AS entry,
  d.submitter AS submitter, coalesce(a.label, 'unstated') AS submitter_label,
  coalesce(d.category, 'unstated') AS category, coalesce(d.availability, 'unstated') AS availability,
  d.claim AS claim
ORDER BY accelerator, task, scenario, round, `row`
