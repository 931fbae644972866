MATCH (n:Name)-[:NAMES]->(e)
WHERE NOT n.key STARTS WITH '='
RETURN DISTINCT
  n.key AS key,
  e.uid AS entity
