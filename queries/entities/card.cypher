// title: A thing
// question: What is recorded of this thing itself? Its figures are claims.
// parameters:
// - {name: thing, type: list-of-id, example: system/nvidia-gb200-nvl72}
// columns:
// - {name: thing, type: id}
// - {name: label, type: text}
// - {name: kind, type: text}
// - {name: level, type: text}
// - {name: maker, type: id}
// - {name: member_of, type: id}
// - {name: variant_of, type: id}
// - {name: accelerator_inside, type: id}
// - {name: configuration_of, type: id}
// - {name: count, type: integer}
// - {name: form, type: text}
// - {name: virtualised, type: boolean}
// - {name: operator, type: id}
// - {name: suite, type: id}
// - {name: model, type: id}
// - {name: released, type: text}
// - {name: note, type: text}
// example: {thing: system/nvidia-gb200-nvl72}
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})
WHERE e.kind IS NOT NULL
RETURN DISTINCT e.uid AS thing, coalesce(e.label, 'unstated') AS label, e.kind AS kind,
  coalesce(e.level, 'unstated') AS level, e.maker AS maker, e.member_of AS member_of, e.variant_of AS variant_of,
  e.accelerator_inside AS accelerator_inside, e.`of` AS configuration_of, e.`count` AS `count`,
  coalesce(e.form, 'none') AS form, e.virtualised AS virtualised, e.operator AS operator, e.suite AS suite,
  e.model AS model, coalesce(e.released, 'unstated') AS released, coalesce(e.note, 'none') AS note
ORDER BY thing
