// title: Machine-written sources
// question: Which sources were written by a machine, in whole or in part, and what do they cite?
// columns:
// - {name: source, type: id}
// - {name: label, type: text}
// - {name: machine_written, type: text}
// - {name: written_by, type: id}
// - {name: publisher, type: id}
// - {name: cited, type: id}
// example: {}
MATCH (t:Source)
WHERE t.machine_written IN ['yes', 'partly']
OPTIONAL MATCH (t)-[:CITES]->(o)
RETURN DISTINCT t.uid AS source, coalesce(t.label, 'unstated') AS label,
  coalesce(t.machine_written, 'no') AS machine_written, t.written_by AS written_by, t.publisher AS publisher,
  o.uid AS cited
ORDER BY source, coalesce(cited, '')
