// title: Systems that hold a part
// question: In which systems is this part, and how many of it?
// parameters:
// - {name: thing, type: name, example: GB200 GPU}
// columns:
// - {name: part, type: id}
// - {name: whole, type: id}
// - {name: whole_label, type: text}
// - {name: count, type: integer}
// - {name: claim, type: id}
// example: {thing: GB200 GPU}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(x)<-[:OF_PART]-(k:Composition)<-[:HAS_COMPOSITION]-(w)
RETURN DISTINCT x.uid AS part, w.uid AS whole, coalesce(w.label, 'unstated') AS whole_label, k.`count` AS `count`,
  k.claim AS claim
ORDER BY part, whole
