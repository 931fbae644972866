MATCH (c:Claim)-[:SUBJECT]->(e)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  c.uid AS claim,
  'subject' AS role,
  e.uid AS thing
UNION
MATCH (c:Claim)-[:BASELINE]->(e)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  c.uid AS claim,
  'baseline' AS role,
  e.uid AS thing
UNION
MATCH (c:Claim)-[:ASSERTED_BY]->(e)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  c.uid AS claim,
  'speaker' AS role,
  e.uid AS thing
UNION
MATCH (c:Claim)-[:STATED_IN]->(e)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  c.uid AS claim,
  'source' AS role,
  e.uid AS thing
UNION
MATCH (c:Claim)-[:UNDER]->(u:Conditions)
UNWIND u.model AS about
WITH c, about
WHERE (size($thing) = 0 OR about IN $thing)
RETURN
  c.uid AS claim,
  'model' AS role,
  about AS thing
