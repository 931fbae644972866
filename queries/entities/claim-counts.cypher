UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:SUBJECT]-(c:Claim)
RETURN
  'subject' AS role,
  c.kind AS kind,
  count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:BASELINE]-(c:Claim)
RETURN
  'baseline' AS role,
  c.kind AS kind,
  count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:ASSERTED_BY]-(c:Claim)
RETURN
  'asserted by' AS role,
  c.kind AS kind,
  count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:STATED_IN]-(c:Claim)
RETURN
  'stated in' AS role,
  c.kind AS kind,
  count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Metric {uid: thing})<-[:MEASURES]-(c:Claim)
RETURN
  'metric' AS role,
  c.kind AS kind,
  count(DISTINCT c.uid) AS claims
