// title: Claims per source and kind
// question: How many claims does each source have, by kind?
// columns:
// - {name: source, type: id}
// - {name: kind, type: text}
// - {name: claims, type: integer}
// example: {}
MATCH (c:Claim)
WHERE c.kind IS NOT NULL
RETURN DISTINCT c.source AS source, c.kind AS kind, count(DISTINCT c.uid) AS claims
ORDER BY kind, source
