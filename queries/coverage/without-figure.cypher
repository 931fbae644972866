UNWIND $source AS text
MATCH (t:Source {uid: text})
OPTIONAL MATCH (t)<-[:STATED_IN]-(c:Claim)-[:SUBJECT]->(s)
WITH c, s
WHERE c.uid IS NOT NULL AND c.quantity_form IS NULL
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  c.cue AS printed,
  #FRAGMENT claim_fields
