UNWIND $thing AS thing
MATCH (e:Entity|Source|Metric|QuantityKind {uid: thing})
WHERE e.label IS NOT NULL
RETURN DISTINCT
  e.uid AS thing,
  e.label AS label
