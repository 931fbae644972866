// title: Figures that cannot be compared
// question: Which figures have a unit that leaves no canonical value?
// parameters:
// - {name: source, type: id, default: null, example: source/000}
// columns:
// - {name: claim, type: id}
// - {name: source, type: id}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// example: {}
MATCH (c:Claim)
WHERE c.value IS NOT NULL AND c.canonical_value IS NULL AND (size($source) = 0 OR c.source IN $source)
RETURN DISTINCT c.uid AS claim, c.source AS source, c.metric AS metric, coalesce(c.printed, 'unstated') AS printed,
  c.unit AS unit
ORDER BY source, claim
