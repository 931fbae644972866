// title: Claims about a model or measured on it
// question: Which claims are about this model, or were measured with it?
// parameters:
// - {name: model, type: name, example: Llama 3.1 405B}
// columns:
// - {name: claim, type: id}
// - {name: role, type: text}
// - {name: subject, type: id}
// - {name: subject_label, type: text}
// - {name: metric, type: id}
// - {name: normaliser, type: text}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: canonical_value, type: number}
// - {name: statement, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {model: Llama 3.1 405B}
UNWIND $model AS model
MATCH (n:Name {uid: 'name/' + model})
OPTIONAL MATCH (n)-[:COVERS]->(m)<-[:SUBJECT]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, m
WHERE c.uid IS NOT NULL
RETURN c.uid AS claim, 'subject' AS role, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.metric AS metric, coalesce(c.normaliser, 'unstated') AS normaliser,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.unit AS unit, c.canonical_value AS canonical_value,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source, coalesce(c.use, 'unstated') AS `use`
UNION
UNWIND $model AS model
MATCH (n:Name {uid: 'name/' + model})
OPTIONAL MATCH (n)-[:COVERS]->(m)<-[:BASELINE]-(c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT]->(s)
WITH c, s, m
WHERE c.uid IS NOT NULL
RETURN c.uid AS claim, 'baseline' AS role, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.metric AS metric, coalesce(c.normaliser, 'unstated') AS normaliser,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.unit AS unit, c.canonical_value AS canonical_value,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source, coalesce(c.use, 'unstated') AS `use`
UNION
UNWIND $model AS model
MATCH (n:Name {uid: 'name/' + model})-[:COVERS]->(m)
MATCH (m)<-[:CONDITION {name: 'model'}]-(u:Conditions)<-[:UNDER]-(c:Claim)
MATCH (c)-[:SUBJECT]->(s)
RETURN c.uid AS claim, 'condition' AS role, s.uid AS subject, coalesce(s.label, 'unstated') AS subject_label,
  c.metric AS metric, coalesce(c.normaliser, 'unstated') AS normaliser,
  coalesce(c.printed, c.cue, 'unstated') AS printed, c.unit AS unit, c.canonical_value AS canonical_value,
  coalesce(c.statement, 'unstated') AS statement, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source, coalesce(c.use, 'unstated') AS `use`
//ORDER role, claim, subject
