// title: Official results about the same thing
// question: Which entries of a benchmark round are there for the subject of a claim, or for what it covers, in the same task, scenario, metric, level and normaliser?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: official, type: id}
// - {name: accelerator, type: id}
// - {name: accelerator_label, type: text}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: better, type: text}
// - {name: normaliser, type: text}
// - {name: task, type: id}
// - {name: scenario, type: id}
// - {name: round, type: id}
// - {name: round_match, type: text}
// - {name: division, type: id}
// - {name: entry, type: text}
// - {name: accelerators, type: number}
// - {name: submitter, type: id}
// - {name: submitter_label, type: text}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})-[:UNDER]->(u:Conditions)
MATCH (c)-[:SUBJECT]->(s)
WHERE u.entry IS NULL AND size(c.normalisers) = 1
MATCH (s)<-[:NAMES]-(n:Name)-[:COVERS]->(e)
MATCH (e)<-[:SUBJECT]-(o:Claim)-[:UNDER]->(v:Conditions)
WHERE o.uid <> c.uid AND o.kind = 'measurement' AND o.metric = c.metric AND o.level = c.level AND o.normaliser = c.normaliser
  AND size(o.normalisers) = 1 AND o.canonical_value IS NOT NULL
UNWIND u.task AS asked_task
UNWIND v.task AS its_task
UNWIND v.round AS its_round
UNWIND v.entry AS its_entry
UNWIND coalesce(u.scenario, ['']) AS asked_scenario
UNWIND coalesce(v.scenario, ['']) AS its_scenario
UNWIND coalesce(v.division, ['']) AS its_division
UNWIND coalesce(v.accelerators, ['']) AS its_accelerators
WITH c, u, e, o, asked_task, its_task, its_round, its_entry, asked_scenario, its_scenario, its_division, its_accelerators
WHERE its_task = asked_task AND (asked_scenario = '' OR asked_scenario = its_scenario)
OPTIONAL MATCH (o)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (o)-[:MEASURES]->(m:Metric)
RETURN c.uid AS claim, o.uid AS official, e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label,
  o.canonical_value AS canonical_value, coalesce(o.canonical_unit, 'none') AS canonical_unit,
  coalesce(m.better, 'unstated') AS better, o.normaliser AS normaliser, its_task AS task,
  CASE its_scenario WHEN '' THEN null ELSE its_scenario END AS scenario, its_round AS round,
  CASE WHEN its_round IN coalesce(u.round, []) OR its_round IN coalesce(u.rounds, []) THEN 'stated' ELSE 'other' END AS round_match,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division, its_entry AS entry,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators, a.uid AS submitter,
  coalesce(a.label, 'unstated') AS submitter_label, o.source AS source, coalesce(o.use, 'unstated') AS `use`
UNION
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})-[:UNDER]->(u:Conditions)
MATCH (c)-[:SUBJECT]->(s)
WHERE u.entry IS NULL AND size(c.normalisers) = 1
MATCH (s)<-[:COVERS]-(n:Name)-[:NAMES]->(e)
MATCH (e)<-[:SUBJECT]-(o:Claim)-[:UNDER]->(v:Conditions)
WHERE o.uid <> c.uid AND o.kind = 'measurement' AND o.metric = c.metric AND o.level = c.level AND o.normaliser = c.normaliser
  AND size(o.normalisers) = 1 AND o.canonical_value IS NOT NULL
UNWIND u.task AS asked_task
UNWIND v.task AS its_task
UNWIND v.round AS its_round
UNWIND v.entry AS its_entry
UNWIND coalesce(u.scenario, ['']) AS asked_scenario
UNWIND coalesce(v.scenario, ['']) AS its_scenario
UNWIND coalesce(v.division, ['']) AS its_division
UNWIND coalesce(v.accelerators, ['']) AS its_accelerators
WITH c, u, e, o, asked_task, its_task, its_round, its_entry, asked_scenario, its_scenario, its_division, its_accelerators
WHERE its_task = asked_task AND (asked_scenario = '' OR asked_scenario = its_scenario)
OPTIONAL MATCH (o)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (o)-[:MEASURES]->(m:Metric)
RETURN c.uid AS claim, o.uid AS official, e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label,
  o.canonical_value AS canonical_value, coalesce(o.canonical_unit, 'none') AS canonical_unit,
  coalesce(m.better, 'unstated') AS better, o.normaliser AS normaliser, its_task AS task,
  CASE its_scenario WHEN '' THEN null ELSE its_scenario END AS scenario, its_round AS round,
  CASE WHEN its_round IN coalesce(u.round, []) OR its_round IN coalesce(u.rounds, []) THEN 'stated' ELSE 'other' END AS round_match,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division, its_entry AS entry,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators, a.uid AS submitter,
  coalesce(a.label, 'unstated') AS submitter_label, o.source AS source, coalesce(o.use, 'unstated') AS `use`
//ORDER claim, task, scenario, round, division, official
