MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.absent
MATCH (c)-[:ANCHORED_AT]->(p:Passage)
RETURN
  c.uid AS claim,
  'empty cell' AS gap,
  s.uid AS subject,
  #FRAGMENT claim_fields,
  #FRAGMENT passage
UNION
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.direction = 'absent'
MATCH (c)-[:ANCHORED_AT]->(p:Passage)
RETURN
  c.uid AS claim,
  'said to be absent' AS gap,
  s.uid AS subject,
  #FRAGMENT claim_fields,
  #FRAGMENT passage
