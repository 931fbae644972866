// title: Things by a part of their name
// question: Which things and sources have this text in a label or alias?
// parameters:
// - {name: text, type: text, example: nvl72, about: in lower case}
// columns:
// - {name: entity, type: id}
// - {name: key, type: text}
// - {name: label, type: text}
// - {name: kind, type: text}
// example: {text: nvl72}
UNWIND $text AS text
MATCH (n:Name)-[:NAMES]->(e)
WHERE (n.key CONTAINS text OR text = '') AND NOT n.key STARTS WITH '='
RETURN DISTINCT e.uid AS entity, n.key AS key, coalesce(e.label, 'unstated') AS label,
  coalesce(e.kind, 'unstated') AS kind
ORDER BY key, entity
