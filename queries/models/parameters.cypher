// title: Parameters of models
// question: How many parameters, in total and active, does each text give each model?
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: model_kind, type: text}
// - {name: statistic, type: text}
// - {name: printed, type: text}
// - {name: hedge, type: text}
// - {name: canonical_value, type: number}
// - {name: modality, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {}
MATCH (m:Metric {uid: 'metric/parameters'})<-[:MEASURES]-(c:Claim)-[:SUBJECT]->(s)
WHERE s.kind IS NOT NULL
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  s.kind AS model_kind, coalesce(c.statistic, 'unstated') AS statistic,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.hedge, 'none') AS hedge,
  c.canonical_value AS canonical_value, c.modality AS modality, c.asserted_by AS asserted_by, c.source AS source,
  coalesce(c.use, 'unstated') AS `use`
ORDER BY subject, claim
