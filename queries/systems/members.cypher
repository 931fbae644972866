// title: Members of a family
// question: Which chips, boards, nodes, racks and pods does this name cover?
// parameters:
// - {name: thing, type: name, example: GB200}
// columns:
// - {name: member, type: id}
// - {name: label, type: text}
// - {name: kind, type: text}
// - {name: level, type: text}
// - {name: match, type: text}
// example: {thing: GB200}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(e)
OPTIONAL MATCH (n)-[named:NAMES]->(e)
RETURN DISTINCT e.uid AS member, coalesce(e.label, 'unstated') AS label, coalesce(e.kind, 'unstated') AS kind,
  coalesce(e.level, e.kind, 'unstated') AS level, CASE WHEN named IS NULL THEN 'family' ELSE 'named' END AS `match`
ORDER BY kind, member
