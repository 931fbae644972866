MATCH (u:Conditions)<-[:UNDER]-(c:Claim)-[:SUBJECT]->(s)
WHERE u.benchmark IS NOT NULL AND u.task IS NOT NULL AND u.scenario IS NOT NULL AND (size($metric) = 0 OR c.metric IN $metric)
UNWIND u.benchmark AS suite
UNWIND u.task AS job
UNWIND u.scenario AS way
WITH c, s, suite, job, way
WHERE (size($benchmark) = 0 OR suite IN $benchmark) AND (size($task) = 0 OR job IN $task) AND (size($scenario) = 0 OR way IN $scenario)
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  job AS task,
  way AS scenario,
  #FRAGMENT claim_fields
