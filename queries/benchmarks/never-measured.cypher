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
RETURN DISTINCT
  e.uid AS accelerator,
  e.label AS accelerator_label,
  t.uid AS task,
  t.label AS task_label,
  model,
  scenario
