// title: Power
// question: How much power is drawn or allowed, at which level?
// parameters:
// - {name: metric, type: list-of-metric, default: [power]}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: level, type: text}
// - {name: metric, type: id}
// - {name: statistic, type: text}
// - {name: normaliser, type: text}
// - {name: printed, type: text}
// - {name: hedge, type: text}
// - {name: unit, type: id}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: modality, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: said_on, type: text}
// - {name: use, type: text}
// example: {}
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE (size($metric) = 0 OR c.metric IN $metric)
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label, c.level AS level,
  c.metric AS metric, coalesce(c.statistic, 'unstated') AS statistic,
  coalesce(c.normaliser, 'unstated') AS normaliser, coalesce(c.printed, c.cue, 'unstated') AS printed,
  coalesce(c.hedge, 'none') AS hedge, c.unit AS unit, c.canonical_value AS canonical_value,
  coalesce(c.canonical_unit, 'none') AS canonical_unit, c.modality AS modality,
  coalesce(c.conditions_text, 'unstated') AS conditions, c.asserted_by AS asserted_by, c.source AS source,
  coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`
ORDER BY metric, subject, claim
