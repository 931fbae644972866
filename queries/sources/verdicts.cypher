MATCH (c:Claim)-[:STATED_IN]->(t:Source)
WHERE c.verdict IS NOT NULL
RETURN DISTINCT
  t.uid AS source,
  t.label AS label,
  c.verdict AS verdict,
  count(DISTINCT c.uid) AS claims
