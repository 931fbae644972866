UNWIND $text AS text
MATCH (n:Name)-[:NAMES]->(e)
WHERE (n.key CONTAINS text OR text = '') AND NOT n.key STARTS WITH '='
RETURN DISTINCT
  e.uid AS entity,
  n.key AS key,
  e.label AS label,
  e.kind AS kind
