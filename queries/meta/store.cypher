MATCH (m:Meta)
RETURN DISTINCT
  m.uid AS meta,
  m.head AS head,
  m.content AS content,
  m.version AS version,
  m.claims AS claims
