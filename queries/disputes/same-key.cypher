// title: Different values for one thing
// question: For which subject, metric and normaliser do claims give different values?
// parameters:
// - {name: metric, type: metric, default: null, example: memory-bandwidth}
// columns:
// - {name: statement_key, type: text}
// - {name: claim, type: id}
// - {name: subject, type: id}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {metric: memory-bandwidth}
MATCH (c:Claim)-[:OF_STATEMENT]->(k:Statement)<-[:OF_STATEMENT]-(o:Claim)
WHERE c.canonical_value <> o.canonical_value AND (size($metric) = 0 OR c.metric IN $metric)
MATCH (c)-[:SUBJECT]->(s)
RETURN DISTINCT c.statement_key AS statement_key, c.uid AS claim, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, 'unstated') AS printed, c.canonical_value AS canonical_value,
  coalesce(c.canonical_unit, 'none') AS canonical_unit, coalesce(c.conditions_text, 'unstated') AS conditions,
  c.asserted_by AS asserted_by, c.source AS source, coalesce(c.use, 'unstated') AS `use`
ORDER BY statement_key, claim, subject
