"""The steps that lead a claim to its origin: what it repeats, and the inputs that lead on; inputs that lead nowhere are left out."""

from pathlib import Path

from kg.answers.origins import OriginsOf
from kg.render.origins_text import several_origins
from kg.session import open_graph

TENFOLD = "002/author.nvl72-dgx-b200.r1"


def test_an_input_is_a_step_only_where_it_leads_on(shipped_store: Path) -> None:
    with open_graph(shipped_store) as graph:
        said = graph.origins(TENFOLD)
        inputs = {row["input_claim"] for row in graph.ask("claims/inputs", claim=[TENFOLD]).dicts()}
    (hops,) = [one.chain for one in said.members if one.claim == TENFOLD]
    steps = [(hop.via, hop.reached) for hop in hops]
    assert steps == [
        ("derived-from", "002/r1.b200.offline.accelerators"),
        ("derived-from", "002/r1.gb200.offline.total"),
        ("derived-from", "002/r1.gb200.server.total"),
        ("restates", "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline.result"),
        ("restates", "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.server.result"),
        ("restates", "unresolved/mlperf-results"),
    ]
    assert len(inputs) > 6, "the other inputs lead to nothing that was printed elsewhere"


def test_of_claims_that_repeat_one_another_the_origins_are_read_once(shipped_store: Path) -> None:
    asked: list[str] = []
    with open_graph(shipped_store) as graph:
        (first, *others) = [one.claim for one in graph.origins("000/mistral.impact.training-speed.h200").members]

        def read(claim: str) -> OriginsOf:
            asked.append(claim)
            return graph.origins(claim)

        lines = list(several_origins("10x", [first, *others, TENFOLD], read))
    assert others and asked == [first, TENFOLD]
    assert sum(line.startswith("  Claim") for line in lines) == 2
