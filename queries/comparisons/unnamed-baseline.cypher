// title: Comparisons whose other side is not named
// question: Which claims compare with something that the text only implies or leaves out?
// parameters:
// - {name: status, type: text, default: unstated, about: unstated or implied}
// columns:
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: baseline, type: id}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// example: {status: unstated}
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE (size($status) = 0 OR c.baseline_status IN $status)
RETURN DISTINCT c.uid AS claim, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.baseline AS baseline, c.metric AS metric, coalesce(c.printed, c.cue, 'unstated') AS printed,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source
ORDER BY claim, subject
