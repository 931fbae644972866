// title: Ratio claims
// question: Which claims say by how much one thing is better than another, and under which conditions that a benchmark also names?
// parameters:
// - {name: claim, type: list-of-claim, default: null, example: 002/author.nvl72-dgx-b200.r1}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: level, type: text}
// - {name: baseline, type: id}
// - {name: baseline_level, type: text}
// - {name: metric, type: id}
// - {name: better, type: text}
// - {name: normaliser, type: text}
// - {name: printed, type: text}
// - {name: hedge, type: text}
// - {name: ratio, type: number}
// - {name: ratio_lower, type: number}
// - {name: ratio_upper, type: number}
// - {name: modality, type: text}
// - {name: polarity, type: text}
// - {name: benchmark, type: id}
// - {name: round, type: id}
// - {name: task, type: id}
// - {name: model, type: id}
// - {name: scenario, type: id}
// - {name: phase, type: text}
// - {name: workload, type: text}
// - {name: conditions, type: text}
// - {name: baseline_conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: said_on, type: text}
// - {name: use, type: text}
// example: {claim: 002/author.nvl72-dgx-b200.r1}
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.relation IN ['ratio', 'increase', 'decrease', 'times-less', 'share-of'] AND c.canonical_unit = '1'
  AND (size($claim) = 0 OR c.uid IN $claim)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
OPTIONAL MATCH (c)-[:UNDER]->(u:Conditions)
UNWIND coalesce(u.benchmark, ['']) AS its_benchmark
UNWIND coalesce(u.round, ['']) AS its_round
UNWIND coalesce(u.task, ['']) AS its_task
UNWIND coalesce(u.model, ['']) AS its_model
UNWIND coalesce(u.scenario, ['']) AS its_scenario
UNWIND coalesce(u.phase, ['unstated']) AS its_phase
UNWIND coalesce(u.workload, ['unstated']) AS its_workload
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(c.level, 'unstated') AS level, c.baseline AS baseline,
  coalesce(c.baseline_level, 'unstated') AS baseline_level, c.metric AS metric,
  coalesce(m.better, 'unstated') AS better, coalesce(c.normaliser, 'unstated') AS normaliser,
  coalesce(c.printed, 'unstated') AS printed, coalesce(c.hedge, 'none') AS hedge, c.canonical_value AS ratio,
  c.canonical_lower AS ratio_lower, c.canonical_upper AS ratio_upper, coalesce(c.modality, 'stated') AS modality,
  coalesce(c.polarity, 'affirmed') AS polarity,
  CASE its_benchmark WHEN '' THEN null ELSE its_benchmark END AS benchmark,
  CASE its_round WHEN '' THEN null ELSE its_round END AS round,
  CASE its_task WHEN '' THEN null ELSE its_task END AS task,
  CASE its_model WHEN '' THEN null ELSE its_model END AS model,
  CASE its_scenario WHEN '' THEN null ELSE its_scenario END AS scenario, its_phase AS phase,
  its_workload AS workload, coalesce(c.conditions_text, 'unstated') AS conditions,
  coalesce(c.baseline_conditions_text, 'unstated') AS baseline_conditions, c.asserted_by AS asserted_by,
  c.source AS source, coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`
ORDER BY claim, subject, coalesce(baseline, ''), coalesce(model, ''), coalesce(scenario, '')
