MATCH (e:Entity)-[:MEMBER_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  e.kind AS kind,
  'member-of' AS link,
  o.uid AS other,
  CASE WHEN false THEN e.`count` ELSE null END AS `count`
UNION
MATCH (e:Entity)-[:CONFIGURATION_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  e.kind AS kind,
  'configuration-of' AS link,
  o.uid AS other,
  e.`count` AS `count`
UNION
MATCH (e:Entity)-[:VARIANT_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  e.kind AS kind,
  'variant-of' AS link,
  o.uid AS other,
  CASE WHEN false THEN e.`count` ELSE null END AS `count`
UNION
MATCH (e:Entity)-[:ACCELERATOR_INSIDE]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  e.kind AS kind,
  'accelerator-inside' AS link,
  o.uid AS other,
  CASE WHEN false THEN e.`count` ELSE null END AS `count`
UNION
MATCH (e:Entity)-[:HAS_COMPOSITION]->(k:Composition)-[:OF_PART]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN
  e.uid AS thing,
  e.kind AS kind,
  'part' AS link,
  o.uid AS other,
  k.`count` AS `count`
