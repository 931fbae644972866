// title: Metrics by a part of their name
// question: Which metrics have this text in their name or definition?
// parameters:
// - {name: text, type: text, example: bandwidth, about: in lower case}
// columns:
// - {name: metric, type: id}
// - {name: label, type: text}
// - {name: definition, type: text}
// - {name: better, type: text}
// example: {text: bandwidth}
UNWIND $text AS text
MATCH (m:Metric)
WHERE toLower(m.label) CONTAINS text OR toLower(m.definition) CONTAINS text OR text = ''
RETURN DISTINCT m.uid AS metric, m.label AS label, m.definition AS definition,
  coalesce(m.better, 'unstated') AS better
ORDER BY metric
