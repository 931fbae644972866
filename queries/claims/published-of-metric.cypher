UNWIND $metric AS asked
MATCH (m:Metric {uid: asked})<-[:MEASURES]-(c:Claim)-[:STATED_IN]->(o:Source)
MATCH (c)-[:SUBJECT]->(s)
WHERE o.form IN $source_form AND c.canonical_value IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  m.better AS better,
  #FRAGMENT claim_fields
