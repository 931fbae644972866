// title: Official results about the same thing
// question: Which entries of a benchmark round are there for the subject of a claim, its family or a member of it, in the same task, scenario, metric, level and normaliser?
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
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:UNDER]->(u:Conditions)
WITH claim, c.metric AS metric, c.level AS level, c.normaliser AS per, size(c.normalisers) AS pers, u.uid AS own,
  u.entry AS own_entry, u.task AS tasks, u.scenario AS scenarios, coalesce(u.round, []) AS own_round,
  coalesce(u.rounds, []) AS own_rounds
WHERE own IS NOT NULL AND own_entry IS NULL AND pers = 1
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH claim, metric, level, per, tasks, scenarios, own_round, own_rounds, s.uid AS subject
WHERE subject IS NOT NULL
MATCH (s:Entity|Source {uid: subject})
OPTIONAL MATCH (s)-[:MEMBER_OF]->(f)
OPTIONAL MATCH (s)<-[:MEMBER_OF]-(g)
WITH claim, metric, level, per, tasks, scenarios, own_round, own_rounds, [subject, f.uid, g.uid] AS its
UNWIND its AS it
WITH DISTINCT claim, metric, level, per, tasks, scenarios, own_round, own_rounds, it
WHERE it IS NOT NULL
MATCH (e:Entity|Source {uid: it})
OPTIONAL MATCH (e)<-[:SUBJECT]-(x:Claim)
WITH DISTINCT claim, metric, level, per, tasks, scenarios, own_round, own_rounds, it, e.label AS its_label, x.uid AS id
WHERE id IS NOT NULL AND id <> claim
MATCH (o:Claim {uid: id})
WHERE o.kind = 'measurement' AND o.metric = metric AND o.level = level AND o.normaliser = per
  AND size(o.normalisers) = 1 AND o.canonical_value IS NOT NULL
OPTIONAL MATCH (o)-[:UNDER]->(v:Conditions)
OPTIONAL MATCH (o)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (o)-[:MEASURES]->(m:Metric)
UNWIND tasks AS asked_task
UNWIND scenarios AS asked_scenario
WITH claim, own_round, own_rounds, it, its_label, o, v, a, m, asked_task, asked_scenario
WHERE asked_task IN v.task AND asked_scenario IN v.scenario
UNWIND v.round AS its_round
UNWIND v.entry AS its_entry
UNWIND coalesce(v.division, ['']) AS its_division
UNWIND coalesce(v.accelerators, ['']) AS its_accelerators
RETURN DISTINCT claim, o.uid AS official, it AS accelerator, coalesce(its_label, 'unstated') AS accelerator_label,
  o.canonical_value AS canonical_value, coalesce(o.canonical_unit, 'none') AS canonical_unit,
  coalesce(m.better, 'unstated') AS better, o.normaliser AS normaliser, asked_task AS task, asked_scenario AS scenario,
  its_round AS round,
  CASE WHEN its_round IN own_round OR its_round IN own_rounds THEN 'stated' ELSE 'other' END AS round_match,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division, its_entry AS entry,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators, a.uid AS submitter,
  coalesce(a.label, 'unstated') AS submitter_label, o.source AS source, coalesce(o.use, 'unstated') AS `use`
ORDER BY claim, task, scenario, round, division, official
