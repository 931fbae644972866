"""Where the records of a ledger come from, by its list of segments alone."""

from pathlib import Path

import pytest

from kg.ledger.ledger import Ledger, with_revision
from kg.ledger.loads import listed_origins
from kg.model.state_file import StateDamaged


def test_the_origins_are_those_of_the_whole_list(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert listed_origins(tmp_path) == frozenset()
    for origin in ("content", "mlperf-inference/v5.1", "content"):
        thing = with_revision({"record": "entity", "id": f"org/{len(origin)}", "kind": "organisation", "label": "X"})
        ledger.add([thing], origin=origin, edition="2026-01-01", scope="partial", registry="none")
    assert (
        listed_origins(tmp_path) == {one.origin for one in ledger.manifest().segments}
        and len(listed_origins(tmp_path)) == 2
    )


@pytest.mark.parametrize("text", ["[]", "{}", '{"segments": [{"origin": 1}]}', "{"])
def test_a_damaged_list_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StateDamaged):
        listed_origins(tmp_path)
