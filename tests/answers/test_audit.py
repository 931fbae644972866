"""An audit with a limit, on the small graph: it reads no more than it shows."""

from typing import Any

from kg.answers.audit import SEVERITIES, audit
from kg.stores.protocol import Answer
from tests.ask.harness import ask_small


def test_notes_are_not_read_when_graver_findings_fill_the_limit() -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def ask(name: str, /, **values: Any) -> Answer:
        asked.append((name, values))
        return ask_small(name, **values)

    every = audit(ask_small, severities=SEVERITIES)
    graver = [one for one in every.findings if one.severity != "info"]
    assert 1 < len(graver) < len(every.findings)
    cut = audit(ask, severities=SEVERITIES, most=len(graver) - 1)
    assert list(cut.findings) == graver[:-1] and cut.fitting == len(every.findings) == every.fitting
    assert ("info",) not in [values["severity"] for name, values in asked if name == "audit/findings"]
    looked_into = [one for name, values in asked if name == "audit/involved" for one in values["finding"]]
    assert sorted(looked_into) == sorted(one.id for one in cut.findings)


def test_a_limit_beyond_the_graver_ones_is_filled_with_notes() -> None:
    every = audit(ask_small, severities=SEVERITIES).findings
    assert audit(ask_small, severities=SEVERITIES, most=len(every) - 1).findings == every[:-1]
    assert audit(ask_small, severities=SEVERITIES, most=len(every) + 1).findings == every
