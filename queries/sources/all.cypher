MATCH (t:Source)
WHERE t.kind IS NOT NULL
RETURN DISTINCT
  t.uid AS source,
  t.label AS label,
  t.kind AS kind,
  t.form AS form,
  t.publisher AS publisher,
  t.published AS published,
  coalesce(t.machine_written, 'no') AS machine_written,
  t.document AS document
