MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.alternatives IS NOT NULL AND (size($metric) = 0 OR c.metric IN $metric)
UNWIND c.alternatives AS other
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  other AS alternative,
  #FRAGMENT claim_fields
