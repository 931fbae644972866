UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(x)<-[:OF_PART]-(k:Composition)<-[:HAS_COMPOSITION]-(w)
RETURN DISTINCT
  x.uid AS part,
  w.uid AS whole,
  w.label AS whole_label,
  k.`count` AS `count`,
  k.claim AS claim
