// title: Inputs of a derivation
// question: Which claims and constants went into the figure of this claim?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: derivation, type: id}
// - {name: input, type: text}
// - {name: input_claim, type: id}
// - {name: role, type: text}
// - {name: constant, type: number}
// - {name: constant_unit, type: text}
// - {name: why, type: text}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: hedge, type: text}
// - {name: modality, type: text}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: input_source, type: id}
// - {name: use, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:COMPUTED_BY]->(d:Derivation)-[:HAS_USAGE]->(n:Usage)
OPTIONAL MATCH (n)-[:USED]->(i:Claim)
WITH c, d, n, i
WHERE n.uid IS NOT NULL
RETURN DISTINCT c.uid AS claim, d.uid AS derivation, coalesce(n.name, 'unstated') AS input, n.claim AS input_claim,
  coalesce(n.role, 'none') AS role, n.constant AS constant, coalesce(n.unit, 'none') AS constant_unit,
  coalesce(n.why, 'none') AS why, coalesce(i.printed, i.cue, 'none') AS printed, i.unit AS unit,
  coalesce(i.hedge, 'none') AS hedge, coalesce(i.modality, 'stated') AS modality,
  i.canonical_value AS canonical_value, coalesce(i.canonical_unit, 'none') AS canonical_unit,
  i.source AS input_source, coalesce(i.use, 'none') AS `use`
ORDER BY claim, input, derivation
