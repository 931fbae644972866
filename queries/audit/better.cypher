MATCH (m:Metric)
WHERE m.better IS NOT NULL
RETURN DISTINCT
  m.uid AS metric,
  m.better AS better
