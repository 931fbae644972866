// title: State of the view
// question: From which ledger, content and package was this view made, and how many claims does it hold?
// columns:
// - {name: meta, type: id}
// - {name: head, type: text}
// - {name: content, type: text}
// - {name: version, type: text}
// - {name: claims, type: integer}
// example: {}
MATCH (m:Meta)
RETURN DISTINCT m.uid AS meta, coalesce(m.head, 'unstated') AS head, coalesce(m.content, 'unstated') AS content,
  coalesce(m.version, 'unstated') AS version, m.claims AS claims
ORDER BY meta
