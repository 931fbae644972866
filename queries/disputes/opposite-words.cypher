UNWIND [{one: 'higher', two: 'lower'}, {one: 'higher', two: 'not-higher'}, {one: 'lower', two: 'not-lower'},
  {one: 'present', two: 'absent'}] AS words
MATCH (c:Claim)-[:OF_STATEMENT]->(k:Statement)<-[:OF_STATEMENT]-(o:Claim)
WHERE c.direction = words.one AND o.direction = words.two AND NOT coalesce(c.note, '') STARTS WITH 'gap'
  AND NOT coalesce(o.note, '') STARTS WITH 'gap'
MATCH (c)-[:SUBJECT]->(s)
RETURN DISTINCT
  c.uid AS claim,
  o.uid AS other,
  s.uid AS subject,
  o.direction AS other_direction,
  o.statement AS other_statement,
  o.source AS other_source,
  #FRAGMENT claim_fields
