// title: Benchmark results
// question: Which results are stated for a benchmark, by task and scenario?
// parameters:
// - {name: benchmark, type: id, default: benchmark/mlperf-inference}
// - {name: task, type: id, default: null, example: task/mlperf-gptj-99}
// - {name: scenario, type: id, default: null, example: scenario/offline}
// - {name: metric, type: metric, default: null, example: throughput}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: level, type: text}
// - {name: task, type: id}
// - {name: scenario, type: id}
// - {name: metric, type: id}
// - {name: statistic, type: text}
// - {name: normaliser, type: text}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: canonical_value, type: number}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {task: task/mlperf-gptj-99, scenario: scenario/offline}
MATCH (u:Conditions)<-[:UNDER]-(c:Claim)-[:SUBJECT]->(s)
WHERE u.benchmark IS NOT NULL AND u.task IS NOT NULL AND u.scenario IS NOT NULL AND (size($metric) = 0 OR c.metric IN $metric)
UNWIND u.benchmark AS suite
UNWIND u.task AS job
UNWIND u.scenario AS way
WITH c, s, suite, job, way
WHERE (size($benchmark) = 0 OR suite IN $benchmark) AND (size($task) = 0 OR job IN $task) AND (size($scenario) = 0 OR way IN $scenario)
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label, c.level AS level,
  job AS task, way AS scenario, c.metric AS metric, coalesce(c.statistic, 'unstated') AS statistic,
  coalesce(c.normaliser, 'unstated') AS normaliser, coalesce(c.printed, c.cue, 'unstated') AS printed,
  c.unit AS unit, c.canonical_value AS canonical_value, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source, coalesce(c.use, 'unstated') AS `use`
ORDER BY task, scenario, subject, claim
