// title: Results whose accelerator count is a mean
// question: Which results are averages over submissions, so that their accelerator count is a mean and no system?
// parameters:
// - {name: benchmark, type: id, default: benchmark/mlperf-inference}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: accelerators_mean, type: number}
// - {name: metric, type: id}
// - {name: statistic, type: text}
// - {name: normaliser, type: text}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: canonical_value, type: number}
// - {name: conditions, type: text}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {}
MATCH (u:Conditions)<-[:UNDER]-(c:Claim)-[:SUBJECT]->(s)
WHERE u.accelerators_mean IS NOT NULL AND u.benchmark IS NOT NULL
UNWIND u.accelerators_mean AS mean
UNWIND u.benchmark AS suite
WITH c, s, mean, suite
WHERE (size($benchmark) = 0 OR suite IN $benchmark)
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  mean AS accelerators_mean, c.metric AS metric, coalesce(c.statistic, 'unstated') AS statistic,
  coalesce(c.normaliser, 'unstated') AS normaliser, coalesce(c.printed, c.cue, 'unstated') AS printed,
  c.unit AS unit, c.canonical_value AS canonical_value, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.source AS source, coalesce(c.use, 'unstated') AS `use`
ORDER BY subject, claim
