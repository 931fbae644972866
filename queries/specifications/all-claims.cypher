// title: Every claim about a thing
// question: What is stated about this thing, of any kind?
// parameters:
// - {name: thing, type: name, example: GB200 NVL72}
// - {name: kind, type: text, default: null, example: measurement}
// columns:
// - {name: kind, type: text}
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: match, type: text}
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
// example: {thing: GB200 NVL72}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})
OPTIONAL MATCH (n)-[:COVERS]->(s)<-[:SUBJECT]-(c:Claim)
OPTIONAL MATCH (n)-[named:NAMES]->(s)
WITH s, c, named
WHERE c.uid IS NOT NULL AND (size($kind) = 0 OR c.kind IN $kind)
RETURN DISTINCT c.kind AS kind, c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  CASE WHEN named IS NULL THEN 'family' ELSE 'named' END AS `match`, c.level AS level, c.metric AS metric,
  coalesce(c.statistic, 'unstated') AS statistic, coalesce(c.normaliser, 'unstated') AS normaliser,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.hedge, 'none') AS hedge, c.unit AS unit,
  c.canonical_value AS canonical_value, coalesce(c.canonical_unit, 'none') AS canonical_unit, c.modality AS modality,
  coalesce(c.conditions_text, 'unstated') AS conditions, c.asserted_by AS asserted_by, c.source AS source,
  coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`
ORDER BY kind, subject, claim
