// title: Findings about a claim
// question: What did the audit find about this claim, or about others with it in a role?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: role, type: text}
// - {name: finding, type: id}
// - {name: code, type: text}
// - {name: severity, type: text}
// - {name: verdict, type: text}
// - {name: about, type: id}
// - {name: derivation, type: id}
// - {name: message, type: text}
// - {name: basis, type: text}
// - {name: computed_value, type: number}
// - {name: computed_unit, type: text}
// - {name: corrected_value, type: number}
// - {name: corrected_unit, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)<-[:ABOUT]-(x:Finding)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (f:Finding {uid: id})
RETURN claim, 'about' AS role, f.uid AS finding, f.code AS code, f.severity AS severity,
  coalesce(f.verdict, 'unstated') AS verdict, f.about AS about, f.derivation AS derivation,
  coalesce(f.message, 'unstated') AS message, coalesce(f.basis, 'document') AS basis,
  f.computed_value AS computed_value, coalesce(f.computed_unit, 'none') AS computed_unit,
  f.corrected_value AS corrected_value, coalesce(f.corrected_unit, 'none') AS corrected_unit
UNION
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)<-[:INVOLVES]-(x:Role)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (r:Role {uid: id})
OPTIONAL MATCH (r)<-[:HAS_ROLE]-(x:Finding)
WITH DISTINCT claim, r.name AS role, x.uid AS id
WHERE id IS NOT NULL
MATCH (f:Finding {uid: id})
RETURN claim, role, f.uid AS finding, f.code AS code, f.severity AS severity,
  coalesce(f.verdict, 'unstated') AS verdict, f.about AS about, f.derivation AS derivation,
  coalesce(f.message, 'unstated') AS message, coalesce(f.basis, 'document') AS basis,
  f.computed_value AS computed_value, coalesce(f.computed_unit, 'none') AS computed_unit,
  f.corrected_value AS corrected_value, coalesce(f.corrected_unit, 'none') AS corrected_unit
//ORDER claim, role, finding, about
