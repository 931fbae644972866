// title: Smallest ratios where less is better
// question: Which claims give the smallest ratio for a metric of which less is better, such as price or latency?
// parameters:
// - {name: metric, type: metric, default: null, example: training-speed}
// - {name: better, type: text, default: lower, about: which way the metric is better}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: level, type: text}
// - {name: baseline, type: id}
// - {name: baseline_label, type: text}
// - {name: metric, type: id}
// - {name: normaliser, type: text}
// - {name: printed, type: text}
// - {name: hedge, type: text}
// - {name: modality, type: text}
// - {name: ratio, type: number}
// - {name: reading, type: text}
// - {name: alternatives, type: text}
// - {name: conditions, type: text}
// - {name: baseline_conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: said_on, type: text}
// - {name: use, type: text}
// - {name: use_reason, type: text}
// example: {}
MATCH (m:Metric)<-[:MEASURES]-(c:Claim)-[:BASELINE]->(b)
WHERE c.quantity_kind = 'ratio' AND (size($metric) = 0 OR m.uid IN $metric) AND (size($better) = 0 OR m.better IN $better)
MATCH (c)-[:SUBJECT]->(s)
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label, c.level AS level,
  c.baseline AS baseline, coalesce(b.label, 'unstated') AS baseline_label, c.metric AS metric,
  coalesce(c.normaliser, 'unstated') AS normaliser, coalesce(c.printed, c.cue, 'unstated') AS printed,
  coalesce(c.hedge, 'none') AS hedge, coalesce(c.modality, 'stated') AS modality,
  c.canonical_value AS ratio, coalesce(c.reading, 'unstated') AS reading,
  coalesce(c.alternatives_text, 'none') AS alternatives, coalesce(c.conditions_text, 'unstated') AS conditions,
  coalesce(c.baseline_conditions_text, 'unstated') AS baseline_conditions, c.asserted_by AS asserted_by,
  c.source AS source, coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`,
  coalesce(c.use_reason, 'unstated') AS use_reason
ORDER BY ratio, claim, subject
