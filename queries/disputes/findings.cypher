// title: Findings
// question: What did the audit find, by severity and code?
// parameters:
// - {name: severity, type: text, default: null, example: violation}
// - {name: code, type: text, default: null, example: arithmetic.inconsistent}
// columns:
// - {name: finding, type: id}
// - {name: code, type: text}
// - {name: severity, type: text}
// - {name: verdict, type: text}
// - {name: claim, type: id}
// - {name: message, type: text}
// - {name: basis, type: text}
// - {name: computed_value, type: number}
// - {name: computed_unit, type: text}
// - {name: corrected_value, type: number}
// - {name: corrected_unit, type: text}
// example: {severity: violation}
MATCH (f:Finding)
WHERE (size($severity) = 0 OR f.severity IN $severity) AND (size($code) = 0 OR f.code IN $code)
RETURN DISTINCT f.uid AS finding, f.code AS code, f.severity AS severity, coalesce(f.verdict, 'unstated') AS verdict,
  f.about AS claim, coalesce(f.message, 'unstated') AS message, coalesce(f.basis, 'document') AS basis,
  f.computed_value AS computed_value, coalesce(f.computed_unit, 'none') AS computed_unit,
  f.corrected_value AS corrected_value, coalesce(f.corrected_unit, 'none') AS corrected_unit
ORDER BY severity, code, finding, claim
