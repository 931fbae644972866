// title: A source
// question: What is known of this source?
// parameters:
// - {name: source, type: list-of-id, example: source/000}
// columns:
// - {name: source, type: id}
// - {name: label, type: text}
// - {name: kind, type: text}
// - {name: form, type: text}
// - {name: document, type: text}
// - {name: sha256, type: text}
// - {name: bytes, type: integer}
// - {name: code_points, type: integer}
// - {name: publisher, type: id}
// - {name: published, type: text}
// - {name: published_basis, type: text}
// - {name: machine_written, type: text}
// - {name: written_by, type: id}
// - {name: resolved_to, type: id}
// - {name: licence, type: text}
// - {name: note, type: text}
// example: {source: source/000}
UNWIND $source AS source
MATCH (t:Source|Entity {uid: source})
WHERE t.kind IS NOT NULL
RETURN DISTINCT t.uid AS source, coalesce(t.label, 'unstated') AS label, coalesce(t.kind, 'unstated') AS kind,
  coalesce(t.form, 'unstated') AS form, coalesce(t.document, 'none') AS document,
  coalesce(t.sha256, 'none') AS sha256, t.bytes AS bytes, t.code_points AS code_points, t.publisher AS publisher,
  coalesce(t.published, 'unstated') AS published, coalesce(t.published_basis, 'unstated') AS published_basis,
  coalesce(t.machine_written, 'no') AS machine_written, t.written_by AS written_by, t.resolved_to AS resolved_to,
  coalesce(t.licence, 'unstated') AS licence, coalesce(t.note, 'none') AS note
ORDER BY source
