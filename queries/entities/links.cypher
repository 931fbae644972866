UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:MADE_BY]->(o)
RETURN
  'made by' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:MADE_BY]-(o)
RETURN
  'maker of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:MEMBER_OF]->(o)
RETURN
  'member of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:MEMBER_OF]-(o)
RETURN
  'has member' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:VARIANT_OF]->(o)
RETURN
  'variant of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:VARIANT_OF]-(o)
RETURN
  'has variant' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})-[:CONTAINS]->(o)
RETURN
  'contains' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:CONTAINS]-(o)
RETURN
  'part of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:ACCELERATOR_INSIDE]->(o)
RETURN
  'accelerator inside' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:ACCELERATOR_INSIDE]-(o)
RETURN
  'inside of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:CONFIGURATION_OF]->(o)
RETURN
  'configuration of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:CONFIGURATION_OF]-(o)
RETURN
  'has configuration' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:NOT_TO_BE_CONFUSED_WITH]->(o)
RETURN
  'not to be confused with' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:NOT_TO_BE_CONFUSED_WITH]-(o)
RETURN
  'often confused with' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:OPERATED_BY]->(o)
RETURN
  'operated by' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:OPERATED_BY]-(o)
RETURN
  'operates' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:IN_SUITE]->(o)
RETURN
  'in suite' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:IN_SUITE]-(o)
RETURN
  'suite of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity {uid: thing})-[:TASK_MODEL]->(o)
RETURN
  'runs model' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:TASK_MODEL]-(o)
RETURN
  'model of task' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Source {uid: thing})-[:PUBLISHED_BY]->(o)
RETURN
  'published by' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:PUBLISHED_BY]-(o)
RETURN
  'publisher of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Source {uid: thing})-[:WRITTEN_BY]->(o)
RETURN
  'written by' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:WRITTEN_BY]-(o)
RETURN
  'writer of' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Source {uid: thing})-[:CITES]->(o)
RETURN
  'cites' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:CITES]-(o)
RETURN
  'cited by' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Source {uid: thing})-[:RESOLVED_TO]->(o)
RETURN
  'resolved to' AS link,
  o.uid AS other,
  o.label AS label
UNION
UNWIND $thing AS thing
MATCH (e:Entity|Source {uid: thing})<-[:RESOLVED_TO]-(o)
RETURN
  'stands for' AS link,
  o.uid AS other,
  o.label AS label
