MATCH (e:EchoCluster)-[:ECHO_OF]->(c:Claim)
RETURN DISTINCT
  e.uid AS cluster,
  c.uid AS echo_of,
  e.mentions AS mentions,
  e.origins AS origins,
  c.metric AS metric,
  coalesce(c.printed, c.cue) AS printed
