MATCH (c:Claim)
WHERE c.kind IS NOT NULL AND (c.quantity_form IS NULL OR c.absent)
WITH c, CASE WHEN c.quantity_form IS NULL THEN 'said in words' ELSE 'empty cell' END AS why
RETURN DISTINCT
  c.source AS source,
  why,
  count(DISTINCT c.uid) AS claims
