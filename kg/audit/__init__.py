"""Claims in, findings out; knows no store.

`auditor` runs everything, scope by scope; `audit` runs it once over a set of claims. Below it, from the first call on:

- arithmetic: `recompute`, `derivation` (intervals), `explanation` and `hypotheses` (the slip behind a wrong result), with
  `dimensions`, `counts` and `surroundings`;
- several claims about one thing: `conflicts` (groups), `pair` (the verdict of two), `conflict_text` (the finding), on
  `comparable`, `conditions`, `subjects` and `reach`;
- what claims repeat: `claim_links`, `chains`, `citation`, `fidelity`, `links`, `echoes` and `origins` (how many said it independently);
- all further rules: `rules`, one module a family;
- what follows from findings: `objections` and `advice` (the verdict of a claim), `problems` (findings of one cause), and
  `impact`, `propagation`, `outcome` (what falls if a claim is wrong);
- published results: `comparability`, `measured`, `measured_rows` with `kept_results` (which print, which run).
"""
