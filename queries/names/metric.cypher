UNWIND $key AS key
MATCH (m:Metric)
WHERE key IN m.keys
RETURN DISTINCT
  m.uid AS metric
