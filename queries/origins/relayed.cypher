// title: Relayed claims and what changed
// question: Which claims repeat another claim or source, and what did the repetition change?
// parameters:
// - {name: fidelity, type: text, default: null, example: condition-dropped}
// columns:
// - {name: claim, type: id}
// - {name: fidelity, type: text}
// - {name: repeats, type: id}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// example: {fidelity: condition-dropped}
MATCH (r:Restatement)<-[:HAS_RESTATEMENT]-(c:Claim)-[:SUBJECT]->(s)
WHERE (size($fidelity) = 0 OR r.fidelity IN $fidelity)
RETURN DISTINCT c.uid AS claim, r.fidelity AS fidelity, coalesce(r.claim, r.source) AS repeats, s.uid AS subject,
  coalesce(s.label, 'unstated') AS subject_label, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.asserted_by AS asserted_by, c.source AS source
ORDER BY fidelity, claim, repeats, subject
