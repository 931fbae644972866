MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE c.modality <> 'stated' AND (size($modality) = 0 OR c.modality IN $modality)
RETURN DISTINCT
  c.modality AS modality,
  c.uid AS claim,
  s.uid AS subject,
  #FRAGMENT claim_fields
