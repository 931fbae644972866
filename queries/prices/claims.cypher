MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE (size($metric) = 0 OR c.metric IN $metric)
  AND (size($subjects) = 0 OR s.uid IN $subjects)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
