// title: All names
// question: Which names are known, as they are compared?
// columns:
// - {name: key, type: text}
// - {name: entity, type: id}
// example: {}
MATCH (n:Name)-[:NAMES]->(e)
WHERE NOT n.key STARTS WITH '='
RETURN DISTINCT n.key AS key, e.uid AS entity
ORDER BY key, entity
