// title: Wrong figures that others rest on
// question: Which figures do not recompute, what would be right, and how many claims rest on each?
// parameters:
// - {name: source, type: id, default: null, example: source/002}
// columns:
// - {name: claim, type: id}
// - {name: source, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: relation, type: text}
// - {name: corrected_value, type: number}
// - {name: corrected_unit, type: text}
// - {name: dependents, type: integer}
// example: {source: source/002}
MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.code = 'arithmetic.inconsistent' AND f.corrected_value IS NOT NULL AND (size($source) = 0 OR c.source IN $source)
OPTIONAL MATCH (c)<-[:REACHES]-(t:TraceStep)
RETURN DISTINCT c.uid AS claim, c.source AS source, coalesce(c.printed, 'unstated') AS printed, c.unit AS unit,
  coalesce(c.relation, 'absolute') AS relation,
  f.corrected_value AS corrected_value, coalesce(f.corrected_unit, 'none') AS corrected_unit,
  count(DISTINCT t.claim) AS dependents
ORDER BY dependents DESC, corrected_value, claim
