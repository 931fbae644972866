// title: The figure of a claim
// question: What is printed, where, in which unit, and which values does it stand for?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: subject_printed, type: text}
// - {name: baseline, type: id}
// - {name: baseline_label, type: text}
// - {name: baseline_level, type: text}
// - {name: baseline_printed, type: text}
// - {name: baseline_status, type: text}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: hedge, type: text}
// - {name: shape, type: text}
// - {name: exact, type: boolean}
// - {name: term, type: id}
// - {name: date, type: text}
// - {name: absent, type: boolean}
// - {name: canonical_value, type: number}
// - {name: canonical_lower, type: number}
// - {name: canonical_upper, type: number}
// - {name: canonical_unit, type: text}
// - {name: quantity_kind, type: text}
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
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(t:Source)
OPTIONAL MATCH (c)-[:BASELINE]->(b)
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  coalesce(c.subject_printed, 'unstated') AS subject_printed, c.baseline AS baseline,
  coalesce(b.label, 'unstated') AS baseline_label, coalesce(c.baseline_level, 'unstated') AS baseline_level,
  coalesce(c.baseline_printed, 'unstated') AS baseline_printed,
  coalesce(c.baseline_status, 'unstated') AS baseline_status, coalesce(c.printed, c.cue, 'unstated') AS printed,
  c.unit AS unit, coalesce(c.hedge, 'none') AS hedge, coalesce(c.shape, 'none') AS shape, c.exact AS exact,
  c.term AS term, coalesce(c.`date`, 'none') AS `date`, c.absent AS absent, c.canonical_value AS canonical_value,
  c.canonical_lower AS canonical_lower, c.canonical_upper AS canonical_upper,
  coalesce(c.canonical_unit, 'none') AS canonical_unit, coalesce(c.quantity_kind, 'none') AS quantity_kind,
  coalesce(p.document, 'unstated') AS document, coalesce(p.sha256, t.sha256, 'none') AS sha256, p.`start` AS `start`,
  p.`end` AS `end`, coalesce(p.`table`, 'none') AS `table`, coalesce(p.`row`, 'none') AS `row`,
  coalesce(p.`column`, 'none') AS `column`, coalesce(p.pointer, 'none') AS pointer, coalesce(p.sheet, 'none') AS sheet,
  coalesce(p.cell, 'none') AS cell, coalesce(p.locator, 'none') AS locator
ORDER BY claim, subject
