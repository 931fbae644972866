UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)-[:IN_CLUSTER]->(e:EchoCluster)
OPTIONAL MATCH (e)<-[:IN_CLUSTER]-(c:Claim)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (c)-[:STATED_IN]->(t:Source)
WITH o, e, c, a, t
WHERE c.uid IS NOT NULL
RETURN DISTINCT
  o.uid AS claim,
  e.uid AS cluster,
  c.uid AS member,
  coalesce(t.machine_written, 'no') AS machine_written,
  #FRAGMENT claim_fields
