// title: Empty cells and announced gaps
// question: Where does a text leave a cell empty, say "unknown", or announce something that is not there?
// columns:
// - {name: claim, type: id}
// - {name: gap, type: text}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: source, type: id}
// - {name: table, type: text}
// - {name: row, type: text}
// - {name: column, type: text}
// example: {}
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.absent
MATCH (c)-[:ANCHORED_AT]->(p:Passage)
RETURN c.uid AS claim, 'empty cell' AS gap, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.metric AS metric, coalesce(c.printed, c.cue, 'unstated') AS printed,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.source AS source, coalesce(p.`table`, 'none') AS `table`, coalesce(p.`row`, 'none') AS `row`,
  coalesce(p.`column`, 'none') AS `column`
UNION
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.direction = 'absent'
MATCH (c)-[:ANCHORED_AT]->(p:Passage)
RETURN c.uid AS claim, 'said to be absent' AS gap, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.metric AS metric, coalesce(c.printed, c.cue, 'unstated') AS printed,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.source AS source, coalesce(p.`table`, 'none') AS `table`, coalesce(p.`row`, 'none') AS `row`,
  coalesce(p.`column`, 'none') AS `column`
//ORDER gap, claim, subject
