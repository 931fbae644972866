// title: What was never measured
// question: Which benchmark tasks and scenarios have results of other accelerators and none of this one?
// parameters:
// - {name: thing, type: name, example: MI300X}
// - {name: model, type: id, default: null, example: model/deepseek-r1}
// - {name: scenario, type: id, default: null, example: scenario/offline}
// columns:
// - {name: accelerator, type: id}
// - {name: accelerator_label, type: text}
// - {name: task, type: id}
// - {name: task_label, type: text}
// - {name: model, type: id}
// - {name: scenario, type: id}
// example: {thing: MI300X}
MATCH (b:DerivedResult)-[:OF_TASK]->(t)
WHERE b.kind = 'best' AND b.model IS NOT NULL AND (size($model) = 0 OR b.model IN $model) AND (size($scenario) = 0 OR b.scenario IN $scenario)
WITH DISTINCT t, b.model AS model, b.scenario AS scenario
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(e:Entity)
WHERE e.kind = 'accelerator'
OPTIONAL MATCH (e)<-[:OF_ACCELERATOR]-(h:DerivedResult)
WHERE h.kind = 'best' AND h.task = t.uid AND h.scenario = scenario
WITH e, t, model, scenario, count(h.uid) AS hits
WHERE hits = 0
RETURN DISTINCT e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label, t.uid AS task,
  coalesce(t.label, 'unstated') AS task_label, model, scenario
ORDER BY accelerator, task, scenario, model
