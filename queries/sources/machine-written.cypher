MATCH (t:Source)
WHERE t.machine_written IN ['yes', 'partly']
OPTIONAL MATCH (t)-[:CITES]->(o)
RETURN DISTINCT
  t.uid AS source,
  t.label AS label,
  coalesce(t.machine_written, 'no') AS machine_written,
  t.written_by AS written_by,
  t.publisher AS publisher,
  o.uid AS cited
