MATCH (c:Claim)-[:OF_STATEMENT]->(k:Statement)<-[:OF_STATEMENT]-(o:Claim)
WHERE c.canonical_value <> o.canonical_value AND (size($metric) = 0 OR c.metric IN $metric)
MATCH (c)-[:SUBJECT]->(s)
RETURN DISTINCT
  c.statement_key AS statement_key,
  c.uid AS claim,
  s.uid AS subject,
  c.printed AS printed,
  #FRAGMENT claim_fields
