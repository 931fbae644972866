UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(t:Source)
OPTIONAL MATCH (c)-[:BASELINE]->(b)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  coalesce(p.sha256, t.sha256) AS sha256,
  #FRAGMENT claim_fields,
  #FRAGMENT passage
