// title: Claims of a finding
// question: Which claims does this finding involve, in which role, and what do they print where?
// parameters:
// - {name: finding, type: list-of-id, example: [finding/002/r1.gb200.offline.per-accelerator/arithmetic.inconsistent-1]}
// columns:
// - {name: finding, type: id}
// - {name: role, type: text}
// - {name: claim, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: hedge, type: text}
// - {name: shape, type: text}
// - {name: canonical_value, type: number}
// - {name: canonical_lower, type: number}
// - {name: canonical_upper, type: number}
// - {name: canonical_unit, type: text}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: level, type: text}
// - {name: baseline, type: id}
// - {name: baseline_label, type: text}
// - {name: metric, type: id}
// - {name: statistic, type: text}
// - {name: normaliser, type: text}
// - {name: modality, type: text}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: speaker, type: text}
// - {name: source, type: id}
// - {name: said_on, type: text}
// - {name: document, type: text}
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
// example: {finding: [finding/002/r1.gb200.offline.per-accelerator/arithmetic.inconsistent-1]}
UNWIND $finding AS finding
MATCH (f:Finding {uid: finding})
OPTIONAL MATCH (f)-[:HAS_ROLE]->(r:Role)
WITH f, collect({role: r.name, claim: r.involves}) AS others
UNWIND [{role: 'about', claim: f.about}] + others AS part
MATCH (c:Claim {uid: part.claim})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
OPTIONAL MATCH (c)-[:BASELINE]->(b)
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
RETURN DISTINCT f.uid AS finding, part.role AS role, c.uid AS claim,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.unit AS unit, coalesce(c.hedge, 'none') AS hedge,
  coalesce(c.shape, 'none') AS shape, c.canonical_value AS canonical_value, c.canonical_lower AS canonical_lower,
  c.canonical_upper AS canonical_upper, coalesce(c.canonical_unit, 'none') AS canonical_unit, s.uid AS subject,
  coalesce(s.label, 'unstated') AS subject_label, coalesce(c.level, 'unstated') AS level,
  c.baseline AS baseline, coalesce(b.label, 'none') AS baseline_label, c.metric AS metric,
  coalesce(c.statistic, 'unstated') AS statistic, coalesce(c.normaliser, 'unstated') AS normaliser,
  coalesce(c.modality, 'stated') AS modality, coalesce(c.statement, 'none') AS statement,
  coalesce(c.conditions_text, 'unstated') AS conditions, c.asserted_by AS asserted_by,
  coalesce(a.label, 'unstated') AS speaker, c.source AS source, coalesce(c.said_on, 'unstated') AS said_on,
  coalesce(p.document, 'unstated') AS document, p.`start` AS `start`, p.`end` AS `end`,
  coalesce(p.`table`, 'none') AS `table`, coalesce(p.`row`, 'none') AS `row`, coalesce(p.`column`, 'none') AS `column`,
  coalesce(p.pointer, 'none') AS pointer, coalesce(p.sheet, 'none') AS sheet, coalesce(p.cell, 'none') AS cell,
  coalesce(p.locator, 'none') AS locator,
  coalesce(c.use, 'unstated') AS `use`
ORDER BY finding, role, claim, subject
