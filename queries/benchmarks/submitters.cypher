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
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(e)<-[:SUBJECT]-(x:Claim)
WITH DISTINCT e.uid AS accelerator, x.uid AS id
WHERE id IS NOT NULL
MATCH (c:Claim {uid: id})
WHERE c.kind = 'measurement' AND c.metric = 'metric/throughput' AND 'per-chip' IN c.normalisers
OPTIONAL MATCH (c)-[:UNDER]->(u:Conditions)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
WITH accelerator, c.uid AS id, c.source AS source, u.round AS rounds, a.uid AS submitter, a.label AS its_label
UNWIND rounds AS held
WITH accelerator, id, source, held, submitter, its_label
WHERE (size($round) = 0 OR held IN $round)
WITH submitter, its_label, accelerator, held, source, count(DISTINCT id) AS listed
RETURN DISTINCT submitter, coalesce(its_label, 'unstated') AS submitter_label, accelerator, held AS round, max(listed) AS results
ORDER BY round, accelerator, submitter
