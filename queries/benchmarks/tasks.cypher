// title: Tasks of the benchmarks
// question: Which benchmark tasks are known, and which model does each run?
// columns:
// - {name: task, type: id}
// - {name: label, type: text}
// - {name: suite, type: id}
// - {name: model, type: id}
// - {name: model_label, type: text}
// - {name: model_kind, type: text}
// example: {}
MATCH (t:Entity)
WHERE t.kind = 'benchmark-task'
OPTIONAL MATCH (t)-[:TASK_MODEL]->(m)
RETURN DISTINCT t.uid AS task, coalesce(t.label, 'unstated') AS label, t.suite AS suite, t.model AS model,
  coalesce(m.label, 'unstated') AS model_label, coalesce(m.kind, 'unstated') AS model_kind
ORDER BY task, coalesce(model, '')
