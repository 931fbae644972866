MATCH (c:Claim)
WHERE c.value IS NOT NULL AND c.canonical_value IS NULL AND (size($source) = 0 OR c.source IN $source)
RETURN DISTINCT
  c.uid AS claim,
  c.printed AS printed,
  #FRAGMENT claim_fields
