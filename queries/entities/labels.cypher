// title: Labels of things
// question: What are these things called?
// parameters:
// - {name: thing, type: list-of-id, example: [org/nvidia]}
// columns:
// - {name: thing, type: id}
// - {name: label, type: text}
// example: {thing: [org/nvidia, source/000]}
UNWIND $thing AS thing
MATCH (e:Entity|Source|Metric|QuantityKind {uid: thing})
WHERE e.label IS NOT NULL
RETURN DISTINCT e.uid AS thing, e.label AS label
ORDER BY label, thing
