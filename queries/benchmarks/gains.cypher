// title: Gains between two systems
// question: How far is the first system ahead of the second on dense models and on mixtures of experts, per system and per accelerator?
// parameters:
// - {name: a, type: name, example: GB200, about: a name covers its family; an id or =name does not}
// - {name: b, type: name, example: B200}
// - {name: model, type: id, default: null, example: model/deepseek-r1}
// - {name: round, type: id, default: null, example: round/mlperf-inference-v5.1}
// columns:
// - {name: row, type: id}
// - {name: model_kind, type: text}
// - {name: model, type: id}
// - {name: task, type: id}
// - {name: scenario, type: id}
// - {name: round, type: id}
// - {name: accelerator, type: id}
// - {name: accelerators, type: integer}
// - {name: against, type: id}
// - {name: against_accelerators, type: integer}
// - {name: per_accelerator, type: number}
// - {name: per_system, type: number}
// - {name: claim, type: id}
// - {name: against_claim, type: id}
// example: {a: GB200, b: B200, round: round/mlperf-inference-v5.1}
UNWIND $a AS first
UNWIND $b AS second
MATCH (x:Name {uid: 'name/' + first})-[:COVERS]->(e)<-[:OF_ACCELERATOR]-(d:DerivedResult)
MATCH (d)-[:AGAINST_ACCELERATOR]->(o)<-[:COVERS]-(y:Name {uid: 'name/' + second})
WHERE d.kind = 'gain' AND (size($model) = 0 OR d.model IN $model) AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:OF_MODEL]->(m)
RETURN d.uid AS `row`, coalesce(m.kind, 'unstated') AS model_kind, d.model AS model, d.task AS task,
  d.scenario AS scenario, d.round AS round, e.uid AS accelerator, d.accelerators AS accelerators, o.uid AS against,
  d.against_accelerators AS against_accelerators, d.value AS per_accelerator, d.per_system AS per_system,
  d.claim AS claim, d.against_claim AS against_claim
UNION
UNWIND $a AS first
UNWIND $b AS second
MATCH (x:Name {uid: 'name/' + first})-[:COVERS]->(e)<-[:AGAINST_ACCELERATOR]-(d:DerivedResult)
MATCH (d)-[:OF_ACCELERATOR]->(o)<-[:COVERS]-(y:Name {uid: 'name/' + second})
WHERE d.kind = 'gain' AND (size($model) = 0 OR d.model IN $model) AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:OF_MODEL]->(m)
RETURN d.uid AS `row`, coalesce(m.kind, 'unstated') AS model_kind, d.model AS model, d.task AS task,
  d.scenario AS scenario, d.round AS round, e.uid AS accelerator, d.against_accelerators AS accelerators,
  o.uid AS against, d.accelerators AS against_accelerators, d.inverse AS per_accelerator,
  d.inverse_per_system AS per_system, d.against_claim AS claim, d.claim AS against_claim
//ORDER model_kind, task, scenario, round, accelerators, against_accelerators, row
