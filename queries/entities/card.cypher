UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})
WHERE e.kind IS NOT NULL
RETURN DISTINCT
  e.uid AS thing,
  e.label AS label,
  e.kind AS kind,
  e.level AS level,
  e.maker AS maker,
  e.member_of AS member_of,
  e.variant_of AS variant_of,
  e.accelerator_inside AS accelerator_inside,
  e.`of` AS configuration_of,
  e.`count` AS `count`,
  e.form AS form,
  e.virtualised AS virtualised,
  e.operator AS operator,
  e.suite AS suite,
  e.model AS model,
  e.released AS released,
  e.note AS note
