MATCH (t:Source)
WHERE t.kind = 'unresolved-source'
OPTIONAL MATCH (t)<-[:RESTATES]-(r:Restatement)
OPTIONAL MATCH (r)<-[:HAS_RESTATEMENT]-(c:Claim)
RETURN DISTINCT
  t.uid AS source,
  t.label AS label,
  t.publisher AS publisher,
  t.published AS published,
  t.resolved_to AS resolved_to,
  c.uid AS claim
