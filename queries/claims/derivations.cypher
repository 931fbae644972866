// title: Derivations of a claim
// question: How was the figure of this claim computed, as the text says or as rebuilt?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: derivation, type: id}
// - {name: expression, type: text}
// - {name: stated_by_text, type: boolean}
// - {name: variant, type: text}
// - {name: note, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)-[:COMPUTED_BY]->(x:Derivation)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (d:Derivation {uid: id})
RETURN DISTINCT claim, d.uid AS derivation, coalesce(d.expression, 'unstated') AS expression,
  d.stated_by_text AS stated_by_text, coalesce(d.variant, 'none') AS variant, coalesce(d.note, 'none') AS note
ORDER BY claim, derivation
