// title: Claims that compare two things
// question: Which claims compare A with B, in either direction, by how much, and who says so?
// parameters:
// - {name: a, type: name, example: GB200, about: a name covers its family; an id or =name does not}
// - {name: b, type: name, example: H200}
// columns:
// - {name: claim, type: id}
// - {name: orientation, type: text}
// - {name: kind, type: text}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: subject_printed, type: text}
// - {name: subject_match, type: text}
// - {name: level, type: text}
// - {name: baseline, type: id}
// - {name: baseline_label, type: text}
// - {name: baseline_printed, type: text}
// - {name: baseline_match, type: text}
// - {name: baseline_level, type: text}
// - {name: metric, type: id}
// - {name: better, type: text}
// - {name: statistic, type: text}
// - {name: normaliser, type: text}
// - {name: relation, type: text}
// - {name: reading, type: text}
// - {name: alternatives, type: text}
// - {name: printed, type: text}
// - {name: hedge, type: text}
// - {name: modality, type: text}
// - {name: polarity, type: text}
// - {name: direction, type: text}
// - {name: ratio, type: number}
// - {name: ratio_lower, type: number}
// - {name: ratio_upper, type: number}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: baseline_conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: asserted_by_label, type: text}
// - {name: path, type: text}
// - {name: source, type: id}
// - {name: source_label, type: text}
// - {name: said_on, type: text}
// - {name: document, type: text}
// - {name: sha256, type: text}
// - {name: start, type: integer}
// - {name: end, type: integer}
// - {name: table, type: text}
// - {name: row, type: text}
// - {name: column, type: text}
// - {name: pointer, type: text}
// - {name: sheet, type: text}
// - {name: cell, type: text}
// - {name: locator, type: text}
// - {name: use, type: text}
// - {name: use_reason, type: text}
// - {name: use_value, type: text}
// example: {a: GB200, b: H200}
UNWIND $a AS first
UNWIND $b AS second
MATCH (x:Name {uid: 'name/' + first})
MATCH (y:Name {uid: 'name/' + second})
OPTIONAL MATCH (x)-[:COVERS]->(s)<-[:SUBJECT]-(k:Claim)-[:BASELINE]->(b)
OPTIONAL MATCH (y)-[also:COVERS]->(b)
OPTIONAL MATCH (x)-[n:NAMES]->(s)
OPTIONAL MATCH (y)-[o:NAMES]->(b)
WITH k.uid AS id, s.uid AS subject, s.label AS its_label, CASE WHEN n IS NULL THEN 'family' ELSE 'named' END AS its_match,
  b.uid AS baseline, b.label AS other_label, also, CASE WHEN o IS NULL THEN 'family' ELSE 'named' END AS other_match
WHERE id IS NOT NULL AND also IS NOT NULL
MATCH (c:Claim {uid: id})
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (c)-[:STATED_IN]->(t)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(q:Source)
RETURN c.uid AS claim, 'a-against-b' AS orientation, c.kind AS kind, subject,
  coalesce(its_label, 'unstated') AS subject_label, coalesce(c.subject_printed, 'unstated') AS subject_printed,
  its_match AS subject_match, c.level AS level, baseline,
  coalesce(other_label, 'unstated') AS baseline_label, coalesce(c.baseline_printed, 'unstated') AS baseline_printed,
  other_match AS baseline_match,
  coalesce(c.baseline_level, 'unstated') AS baseline_level, c.metric AS metric,
  coalesce(m.better, 'unstated') AS better, coalesce(c.statistic, 'unstated') AS statistic,
  coalesce(c.normaliser, 'unstated') AS normaliser, c.relation AS relation,
  coalesce(c.reading, 'unstated') AS reading, coalesce(c.alternatives_text, 'none') AS alternatives,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.hedge, 'none') AS hedge, c.modality AS modality,
  coalesce(c.polarity, 'affirmed') AS polarity, coalesce(c.direction, 'unstated') AS direction,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_value ELSE null END AS ratio,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_lower ELSE null END AS ratio_lower,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_upper ELSE null END AS ratio_upper,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  coalesce(c.baseline_conditions_text, 'unstated') AS baseline_conditions, c.asserted_by AS asserted_by,
  coalesce(a.label, 'unstated') AS asserted_by_label, coalesce(c.path_text, 'unstated') AS path, c.source AS source,
  coalesce(t.label, 'unstated') AS source_label, coalesce(c.said_on, 'unstated') AS said_on,
  coalesce(p.document, 'unstated') AS document, coalesce(p.sha256, q.sha256, 'none') AS sha256, p.`start` AS `start`, p.`end` AS `end`,
  coalesce(p.`table`, 'none') AS `table`, coalesce(p.`row`, 'none') AS `row`, coalesce(p.`column`, 'none') AS `column`,
  coalesce(p.pointer, 'none') AS pointer, coalesce(p.sheet, 'none') AS sheet, coalesce(p.cell, 'none') AS cell,
  coalesce(p.locator, 'none') AS locator,
  coalesce(c.use, 'unstated') AS `use`, coalesce(c.use_reason, 'unstated') AS use_reason,
  coalesce(c.use_value, 'unstated') AS use_value
UNION
UNWIND $b AS first
UNWIND $a AS second
MATCH (x:Name {uid: 'name/' + first})
MATCH (y:Name {uid: 'name/' + second})
OPTIONAL MATCH (x)-[:COVERS]->(s)<-[:SUBJECT]-(k:Claim)-[:BASELINE]->(b)
OPTIONAL MATCH (y)-[also:COVERS]->(b)
OPTIONAL MATCH (x)-[n:NAMES]->(s)
OPTIONAL MATCH (y)-[o:NAMES]->(b)
WITH k.uid AS id, s.uid AS subject, s.label AS its_label, CASE WHEN n IS NULL THEN 'family' ELSE 'named' END AS its_match,
  b.uid AS baseline, b.label AS other_label, also, CASE WHEN o IS NULL THEN 'family' ELSE 'named' END AS other_match
WHERE id IS NOT NULL AND also IS NOT NULL
MATCH (c:Claim {uid: id})
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (c)-[:STATED_IN]->(t)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(q:Source)
RETURN c.uid AS claim, 'b-against-a' AS orientation, c.kind AS kind, subject,
  coalesce(its_label, 'unstated') AS subject_label, coalesce(c.subject_printed, 'unstated') AS subject_printed,
  its_match AS subject_match, c.level AS level, baseline,
  coalesce(other_label, 'unstated') AS baseline_label, coalesce(c.baseline_printed, 'unstated') AS baseline_printed,
  other_match AS baseline_match,
  coalesce(c.baseline_level, 'unstated') AS baseline_level, c.metric AS metric,
  coalesce(m.better, 'unstated') AS better, coalesce(c.statistic, 'unstated') AS statistic,
  coalesce(c.normaliser, 'unstated') AS normaliser, c.relation AS relation,
  coalesce(c.reading, 'unstated') AS reading, coalesce(c.alternatives_text, 'none') AS alternatives,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.hedge, 'none') AS hedge, c.modality AS modality,
  coalesce(c.polarity, 'affirmed') AS polarity, coalesce(c.direction, 'unstated') AS direction,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_value ELSE null END AS ratio,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_lower ELSE null END AS ratio_lower,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_upper ELSE null END AS ratio_upper,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  coalesce(c.baseline_conditions_text, 'unstated') AS baseline_conditions, c.asserted_by AS asserted_by,
  coalesce(a.label, 'unstated') AS asserted_by_label, coalesce(c.path_text, 'unstated') AS path, c.source AS source,
  coalesce(t.label, 'unstated') AS source_label, coalesce(c.said_on, 'unstated') AS said_on,
  coalesce(p.document, 'unstated') AS document, coalesce(p.sha256, q.sha256, 'none') AS sha256, p.`start` AS `start`, p.`end` AS `end`,
  coalesce(p.`table`, 'none') AS `table`, coalesce(p.`row`, 'none') AS `row`, coalesce(p.`column`, 'none') AS `column`,
  coalesce(p.pointer, 'none') AS pointer, coalesce(p.sheet, 'none') AS sheet, coalesce(p.cell, 'none') AS cell,
  coalesce(p.locator, 'none') AS locator,
  coalesce(c.use, 'unstated') AS `use`, coalesce(c.use_reason, 'unstated') AS use_reason,
  coalesce(c.use_value, 'unstated') AS use_value
//ORDER orientation, metric, subject, baseline, claim
