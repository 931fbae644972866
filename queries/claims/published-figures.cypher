UNWIND $subject AS asked
MATCH (c:Claim)-[:SUBJECT]->(s {uid: asked})
MATCH (c)-[:STATED_IN]->(o:Source)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
WITH c, s, o, m
WHERE c.canonical_value IS NOT NULL
RETURN DISTINCT
  c.uid AS claim,
  s.uid AS subject,
  m.better AS better,
  o.form AS form,
  #FRAGMENT claim_fields
