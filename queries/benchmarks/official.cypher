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
RETURN DISTINCT
  claim,
  o.uid AS official,
  it AS accelerator,
  its_label AS accelerator_label,
  m.better AS better,
  asked_task AS task,
  asked_scenario AS scenario,
  its_round AS round,
  CASE WHEN its_round IN own_round OR its_round IN own_rounds THEN 'stated' ELSE 'other' END AS round_match,
  CASE its_division WHEN '' THEN null ELSE its_division END AS division,
  its_entry AS entry,
  CASE its_accelerators WHEN '' THEN null ELSE its_accelerators END AS accelerators,
  a.uid AS submitter,
  a.label AS submitter_label,
  #FRAGMENT claim_fields o
