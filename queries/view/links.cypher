MATCH (e:Entity|Source)-[:MADE_BY]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'made by' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:MEMBER_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'member of' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:VARIANT_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'variant of' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:CONTAINS]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'contains' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:ACCELERATOR_INSIDE]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'accelerator inside' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:CONFIGURATION_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'configuration of' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:OPERATED_BY]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'operated by' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:IN_SUITE]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'in suite' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:TASK_MODEL]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'runs model' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:PUBLISHED_BY]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'published by' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:WRITTEN_BY]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'written by' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:CITES]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'cites' AS link,
  o.uid AS other
UNION
MATCH (e:Entity|Source)-[:RESOLVED_TO]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  'resolved to' AS link,
  o.uid AS other
