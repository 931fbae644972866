UNWIND $a AS first
UNWIND $b AS second
MATCH (x:Name {uid: 'name/' + first})-[:COVERS]->(e)<-[:OF_ACCELERATOR]-(d:DerivedResult)
MATCH (d)-[:AGAINST_ACCELERATOR]->(o)<-[:COVERS]-(y:Name {uid: 'name/' + second})
WHERE d.kind = 'gain' AND (size($model) = 0 OR d.model IN $model) AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:OF_MODEL]->(m)
RETURN
  d.uid AS `row`,
  m.kind AS model_kind,
  e.uid AS accelerator,
  o.uid AS against,
  d.against_accelerators AS against_accelerators,
  d.value AS per_accelerator,
  d.per_system AS per_system,
  d.against_claim AS against_claim,
  #FRAGMENT result_fields
UNION
UNWIND $a AS first
UNWIND $b AS second
MATCH (x:Name {uid: 'name/' + first})-[:COVERS]->(e)<-[:AGAINST_ACCELERATOR]-(d:DerivedResult)
MATCH (d)-[:OF_ACCELERATOR]->(o)<-[:COVERS]-(y:Name {uid: 'name/' + second})
WHERE d.kind = 'gain' AND (size($model) = 0 OR d.model IN $model) AND (size($round) = 0 OR d.round IN $round)
OPTIONAL MATCH (d)-[:OF_MODEL]->(m)
RETURN
  d.uid AS `row`,
  m.kind AS model_kind,
  e.uid AS accelerator,
  d.against_accelerators AS accelerators,
  o.uid AS against,
  d.accelerators AS against_accelerators,
  d.inverse AS per_accelerator,
  d.inverse_per_system AS per_system,
  d.against_claim AS claim,
  d.claim AS against_claim,
  #FRAGMENT result_fields
