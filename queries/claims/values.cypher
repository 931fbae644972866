// title: Values of a claim
// question: Which numbers, things or words does the figure of a claim hold?
// parameters:
// - {name: claim, type: list-of-claim, example: 002/r1.gb200.offline.per-accelerator}
// columns:
// - {name: claim, type: id}
// - {name: value, type: number}
// - {name: word, type: text}
// example: {claim: 002/r1.gb200.offline.per-accelerator}
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
UNWIND c.values AS number
RETURN c.uid AS claim, number AS value, 'none' AS word
UNION
UNWIND $claim AS claim
MATCH (c:Claim {uid: claim})
UNWIND c.`set` AS item
RETURN c.uid AS claim, c.value AS value, item AS word
//ORDER word, value, claim
