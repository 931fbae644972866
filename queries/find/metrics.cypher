UNWIND $text AS text
MATCH (m:Metric)
WHERE toLower(m.label) CONTAINS text OR toLower(m.definition) CONTAINS text OR text = ''
RETURN DISTINCT
  m.uid AS metric,
  m.label AS label,
  m.definition AS definition,
  m.better AS better
