MATCH (c:Claim)-[:HAS_RESTATEMENT]->(r:Restatement)
OPTIONAL MATCH (r)-[:RESTATES]->(o:Claim)-[:STATED_IN]->(p:Source)
UNWIND [p.uid, r.source] AS cited
WITH c, cited
WHERE cited IS NOT NULL
MATCH (t:Source {uid: cited})
MATCH (c)-[:STATED_IN]->(s:Source)
WHERE s.uid <> t.uid AND (size($source) = 0 OR s.uid IN $source)
  AND (size($origin) = 0 OR t.uid IN $origin OR t.resolved_to IN $origin)
RETURN DISTINCT
  s.uid AS source,
  t.uid AS cited,
  t.label AS label,
  t.publisher AS publisher,
  t.resolved_to AS resolved_to,
  count(DISTINCT c.uid) AS claims
