// title: Computations that cannot be checked
// question: Which computations could not be checked, and which input is missing?
// parameters:
// - {name: source, type: id, default: null, example: source/002}
// columns:
// - {name: finding, type: id}
// - {name: claim, type: id}
// - {name: source, type: id}
// - {name: printed, type: text}
// - {name: derivation, type: id}
// - {name: expression, type: text}
// - {name: message, type: text}
// example: {}
MATCH (f:Finding)-[:ABOUT]->(c:Claim)
WHERE f.verdict = 'not-checkable' AND (size($source) = 0 OR c.source IN $source)
OPTIONAL MATCH (f)-[:OF_DERIVATION]->(d:Derivation)
RETURN DISTINCT f.uid AS finding, c.uid AS claim, c.source AS source,
  coalesce(c.printed, c.cue, 'unstated') AS printed, f.derivation AS derivation,
  coalesce(d.expression, 'unstated') AS expression, coalesce(f.message, 'unstated') AS message
ORDER BY claim, finding
