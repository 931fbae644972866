UNWIND $finding AS finding
MATCH (f:Finding {uid: finding})
OPTIONAL MATCH (f)-[:HAS_ROLE]->(r:Role)
WITH f, collect({role: r.name, claim: r.involves}) AS others
UNWIND [{role: 'about', claim: f.about}] + others AS part
MATCH (c:Claim {uid: part.claim})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
OPTIONAL MATCH (c)-[:BASELINE]->(b)
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(q:Source)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
RETURN DISTINCT
  f.uid AS finding,
  part.role AS role,
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields,
  #FRAGMENT passage
