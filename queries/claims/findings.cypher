UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)<-[:ABOUT]-(x:Finding)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (f:Finding {uid: id})
RETURN
  claim,
  'about' AS role,
  f.uid AS finding,
  f.about AS about,
  #FRAGMENT finding_fields
UNION
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
OPTIONAL MATCH (c)<-[:INVOLVES]-(x:Role)
WITH DISTINCT claim, x.uid AS id
WHERE id IS NOT NULL
MATCH (r:Role {uid: id})
OPTIONAL MATCH (r)<-[:HAS_ROLE]-(x:Finding)
WITH DISTINCT claim, r.name AS role, x.uid AS id
WHERE id IS NOT NULL
MATCH (f:Finding {uid: id})
RETURN
  claim,
  role,
  f.uid AS finding,
  f.about AS about,
  #FRAGMENT finding_fields
