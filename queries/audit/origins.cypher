// title: Mentions and origins of a claim
// question: How often is this said, by how many who did not have it from one another, and in which echo cluster?
// parameters:
// - {name: claim, type: list-of-claim, example: 000/mistral.impact.training-speed.h200}
// columns:
// - {name: claim, type: id}
// - {name: mentions, type: integer}
// - {name: origins, type: integer}
// - {name: cluster, type: id}
// - {name: cluster_mentions, type: integer}
// - {name: cluster_origins, type: integer}
// - {name: echo_of, type: id}
// - {name: end_state, type: text}
// example: {claim: 000/mistral.impact.training-speed.h200}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
WHERE c.kind IS NOT NULL
OPTIONAL MATCH (c)-[:IN_CLUSTER]->(e:EchoCluster)
UNWIND coalesce(c.end_states, ['none']) AS reached
RETURN DISTINCT c.uid AS claim, c.mentions AS mentions, c.origins AS origins, e.uid AS cluster,
  e.mentions AS cluster_mentions, e.origins AS cluster_origins, e.echo_of AS echo_of, reached AS end_state
ORDER BY claim, end_state, coalesce(cluster, '')
