// title: Claims without a figure
// question: Which claims give no figure, only a direction?
// parameters:
// - {name: source, type: id, example: source/000}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: level, type: text}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: direction, type: text}
// - {name: polarity, type: text}
// - {name: modality, type: text}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: said_on, type: text}
// - {name: use, type: text}
// example: {source: source/000}
UNWIND $source AS text
MATCH (t:Source {uid: text})
OPTIONAL MATCH (t)<-[:STATED_IN]-(c:Claim)-[:SUBJECT]->(s)
WITH c, s
WHERE c.uid IS NOT NULL AND c.quantity_form IS NULL
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label, c.level AS level,
  c.metric AS metric, coalesce(c.cue, 'unstated') AS printed, coalesce(c.direction, 'unstated') AS direction,
  coalesce(c.polarity, 'affirmed') AS polarity, c.modality AS modality,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`
ORDER BY claim, subject
