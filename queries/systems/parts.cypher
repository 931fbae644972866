// title: Parts of a system
// question: What is in this system, how many of each, and which claim says so?
// parameters:
// - {name: thing, type: name, example: GB200 NVL72}
// columns:
// - {name: whole, type: id}
// - {name: whole_label, type: text}
// - {name: part, type: id}
// - {name: part_label, type: text}
// - {name: count, type: integer}
// - {name: claim, type: id}
// example: {thing: GB200 NVL72}
UNWIND $thing AS asked
MATCH (n:Name {uid: 'name/' + asked})-[:COVERS]->(w)-[:HAS_COMPOSITION]->(k:Composition)-[:OF_PART]->(x)
RETURN DISTINCT w.uid AS whole, coalesce(w.label, 'unstated') AS whole_label, x.uid AS part,
  coalesce(x.label, 'unstated') AS part_label, k.`count` AS `count`, k.claim AS claim
ORDER BY whole, part
