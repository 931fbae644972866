UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(w)-[:HAS_COMPOSITION]->(k:Composition)-[:OF_PART]->(x)
RETURN DISTINCT
  w.uid AS whole,
  w.label AS whole_label,
  x.uid AS part,
  x.label AS part_label,
  k.`count` AS `count`,
  k.claim AS claim
