// title: Claims by level
// question: At which level (chip, superchip, node, rack, pod) do the claims about a name stand, and how many are there?
// parameters:
// - {name: thing, type: name, example: GB200}
// columns:
// - {name: level, type: text}
// - {name: subject, type: id}
// - {name: claims, type: integer}
// example: {thing: GB200}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(s)<-[:SUBJECT]-(c:Claim)
RETURN DISTINCT c.level AS level, s.uid AS subject, count(DISTINCT c.uid) AS claims
ORDER BY level, subject
