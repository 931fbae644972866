// title: Opposite statements in words
// question: For which subject and metric do statements without a figure point in opposite directions? What is announced and not there states nothing.
// columns:
// - {name: claim, type: id}
// - {name: other, type: id}
// - {name: subject, type: id}
// - {name: metric, type: id}
// - {name: direction, type: text}
// - {name: other_direction, type: text}
// - {name: statement, type: text}
// - {name: other_statement, type: text}
// - {name: source, type: id}
// - {name: other_source, type: id}
// example: {}
UNWIND [{one: 'higher', two: 'lower'}, {one: 'higher', two: 'not-higher'}, {one: 'lower', two: 'not-lower'},
  {one: 'present', two: 'absent'}] AS words
MATCH (c:Claim)-[:OF_STATEMENT]->(k:Statement)<-[:OF_STATEMENT]-(o:Claim)
WHERE c.direction = words.one AND o.direction = words.two AND NOT coalesce(c.note, '') STARTS WITH 'gap'
  AND NOT coalesce(o.note, '') STARTS WITH 'gap'
MATCH (c)-[:SUBJECT]->(s)
RETURN DISTINCT c.uid AS claim, o.uid AS other, s.uid AS subject, c.metric AS metric, c.direction AS direction,
  o.direction AS other_direction, coalesce(c.statement, 'unstated') AS statement,
  coalesce(o.statement, 'unstated') AS other_statement, c.source AS source, o.source AS other_source
ORDER BY subject, metric, claim, other
