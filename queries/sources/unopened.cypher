// title: Cited but never opened
// question: Which cited things did nobody open, and which claims end at them?
// columns:
// - {name: source, type: id}
// - {name: label, type: text}
// - {name: publisher, type: id}
// - {name: published, type: text}
// - {name: resolved_to, type: id}
// - {name: claim, type: id}
// example: {}
MATCH (t:Source)
WHERE t.kind = 'unresolved-source'
OPTIONAL MATCH (t)<-[:RESTATES]-(r:Restatement)
OPTIONAL MATCH (r)<-[:HAS_RESTATEMENT]-(c:Claim)
RETURN DISTINCT t.uid AS source, coalesce(t.label, 'unstated') AS label, t.publisher AS publisher,
  coalesce(t.published, 'unstated') AS published, t.resolved_to AS resolved_to, c.uid AS claim
ORDER BY source, coalesce(claim, '')
