// title: What a name stands for
// question: Which things does this name name, and which does it cover?
// parameters:
// - {name: thing, type: list-of-name, example: GB200}
// columns:
// - {name: thing, type: text}
// - {name: entity, type: id}
// - {name: label, type: text}
// - {name: kind, type: text}
// - {name: match, type: text}
// example: {thing: GB200}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(e)
OPTIONAL MATCH (n)-[named:NAMES]->(e)
WITH n, e, named
WHERE e.uid IS NOT NULL
RETURN DISTINCT n.key AS thing, e.uid AS entity, coalesce(e.label, 'unstated') AS label,
  coalesce(e.kind, 'unstated') AS kind, CASE WHEN named IS NULL THEN 'family' ELSE 'named' END AS `match`
ORDER BY thing, entity
