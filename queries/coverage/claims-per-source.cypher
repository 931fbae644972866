MATCH (c:Claim)
WHERE c.kind IS NOT NULL
RETURN DISTINCT
  c.source AS source,
  c.kind AS kind,
  count(DISTINCT c.uid) AS claims
