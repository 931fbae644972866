MATCH (f:Finding)
WHERE (size($severity) = 0 OR f.severity IN $severity) AND (size($code) = 0 OR f.code IN $code)
RETURN DISTINCT
  f.uid AS finding,
  f.about AS claim,
  #FRAGMENT finding_fields
