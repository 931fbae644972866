UNWIND $a AS first
UNWIND $b AS second
MATCH (x:Name {uid: 'name/' + first})
MATCH (y:Name {uid: 'name/' + second})
OPTIONAL MATCH (x)-[:COVERS]->(s)<-[:SUBJECT]-(k:Claim)-[:BASELINE]->(b)
OPTIONAL MATCH (y)-[also:COVERS]->(b)
OPTIONAL MATCH (x)-[n:NAMES]->(s)
OPTIONAL MATCH (y)-[o:NAMES]->(b)
WITH k.uid AS id, s.uid AS subject, s.label AS its_label, CASE WHEN n IS NULL THEN 'family' ELSE 'named' END AS its_match,
  b.uid AS baseline, b.label AS other_label, also, CASE WHEN o IS NULL THEN 'family' ELSE 'named' END AS other_match
WHERE id IS NOT NULL AND also IS NOT NULL
MATCH (c:Claim {uid: id})
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (c)-[:STATED_IN]->(t)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(q:Source)
RETURN
  c.uid AS claim,
  'a-against-b' AS orientation,
  subject,
  its_label AS subject_label,
  its_match AS subject_match,
  baseline,
  other_label AS baseline_label,
  other_match AS baseline_match,
  m.better AS better,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_value ELSE null END AS ratio,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_lower ELSE null END AS ratio_lower,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_upper ELSE null END AS ratio_upper,
  a.label AS asserted_by_label,
  t.label AS source_label,
  #FRAGMENT claim_fields,
  #FRAGMENT passage
UNION
UNWIND $b AS first
UNWIND $a AS second
MATCH (x:Name {uid: 'name/' + first})
MATCH (y:Name {uid: 'name/' + second})
OPTIONAL MATCH (x)-[:COVERS]->(s)<-[:SUBJECT]-(k:Claim)-[:BASELINE]->(b)
OPTIONAL MATCH (y)-[also:COVERS]->(b)
OPTIONAL MATCH (x)-[n:NAMES]->(s)
OPTIONAL MATCH (y)-[o:NAMES]->(b)
WITH k.uid AS id, s.uid AS subject, s.label AS its_label, CASE WHEN n IS NULL THEN 'family' ELSE 'named' END AS its_match,
  b.uid AS baseline, b.label AS other_label, also, CASE WHEN o IS NULL THEN 'family' ELSE 'named' END AS other_match
WHERE id IS NOT NULL AND also IS NOT NULL
MATCH (c:Claim {uid: id})
OPTIONAL MATCH (c)-[:ANCHORED_AT]->(p:Passage)
OPTIONAL MATCH (c)-[:MEASURES]->(m:Metric)
OPTIONAL MATCH (c)-[:ASSERTED_BY]->(a)
OPTIONAL MATCH (c)-[:STATED_IN]->(t)
OPTIONAL MATCH (p)-[:OF_SOURCE]->(q:Source)
RETURN
  c.uid AS claim,
  'b-against-a' AS orientation,
  subject,
  its_label AS subject_label,
  its_match AS subject_match,
  baseline,
  other_label AS baseline_label,
  other_match AS baseline_match,
  m.better AS better,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_value ELSE null END AS ratio,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_lower ELSE null END AS ratio_lower,
  CASE WHEN c.canonical_unit = '1' THEN c.canonical_upper ELSE null END AS ratio_upper,
  a.label AS asserted_by_label,
  t.label AS source_label,
  #FRAGMENT claim_fields,
  #FRAGMENT passage
