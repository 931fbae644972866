UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
MATCH (c)-[:STATED_IN]->(o:Source)
WHERE (toLower(c.statement) CONTAINS text OR (text = '' AND c.statement IS NOT NULL))
  AND (size($source) = 0 OR o.uid IN $source)
// Ladybug takes one property under two names for one column of a UNION: hence the coalesce
RETURN
  c.uid AS claim,
  'statement' AS found_in,
  coalesce(c.statement, '') AS text_found,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
MATCH (c)-[:STATED_IN]->(o:Source)
WHERE (toLower(c.subject_printed) CONTAINS text OR (text = '' AND c.subject_printed IS NOT NULL))
  AND (size($source) = 0 OR o.uid IN $source)
RETURN
  c.uid AS claim,
  'subject' AS found_in,
  c.subject_printed AS text_found,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
MATCH (c)-[:STATED_IN]->(o:Source)
WHERE (toLower(c.cue) CONTAINS text OR (text = '' AND c.cue IS NOT NULL))
  AND (size($source) = 0 OR o.uid IN $source)
RETURN
  c.uid AS claim,
  'cue' AS found_in,
  c.cue AS text_found,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
MATCH (c)-[:STATED_IN]->(o:Source)
WHERE (toLower(c.printed) CONTAINS text OR (text = '' AND c.printed IS NOT NULL))
  AND (size($source) = 0 OR o.uid IN $source)
RETURN
  c.uid AS claim,
  'figure' AS found_in,
  c.printed AS text_found,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
MATCH (c)-[:STATED_IN]->(o:Source)
WHERE (toLower(c.uid) CONTAINS text OR (text = '' AND c.uid IS NOT NULL))
  AND (size($source) = 0 OR o.uid IN $source)
RETURN
  c.uid AS claim,
  'id' AS found_in,
  c.uid AS text_found,
  s.uid AS subject,
  #FRAGMENT claim_fields
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(n)
MATCH (c)-[:STATED_IN]->(o:Source)
WHERE (toLower(n.label) CONTAINS text OR (text = '' AND n.label IS NOT NULL))
  AND (size($source) = 0 OR o.uid IN $source)
MATCH (c)-[:SUBJECT]->(s)
RETURN
  c.uid AS claim,
  'subject name' AS found_in,
  n.label AS text_found,
  s.uid AS subject,
  #FRAGMENT claim_fields
