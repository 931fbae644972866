// title: Mixture of experts against dense models
// question: Which claims set a mixture-of-experts model (or the class) against a dense one?
// columns:
// - {name: claim, type: id}
// - {name: orientation, type: text}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: baseline, type: id}
// - {name: baseline_label, type: text}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: canonical_value, type: number}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {}
MATCH (s:Entity)<-[:SUBJECT]-(c:Claim)-[:BASELINE]->(b:Entity)
WHERE (s.kind = 'moe-model' AND b.kind = 'dense-model') OR (s.kind = 'dense-model' AND b.kind = 'moe-model')
RETURN DISTINCT c.uid AS claim,
  CASE s.kind WHEN 'moe-model' THEN 'moe-against-dense' ELSE 'dense-against-moe' END AS orientation,
  s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label, b.uid AS baseline,
  coalesce(b.label, 'unstated') AS baseline_label, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.canonical_value AS canonical_value,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source, coalesce(c.use, 'unstated') AS `use`
ORDER BY orientation, claim, subject
