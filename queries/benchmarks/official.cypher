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
MATCH (c:Claim {uid: claim})-[:UNDER]->(u:Conditions)
MATCH (c)-[:SUBJECT]->(s)
WHERE u.entry IS NULL AND size(c.normalisers) = 1
OPTIONAL MATCH (s)-[:MEMBER_OF]->(f)
UNWIND u.task AS asked_task
UNWIND u.scenario AS asked_scenario
MATCH (t:Entity {uid: asked_task})<-[:CONDITION]-(v:Conditions)<-[:UNDER]-(o:Claim)-[:SUBJECT]->(e)
WHERE o.uid <> c.uid AND o.kind = 'measurement' AND o.metric = c.metric AND o.level = c.level AND o.normaliser = c.normaliser
  AND size(o.normalisers) = 1 AND o.canonical_value IS NOT NULL AND asked_task IN v.task AND asked_scenario IN v.scenario
OPTIONAL MATCH (e)-[:MEMBER_OF]->(g)
WITH c, u, e, o, v, s, f, g, asked_task, asked_scenario
WHERE e.uid = s.uid OR g.uid = s.uid OR f.uid = e.uid
UNWIND v.round AS its_round
UNWIND v.entry AS its_entry
UNWIND coalesce(v.division, ['']) AS its_division
UNWIND coalesce(v.accelerators, ['']) AS its_accelerators
OPTIONAL MATCH (o)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (o)-[:MEASURES]->(m:Metric)
RETURN DISTINCT c.uid AS claim, o.uid AS official, e.uid AS accelerator, coalesce(e.label, 'unstated') AS accelerator_label,
  o.canonical_value AS canonical_value, coalesce(o.canonical_unit, 'none') AS canonical_unit,
  coalesce(m.better, 'unstated') AS better, o.normaliser AS normaliser, asked_task AS task, asked_scenario AS scenario,
  its_round AS round,
  CASE WHEN its_round IN coalesce(u.round, []) OR its_round IN coalesce(u.rounds, []) THEN 'stated' ELSE 'other' END AS round_match,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division, its_entry AS entry,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators, a.uid AS submitter,
  coalesce(a.label, 'unstated') AS submitter_label, o.source AS source, coalesce(o.use, 'unstated') AS `use`
ORDER BY claim, task, scenario, round, division, official
