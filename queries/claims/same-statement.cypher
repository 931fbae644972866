// title: Other claims about the same thing
// question: Which other claims have the same subject, level, metric, normaliser and baseline?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: other, type: id}
// - {name: printed, type: text}
// - {name: unit, type: id}
// - {name: hedge, type: text}
// - {name: modality, type: text}
// - {name: canonical_value, type: number}
// - {name: canonical_unit, type: text}
// - {name: conditions, type: text}
// - {name: asserted_by, type: id}
// - {name: source, type: id}
// - {name: said_on, type: text}
// - {name: use, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (o:Claim {uid: claim})
OPTIONAL MATCH (o)-[:OF_STATEMENT]->(k:Statement)
OPTIONAL MATCH (k)<-[:OF_STATEMENT]-(c:Claim)
WITH o, c
WHERE c.uid <> o.uid
RETURN DISTINCT o.uid AS claim, c.uid AS other, coalesce(c.printed, c.cue, 'unstated') AS printed, c.unit AS unit,
  coalesce(c.hedge, 'none') AS hedge, coalesce(c.modality, 'stated') AS modality,
  c.canonical_value AS canonical_value, coalesce(c.canonical_unit, 'none') AS canonical_unit,
  coalesce(c.conditions_text, 'unstated') AS conditions, c.asserted_by AS asserted_by, c.source AS source,
  coalesce(c.said_on, 'unstated') AS said_on, coalesce(c.use, 'unstated') AS `use`
ORDER BY claim, other
