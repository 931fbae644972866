// title: A claim
// question: What does this claim say, about what, who says it, and can it be used?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: kind, type: text}
// - {name: level, type: text}
// - {name: metric, type: id}
// - {name: statistic, type: text}
// - {name: normaliser, type: text}
// - {name: relation, type: text}
// - {name: reading, type: text}
// - {name: alternatives, type: text}
// - {name: modality, type: text}
// - {name: polarity, type: text}
// - {name: direction, type: text}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: baseline_conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: attributed_to, type: id}
// - {name: path, type: text}
// - {name: source, type: id}
// - {name: said_on, type: text}
// - {name: said_on_basis, type: text}
// - {name: as_of, type: text}
// - {name: utterance, type: text}
// - {name: same_as, type: id}
// - {name: note, type: text}
// - {name: use, type: text}
// - {name: use_reason, type: text}
// - {name: use_value, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
WHERE c.kind IS NOT NULL
RETURN DISTINCT c.uid AS claim, c.kind AS kind, c.level AS level, c.metric AS metric,
  coalesce(c.statistic, 'unstated') AS statistic, coalesce(c.normaliser, 'unstated') AS normaliser,
  c.relation AS relation, coalesce(c.reading, 'unstated') AS reading,
  coalesce(c.alternatives_text, 'none') AS alternatives, c.modality AS modality,
  coalesce(c.polarity, 'affirmed') AS polarity, coalesce(c.direction, 'unstated') AS direction,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  coalesce(c.baseline_conditions_text, 'unstated') AS baseline_conditions, c.asserted_by AS asserted_by,
  c.attributed_to AS attributed_to, coalesce(c.path_text, 'unstated') AS path, c.source AS source,
  coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.said_on_basis, 'unstated') AS said_on_basis,
  coalesce(c.as_of, 'unstated') AS as_of, coalesce(c.utterance, 'none') AS utterance, c.same_as AS same_as,
  coalesce(c.note, 'none') AS note, coalesce(c.use, 'unstated') AS `use`,
  coalesce(c.use_reason, 'unstated') AS use_reason, coalesce(c.use_value, 'none') AS use_value
ORDER BY claim
