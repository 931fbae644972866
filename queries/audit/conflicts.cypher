MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.kind = 'conflict' AND (size($verdict) = 0 OR f.verdict IN $verdict)
OPTIONAL MATCH (f)-[:HAS_ROLE]->(r:Role)
WITH f, c, collect(r.involves) AS others
UNWIND [c.uid] + others AS member
MATCH (o:Claim {uid: member})-[:SUBJECT]->(s)
WHERE (size($metric) = 0 OR o.metric IN $metric) AND (size($subject) = 0 OR s.uid IN $subject)
RETURN DISTINCT
  f.uid AS finding,
  c.uid AS claim,
  c.metric AS group_metric,
  #FRAGMENT finding_fields
