MATCH (m:Metric {uid: 'metric/parameters'})<-[:MEASURES]-(c:Claim)-[:SUBJECT]->(s)
WHERE s.kind IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  s.kind AS model_kind,
  #FRAGMENT claim_fields
