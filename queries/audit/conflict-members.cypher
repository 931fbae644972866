MATCH (f:Finding)-[:ABOUT]->(a:Claim)
WHERE f.kind = 'conflict' AND (size($verdict) = 0 OR f.verdict IN $verdict)
OPTIONAL MATCH (f)-[:HAS_ROLE]->(r:Role)
WITH f, a, collect(r.involves) AS others
UNWIND [a.uid] + others AS member
MATCH (c:Claim {uid: member})-[:SUBJECT]->(s)
RETURN DISTINCT
  f.uid AS finding,
  f.verdict AS verdict,
  c.uid AS claim,
  s.uid AS subject
