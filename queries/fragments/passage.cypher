// Where a claim is printed. Its passage is p, the source of that q.
p.document AS document
coalesce(p.sha256, q.sha256) AS sha256
p.`start` AS `start`
p.`end` AS `end`
p.page AS page
p.box AS box
p.`table` AS `table`
p.`row` AS `row`
p.`column` AS `column`
p.pointer AS pointer
p.sheet AS sheet
p.cell AS cell
p.locator AS locator
