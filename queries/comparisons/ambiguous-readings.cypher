// title: Comparisons that can be read in two ways
// question: Which printed comparisons have more than one reading, such as "2.5x faster"?
// parameters:
// - {name: metric, type: metric, default: null, example: training-speed}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: baseline, type: id}
// - {name: metric, type: id}
// - {name: relation, type: text}
// - {name: printed, type: text}
// - {name: reading, type: text}
// - {name: alternative, type: text}
// - {name: canonical_value, type: number}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// example: {}
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.alternatives IS NOT NULL AND (size($metric) = 0 OR c.metric IN $metric)
UNWIND c.alternatives AS other
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.baseline AS baseline, c.metric AS metric, c.relation AS relation,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.reading, 'unstated') AS reading,
  other AS alternative, c.canonical_value AS canonical_value, c.asserted_by AS asserted_by, c.source AS source
ORDER BY claim, alternative, subject
