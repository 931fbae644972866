MATCH (m:Metric)
WHERE m.data_sheet IS NOT NULL
RETURN DISTINCT
  m.data_sheet AS place,
  m.uid AS metric,
  m.label AS label
