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
RETURN DISTINCT
  submitter,
  its_label AS submitter_label,
  accelerator,
  held AS round,
  max(listed) AS results
