UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
WHERE c.kind IS NOT NULL
OPTIONAL MATCH (c)-[:IN_CLUSTER]->(e:EchoCluster)
UNWIND coalesce(c.end_states, ['']) AS reached
RETURN DISTINCT
  c.uid AS claim,
  c.mentions AS mentions,
  c.origins AS origins,
  e.uid AS cluster,
  e.mentions AS cluster_mentions,
  e.origins AS cluster_origins,
  e.echo_of AS echo_of,
  CASE reached WHEN '' THEN null ELSE reached END AS end_state
