// title: A metric
// question: What does this metric measure, and which way is better?
// parameters:
// - {name: metric, type: metric, example: throughput}
// columns:
// - {name: metric, type: id}
// - {name: label, type: text}
// - {name: definition, type: text}
// - {name: better, type: text}
// example: {metric: throughput}
UNWIND $metric AS metric
MATCH (m:Metric {uid: metric})
WHERE m.label IS NOT NULL
RETURN DISTINCT m.uid AS metric, m.label AS label, coalesce(m.definition, 'unstated') AS definition,
  coalesce(m.better, 'unstated') AS better
ORDER BY metric
