// title: Findings in full
// question: Which findings are there, of these codes, severities and sources?
// parameters:
// - {name: severity, type: list-of-text, default: null, example: [violation, warning]}
// - {name: code, type: list-of-text, default: null, example: [arithmetic.inconsistent]}
// - {name: source, type: list-of-id, default: null, example: [source/002]}
// - {name: finding, type: list-of-id, default: null, example: [finding/002/r1.gb200.offline.per-accelerator/arithmetic.inconsistent-1]}
// columns:
// - {name: finding, type: id}
// - {name: code, type: text}
// - {name: severity, type: text}
// - {name: verdict, type: text}
// - {name: claim, type: id}
// - {name: source, type: id}
// - {name: derivation, type: id}
// - {name: message, type: text}
// - {name: basis, type: text}
// - {name: reference, type: text}
// - {name: computed_value, type: number}
// - {name: computed_unit, type: text}
// - {name: corrected_value, type: number}
// - {name: corrected_unit, type: text}
// example: {severity: [violation]}
MATCH (f:Finding)
WHERE (size($severity) = 0 OR f.severity IN $severity) AND (size($code) = 0 OR f.code IN $code) AND (size($finding) = 0 OR f.uid IN $finding)
OPTIONAL MATCH (f)-[:ABOUT]->(c:Claim)
WITH f, coalesce(c.source, f.about) AS about
WHERE (size($source) = 0 OR about IN $source)
RETURN DISTINCT f.uid AS finding, f.code AS code, f.severity AS severity, coalesce(f.verdict, 'unstated') AS verdict,
  f.about AS claim, about AS source, f.derivation AS derivation, coalesce(f.message, 'unstated') AS message,
  coalesce(f.basis, 'document') AS basis, coalesce(f.reference, 'none') AS reference,
  f.computed_value AS computed_value, coalesce(f.computed_unit, 'none') AS computed_unit,
  f.corrected_value AS corrected_value, coalesce(f.corrected_unit, 'none') AS corrected_unit
ORDER BY severity, code, finding, claim
