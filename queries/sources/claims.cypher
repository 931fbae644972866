UNWIND $source AS source
MATCH (t:Source {uid: source})
OPTIONAL MATCH (t)<-[:STATED_IN]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
WITH c, s, p
WHERE c.uid IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  p.`start` AS `start`,
  p.`end` AS `end`,
  #FRAGMENT claim_fields
