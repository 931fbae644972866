// title: Claims by a part of their words
// question: Which claims hold this text in their id, statement, figure, cue or subject as printed?
// parameters:
// - {name: text, type: text, example: training run, about: in lower case}
// columns:
// - {name: claim, type: id}
// - {name: found_in, type: text}
// - {name: text_found, type: text}
// - {name: subject, type: id}
// - {name: metric, type: id}
// - {name: printed, type: text}
// - {name: statement, type: text}
// - {name: source, type: id}
// - {name: use, type: text}
// example: {text: training run}
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE toLower(c.statement) CONTAINS text OR (text = '' AND c.statement IS NOT NULL)
RETURN c.uid AS claim, 'statement' AS found_in, c.statement AS text_found, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.statement, 'unstated') AS statement,
  c.source AS source, coalesce(c.use, 'unstated') AS `use`
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE toLower(c.subject_printed) CONTAINS text OR (text = '' AND c.subject_printed IS NOT NULL)
RETURN c.uid AS claim, 'subject' AS found_in, c.subject_printed AS text_found, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.statement, 'unstated') AS statement,
  c.source AS source, coalesce(c.use, 'unstated') AS `use`
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE toLower(c.cue) CONTAINS text OR (text = '' AND c.cue IS NOT NULL)
RETURN c.uid AS claim, 'cue' AS found_in, c.cue AS text_found, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.statement, 'unstated') AS statement,
  c.source AS source, coalesce(c.use, 'unstated') AS `use`
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE toLower(c.printed) CONTAINS text OR (text = '' AND c.printed IS NOT NULL)
RETURN c.uid AS claim, 'figure' AS found_in, c.printed AS text_found, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.statement, 'unstated') AS statement,
  c.source AS source, coalesce(c.use, 'unstated') AS `use`
UNION
UNWIND $text AS text
MATCH (c:Claim)-[:SUBJECT]->(s)
WHERE toLower(c.uid) CONTAINS text OR (text = '' AND c.uid IS NOT NULL)
RETURN c.uid AS claim, 'id' AS found_in, c.uid AS text_found, s.uid AS subject, c.metric AS metric,
  coalesce(c.printed, c.cue, 'unstated') AS printed, coalesce(c.statement, 'unstated') AS statement,
  c.source AS source, coalesce(c.use, 'unstated') AS `use`
//ORDER found_in, claim, subject
