// title: Which way is better
// question: For each metric, is a higher or a lower figure the better one?
// columns:
// - {name: metric, type: id}
// - {name: better, type: text}
// example: {}
MATCH (m:Metric)
WHERE m.better IS NOT NULL
RETURN DISTINCT m.uid AS metric, m.better AS better
ORDER BY metric
