// title: Submitters
// question: Who entered results of an accelerator, in which round, and how many, by the table that lists most of them?
// parameters:
// - {name: thing, type: name, example: GB200}
// - {name: round, type: id, default: null, example: round/mlperf-inference-v5.1}
// columns:
// - {name: submitter, type: id}
// - {name: submitter_label, type: text}
// - {name: accelerator, type: id}
// - {name: round, type: id}
// - {name: results, type: integer}
// example: {thing: GB200}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(e)<-[:SUBJECT]-(c:Claim)-[:UNDER]->(u:Conditions)
WHERE c.kind = 'measurement' AND c.metric = 'metric/throughput' AND 'per-chip' IN c.normalisers AND u.round IS NOT NULL
UNWIND u.round AS held
WITH c, e, held
WHERE (size($round) = 0 OR held IN $round)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
WITH a, e, held, c.source AS source, count(DISTINCT c.uid) AS listed
RETURN DISTINCT a.uid AS submitter, coalesce(a.label, 'unstated') AS submitter_label, e.uid AS accelerator,
  held AS round, max(listed) AS results
ORDER BY round, accelerator, submitter
