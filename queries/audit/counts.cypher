MATCH (f:Finding)-[:ABOUT]->(c:Claim)
RETURN
  c.source AS source,
  count(DISTINCT f.uid) AS findings,
  #FRAGMENT finding_fields
UNION
MATCH (f:Finding)-[:ABOUT]->(t:Source)
RETURN
  t.uid AS source,
  count(DISTINCT f.uid) AS findings,
  #FRAGMENT finding_fields
