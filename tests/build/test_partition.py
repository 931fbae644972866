"""A partition, which sees one claim at a time, concludes what a build of the whole does."""

from pathlib import Path

import orjson

from kg.build.build import StorePlace, content_records, read_background
from kg.build.deduction_units import own_mark
from kg.build.partition import PartIndex, Partition, Setting, open_lookup, write_lookup
from kg.build.refuted import refuting_lines
from kg.content.folders import find_content
from kg.ledger.derived import derived_set
from kg.ledger.index import ClaimIndex, mark

ROOT = Path(__file__).resolve().parents[2]


def test_the_advice_of_a_partition_is_that_of_the_whole(shipped_store: Path, tmp_path: Path) -> None:
    """What refutes the inputs of a claim is sent along, whatever they were judged with."""
    content, place = find_content(ROOT), StorePlace(shipped_store)
    live = place.rdf.current()
    assert live is not None
    _, registry, vocabulary = content_records(content)
    derived = derived_set(place.derived, live[1]["head"], live[1]["rules"])
    lines = [one.rstrip(b"\n") for one in derived]
    bad: dict[str, bytes] = {}
    for line in lines:
        for name, found in refuting_lines(line + b"\n").items():
            bad[name] = bad.get(name, b"") + b"".join(found)
    assert len(bad) > 30
    index = ClaimIndex(place.index)
    claims = [(name, body) for _, name, body in index.all_claims()]
    write_lookup(tmp_path / "claims", claims)
    background = read_background(content, vocabulary, registry)
    partition = Partition(
        Setting("test", registry.records, vocabulary.units, background, bad, str(tmp_path / "claims"))
    )
    advice = {
        partition.advice(
            body, index.unit(own_mark(name)), [(unit, *index.unit(unit), []) for unit in index.units_about(mark(name))]
        ).rstrip(b"\n")
        for name, body in claims
    }
    index.close()
    # every list of links is judged once: with the claims that rely on one of its links, or alone
    alone = {unit for unit, *_ in partition.unattended(())}
    assert len(alone) > 1
    for unit in alone:
        assert {other for other, *_ in partition.unattended([unit])} == alone - {unit}
    assert advice == {line for line in lines if orjson.loads(line)["record"] == "advice"}


def test_what_claims_link_to_is_read_from_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "50% of a#b?"
    folder.mkdir()
    write_lookup(folder / "claims", [("1/a", b"{}")])
    assert PartIndex(open_lookup(str(folder / "claims"))).body("1/a") == b"{}"
