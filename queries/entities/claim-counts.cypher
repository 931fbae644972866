// title: Claims about a thing, by kind
// question: How many claims are about this thing, compare with it, are said by it or stand in it?
// parameters:
// - {name: thing, type: id, example: system/nvidia-gb200-nvl72}
// columns:
// - {name: role, type: text}
// - {name: kind, type: text}
// - {name: claims, type: integer}
// example: {thing: system/nvidia-gb200-nvl72}
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:SUBJECT]-(c:Claim)
RETURN 'subject' AS role, c.kind AS kind, count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:BASELINE]-(c:Claim)
RETURN 'baseline' AS role, c.kind AS kind, count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:ASSERTED_BY]-(c:Claim)
RETURN 'asserted by' AS role, c.kind AS kind, count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:STATED_IN]-(c:Claim)
RETURN 'stated in' AS role, c.kind AS kind, count(DISTINCT c.uid) AS claims
UNION
UNWIND $thing AS thing
MATCH (e:Metric {uid: thing})<-[:MEASURES]-(c:Claim)
RETURN 'metric' AS role, c.kind AS kind, count(DISTINCT c.uid) AS claims
//ORDER role, kind
