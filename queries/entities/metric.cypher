UNWIND $metric AS metric
MATCH (m:Metric {uid: metric})
WHERE m.label IS NOT NULL
RETURN DISTINCT
  m.uid AS metric,
  m.label AS label,
  m.definition AS definition,
  m.better AS better
