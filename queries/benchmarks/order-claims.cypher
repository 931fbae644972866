MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.direction IN ['higher', 'lower', 'not-higher', 'not-lower', 'similar'] AND c.baseline IS NOT NULL
  AND c.canonical_value IS NULL
  AND (size($claim) = 0 OR c.uid IN $claim)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
OPTIONAL MATCH (c)-[:UNDER]->(u:Conditions)
UNWIND coalesce(u.benchmark, ['']) AS its_benchmark
UNWIND coalesce(u.round, ['']) AS its_round
UNWIND coalesce(u.task, ['']) AS its_task
UNWIND coalesce(u.model, ['']) AS its_model
UNWIND coalesce(u.scenario, ['']) AS its_scenario
UNWIND coalesce(u.phase, ['']) AS its_phase
UNWIND coalesce(u.workload, ['']) AS its_workload
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  m.better AS better,
  CASE its_benchmark WHEN '' THEN null ELSE its_benchmark END AS benchmark,
  CASE its_round WHEN '' THEN null ELSE its_round END AS round,
  CASE its_task WHEN '' THEN null ELSE its_task END AS task,
  CASE its_model WHEN '' THEN null ELSE its_model END AS model,
  CASE its_scenario WHEN '' THEN null ELSE its_scenario END AS scenario,
  CASE its_phase WHEN '' THEN null ELSE its_phase END AS phase,
  CASE its_workload WHEN '' THEN null ELSE its_workload END AS workload,
  #FRAGMENT claim_fields
