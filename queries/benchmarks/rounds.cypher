UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(e)<-[:OF_ACCELERATOR]-(d:DerivedResult)
WHERE d.kind = 'best' AND d.model IS NOT NULL AND (size($model) = 0 OR d.model IN $model) AND (size($scenario) = 0 OR d.scenario IN $scenario)
OPTIONAL MATCH (d)-[:SUBMITTED_BY]->(a)
RETURN DISTINCT
  d.uid AS `row`,
  e.uid AS accelerator,
  d.previous_round AS previous_round,
  d.change AS change,
  d.previous_claim AS previous_claim,
  #FRAGMENT result_fields
