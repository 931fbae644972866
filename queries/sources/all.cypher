// title: All sources
// question: Which documents, data sets and cited things are known, who publishes them and who wrote them?
// columns:
// - {name: source, type: id}
// - {name: label, type: text}
// - {name: kind, type: text}
// - {name: form, type: text}
// - {name: publisher, type: id}
// - {name: published, type: text}
// - {name: machine_written, type: text}
// - {name: document, type: text}
// example: {}
MATCH (t:Source)
WHERE t.kind IS NOT NULL
RETURN DISTINCT t.uid AS source, coalesce(t.label, 'unstated') AS label, coalesce(t.kind, 'unstated') AS kind,
  coalesce(t.form, 'unstated') AS form, t.publisher AS publisher, coalesce(t.published, 'unstated') AS published,
  coalesce(t.machine_written, 'no') AS machine_written, coalesce(t.document, 'none') AS document
ORDER BY kind, source
