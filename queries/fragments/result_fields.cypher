// What is read of a row derived from published results, column by column. Its accelerator is e, its submitter a.
e.label AS accelerator_label
d.task AS task
d.model AS model
d.scenario AS scenario
d.round AS round
d.value AS value
d.unit AS unit
d.accelerators AS accelerators
d.entry AS entry
d.submitter AS submitter
a.label AS submitter_label
d.category AS category
d.division AS division
d.availability AS availability
d.claim AS claim
