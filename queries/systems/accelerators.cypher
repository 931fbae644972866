MATCH (w:Entity)-[:HAS_COMPOSITION]->(k:Composition)-[:OF_PART]->(x:Entity)
WHERE x.kind IN ['accelerator', 'chip-family']
RETURN DISTINCT
  w.uid AS system,
  w.label AS system_label,
  x.uid AS accelerator,
  x.label AS accelerator_label,
  k.`count` AS accelerators,
  k.claim AS claim
