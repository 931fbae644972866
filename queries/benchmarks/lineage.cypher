// title: What a piece of hardware belongs to
// question: Of which thing is each piece of hardware a configuration, a variant or a member, and what is inside it?
// parameters:
// - {name: thing, type: list-of-id, default: null, example: system/nvidia-gb200-nvl72}
// columns:
// - {name: thing, type: id}
// - {name: kind, type: text}
// - {name: link, type: text}
// - {name: other, type: id}
// - {name: count, type: integer}
// example: {thing: system/nvidia-gb200-nvl72}
MATCH (e:Entity)-[:MEMBER_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN e.uid AS thing, coalesce(e.kind, 'unstated') AS kind, 'member-of' AS link, o.uid AS other,
  CASE WHEN false THEN e.`count` ELSE null END AS `count`
UNION
MATCH (e:Entity)-[:CONFIGURATION_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN e.uid AS thing, coalesce(e.kind, 'unstated') AS kind, 'configuration-of' AS link, o.uid AS other,
  e.`count` AS `count`
UNION
MATCH (e:Entity)-[:VARIANT_OF]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN e.uid AS thing, coalesce(e.kind, 'unstated') AS kind, 'variant-of' AS link, o.uid AS other,
  CASE WHEN false THEN e.`count` ELSE null END AS `count`
UNION
MATCH (e:Entity)-[:ACCELERATOR_INSIDE]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN e.uid AS thing, coalesce(e.kind, 'unstated') AS kind, 'accelerator-inside' AS link, o.uid AS other,
  CASE WHEN false THEN e.`count` ELSE null END AS `count`
UNION
MATCH (e:Entity)-[:HAS_COMPOSITION]->(k:Composition)-[:OF_PART]->(o)
WHERE (size($thing) = 0 OR e.uid IN $thing)
RETURN e.uid AS thing, coalesce(e.kind, 'unstated') AS kind, 'part' AS link, o.uid AS other, k.`count` AS `count`
//ORDER thing, link, other
