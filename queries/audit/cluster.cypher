// title: Echo cluster of a claim
// question: Which claims belong to the echo cluster of this claim?
// parameters:
// - {name: claim, type: list-of-claim, example: 000/mistral.impact.training-speed.h200}
// columns:
// - {name: claim, type: id}
// - {name: cluster, type: id}
// - {name: member, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: statement, type: text}
// - {name: asserted_by, type: id}
// - {name: speaker, type: text}
// - {name: source, type: id}
// - {name: machine_written, type: text}
// - {name: said_on, type: text}
// - {name: use, type: text}
// example: {claim: 000/mistral.impact.training-speed.h200}
UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)-[:IN_CLUSTER]->(e:EchoCluster)
OPTIONAL MATCH (e)<-[:IN_CLUSTER]-(c:Claim)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (c)-[:STATED_IN]->(t:Source)
WITH o, e, c, a, t
WHERE c.uid IS NOT NULL
RETURN DISTINCT o.uid AS claim, e.uid AS cluster, c.uid AS member, coalesce(c.printed, c.cue, 'unstated') AS printed,
  c.unit AS unit, coalesce(c.statement, 'none') AS statement, c.asserted_by AS asserted_by,
  coalesce(a.label, 'unstated') AS speaker, c.source AS source, coalesce(t.machine_written, 'no') AS machine_written,
  coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`
ORDER BY claim, cluster, member
