UNWIND $source AS source
MATCH (t:Source|Entity {uid: source})
WHERE t.kind IS NOT NULL
RETURN DISTINCT
  t.uid AS source,
  t.label AS label,
  t.kind AS kind,
  t.form AS form,
  t.document AS document,
  t.sha256 AS sha256,
  t.bytes AS bytes,
  t.code_points AS code_points,
  t.publisher AS publisher,
  t.published AS published,
  t.published_basis AS published_basis,
  coalesce(t.machine_written, 'no') AS machine_written,
  t.written_by AS written_by,
  t.resolved_to AS resolved_to,
  t.licence AS licence,
  t.note AS note
