// What is read of a finding, column by column.
f.code AS code
f.severity AS severity
f.verdict AS verdict
f.derivation AS derivation
f.message AS message
coalesce(f.basis, 'document') AS basis
f.reference AS reference
f.computed_value AS computed_value
f.computed_unit AS computed_unit
f.corrected_value AS corrected_value
f.corrected_unit AS corrected_unit
CASE f.severity WHEN 'violation' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END AS severity_rank
