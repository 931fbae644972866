MATCH (f:Finding)
WHERE (size($severity) = 0 OR f.severity IN $severity) AND (size($code) = 0 OR f.code IN $code) AND (size($finding) = 0 OR f.uid IN $finding)
OPTIONAL MATCH (f)-[:ABOUT]->(c:Claim)
WITH f, coalesce(c.source, f.about) AS about
WHERE (size($source) = 0 OR about IN $source)
RETURN DISTINCT
  f.uid AS finding,
  f.about AS claim,
  about AS source,
  #FRAGMENT finding_fields
