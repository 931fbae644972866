// title: Echo clusters
// question: Which claims are said again and again, by how many texts, and with how many origins?
// columns:
// - {name: cluster, type: id}
// - {name: echo_of, type: id}
// - {name: mentions, type: integer}
// - {name: origins, type: integer}
// - {name: metric, type: id}
// - {name: printed, type: text}
// example: {}
MATCH (e:EchoCluster)-[:ECHO_OF]->(c:Claim)
RETURN DISTINCT e.uid AS cluster, c.uid AS echo_of, e.mentions AS mentions, e.origins AS origins, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed
ORDER BY mentions DESC, cluster
