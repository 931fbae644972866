MATCH (t:Entity)
WHERE t.kind = 'benchmark-task'
OPTIONAL MATCH (t)-[:TASK_MODEL]->(m)
RETURN DISTINCT
  t.uid AS task,
  t.label AS label,
  t.suite AS suite,
  t.model AS model,
  m.label AS model_label,
  m.kind AS model_kind
