// title: Claims of a source
// question: Which claims stand in this source, in the order of the text?
// parameters:
// - {name: source, type: id, example: source/000}
// columns:
// - {name: claim, type: id}
// - {name: kind, type: text}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: canonical_value, type: number}
// - {name: statement, type: text}
// - {name: asserted_by, type: id}
// - {name: said_on, type: text}
// - {name: start, type: integer}
// - {name: end, type: integer}
// - {name: use, type: text}
// example: {source: source/000}
UNWIND $source AS source
MATCH (t:Source {uid: source})
OPTIONAL MATCH (t)<-[:STATED_IN]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
WITH c, s, p
WHERE c.uid IS NOT NULL
RETURN DISTINCT c.uid AS claim, c.kind AS kind, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.metric AS metric, coalesce(c.printed, c.cue, 'unstated') AS printed, c.unit AS unit,
  c.canonical_value AS canonical_value, coalesce(c.statement, 'unstated') AS statement, c.asserted_by AS asserted_by,
  coalesce(c.said_on, 'unstated') AS said_on, p.`start` AS `start`, p.`end` AS `end`,
  coalesce(c.use, 'unstated') AS `use`
ORDER BY coalesce(`start`, -1), claim, subject
