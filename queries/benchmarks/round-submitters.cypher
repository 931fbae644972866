MATCH (c:Claim)
WHERE c.kind = 'measurement' AND c.statistic IS NULL
  AND c.metric IN ['metric/throughput', 'metric/latency', 'metric/training-time']
OPTIONAL MATCH (c)-[:UNDER]->(u:Conditions)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
WITH c.source AS source, u.uid AS under, u.round AS rounds, coalesce(u.division, ['']) AS divisions, u.task AS tasks, u.entry AS entries,
  u.tested_on AS systems, a.uid AS submitter, a.label AS its_label
WHERE rounds IS NOT NULL AND tasks IS NOT NULL AND (entries IS NOT NULL OR systems IS NOT NULL)
UNWIND rounds AS held
UNWIND divisions AS under_rules
WITH source, under, held, under_rules, submitter, its_label
WHERE (size($round) = 0 OR held IN $round)
WITH submitter, its_label, held, under_rules, source, count(DISTINCT under) AS listed
RETURN DISTINCT
  submitter,
  its_label AS submitter_label,
  held AS round,
  CASE under_rules WHEN '' THEN null ELSE under_rules END AS division,
  max(listed) AS results
