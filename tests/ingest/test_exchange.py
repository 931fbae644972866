"""Claims as YAML, CSV and RDF: the same records as JSON Lines."""

import gzip
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from kg.build.build import StorePlace, content_records
from kg.build.load import load_all
from kg.content.folders import Content, find_content
from kg.errors import KgError
from kg.ingest.errors import FileDamaged
from kg.ingest.exchange_files import TEMPLATE, exchange_rows
from kg.ingest.rdf import RdfDiffers, rdf_records
from kg.model.record import Claim, Entity, Source, recorded_form
from kg.model.vocabulary import PREFIXES
from kg.projection.triples import TripleWriter
from tests.small_content import ROOT, claim, write_small_content

Json = Any


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[StorePlace, Content]:
    """A store whose loads make no view."""
    monkeypatch.setattr("kg.build.load.refresh_view", lambda *given, **named: None)
    return StorePlace(tmp_path / "store"), write_small_content(tmp_path / "content")


def held(place: StorePlace) -> dict[str, Json]:
    """The current records without revision."""
    return {one["id"]: {k: v for k, v in one.items() if k != "revision"} for one in place.ledger.current()}


NEW = claim(
    "900/new", conditions={"accelerators": 8, "phase": "training"}, path=["source/900", "org/acme"], note="a, b"
)


def test_curated_claims_are_loaded_as_they_are_curated(place: tuple[StorePlace, Content]) -> None:
    curated = next((place[1].seeds / "claims").rglob("*.yaml"))
    expected = {one["id"]: one for one in content_records(place[1])[0] if one["record"] == "claim"}
    (done,) = load_all(*place, [curated], edition="2026-01-02")
    loaded = held(place[0])
    assert loaded and done.added["claim"] == len(loaded)
    assert loaded == {name: {k: v for k, v in expected[name].items() if k != "revision"} for name in loaded}


def test_curated_claims_may_name_a_source_that_was_loaded_before(
    tmp_path: Path, place: tuple[StorePlace, Content]
) -> None:
    source = tmp_path / "source.jsonl"
    source.write_text(
        '{"record": "source", "id": "source/mine", "kind": "source", "label": "Mine", "form": "report"}\n'
    )
    load_all(*place, [source], edition="2026-01-02")
    path = tmp_path / "mine.yaml"
    entry = "{id: one, kind: specification, subject: accelerator/acme-one, level: accelerator, metric: power, printed: 711 W, unit: W, "
    rest = "asserted_by: org/acme, said_on: {date: '2026-05-20', basis: printed}, locator: page 9}"
    path.write_text(f"source: source/mine\ngroups:\n- about: mine\n  claims:\n  - {entry}{rest}\n")
    (done,) = load_all(*place, [path], edition="2026-01-02")
    assert done.added == {"claim": 1} and held(place[0])["mine/one"]["source"] == "source/mine"


def test_a_mistake_in_curated_claims_is_told_with_its_line(tmp_path: Path, place: tuple[StorePlace, Content]) -> None:
    curated = next((place[1].seeds / "claims").rglob("*.yaml")).read_text()
    path = tmp_path / "mine.yaml"
    path.write_text(curated.replace("kind: ", "kind: no-such-", 1))
    with pytest.raises(KgError) as refused:
        load_all(*place, [path], edition="2026-01-02")
    assert "mine.yaml:" in str(refused.value) and "no-such-" in str(refused.value)
    assert held(place[0]) == {}


def test_the_template_loads_with_the_shipped_content(tmp_path: Path, place: tuple[StorePlace, Content]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(TEMPLATE)
    load_all(place[0], find_content(ROOT), [path], edition="2026-05-20")
    loaded = held(place[0])
    assert set(loaded) == {"source/my-report", "org/my-team", "my-report/h200.llama-70b"}
    assert loaded["my-report/h200.llama-70b"]["quantity"] == {"printed": "3,025", "value": 3025, "unit": "token/s"}


def test_yaml_holds_the_same_records(tmp_path: Path, place: tuple[StorePlace, Content]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump([NEW]))
    load_all(*place, [path], edition="2026-01-02")
    assert held(place[0]) == {"900/new": NEW}


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), ("-5", -5), ("0.5", 0.5), ("007", "007"), ("12.10", "12.10"), ("1,024", "1,024"), ("1e3", "1e3")],
)
def test_a_condition_of_a_csv_is_a_number_where_it_prints_like_one(tmp_path: Path, text: str, value: object) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        f'record,id,quantity.value,conditions.a,baseline_conditions.a\nclaim,900/x,"3,025","{text}","{text}"\n'
    )
    ((_, record),) = exchange_rows(path)
    assert (record["conditions"]["a"], record["baseline_conditions"]["a"]) == (value, value)
    assert record["quantity"]["value"] == 3025


def test_csv_holds_the_same_records(tmp_path: Path, place: tuple[StorePlace, Content]) -> None:
    cells = {
        "record": "claim",
        "id": "900/new",
        "kind": "specification",
        "subject": "accelerator/acme-one",
        "level": "accelerator",
        "metric": "memory-capacity",
        "asserted_by": "org/acme",
        "source": "source/900",
        "quantity.printed": "141 GB",
        "quantity.value": "141",
        "quantity.unit": "GB",
        "anchor.document": NEW["anchor"]["document"],
        "anchor.sha256": NEW["anchor"]["sha256"],
        "anchor.start": str(NEW["anchor"]["start"]),
        "anchor.end": str(NEW["anchor"]["end"]),
        "conditions.accelerators": "8",
        "conditions.phase": "training",
        "path": "source/900; org/acme",
        "note": '"a, b"',
        "statistic": "",
    }
    path = tmp_path / "mine.csv"
    path.write_text(",".join(cells) + "\n" + ",".join(cells.values()) + "\n")
    load_all(*place, [path], edition="2026-01-02")
    assert held(place[0]) == {"900/new": NEW}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.csv", "id,kind\n1,2\n", "the columns record and id"),
        ("x.csv", "record,id\nclaim\n", "1 cells"),
        ("x.csv", "record,id,quantity.value\nclaim,900/x,many\n", "quantity"),
        ("x.csv", 'record,id,quantity\nclaim,900/x,{"value": \n', "JSON"),
        ("x.csv", 'record,id,quantity.value,quantity\nclaim,900/x,3,"{""unit"": ""W""}"\n', "not both"),
        ("x.yaml", "record: claim\n", "a list of records"),
        ("x.yaml", "- {record: claim, id: 900/x, kind: nothing}\n", "kind"),
    ],
)
def test_mistakes_are_told_with_file_and_line(
    tmp_path: Path, place: tuple[StorePlace, Content], name: str, text: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(KgError) as told:
        load_all(*place, [path], edition="2026-01-02")
    assert says in str(told.value) and f"{path}:" in str(told.value)
    assert held(place[0]) == {}


def triples(records: list[Json], *, recorded: bool) -> str:
    """N-Triples of records, with their recorded form or without."""
    from kg.export.triples_out import recorded_form_line

    writer = TripleWriter()
    return "".join(writer.record(one) + (recorded_form_line(one) if recorded else "") for one in records)


def test_our_own_rdf_comes_back_without_loss(tmp_path: Path) -> None:
    records, _, _ = content_records(write_small_content(tmp_path / "content"))
    path = tmp_path / "all.nt"
    path.write_text(triples(records, recorded=True))
    plain = {one["id"]: {key: value for key, value in one.items() if key != "revision"} for one in records}
    assert {one["id"]: one for one in rdf_records(path)} == plain


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
def test_all_shipped_claims_come_back_from_their_triples_alone(tmp_path: Path, step: int) -> None:
    from kg.content.folders import find_content

    records = content_records(find_content())[0][::step]
    path = tmp_path / "all.nt"
    path.write_text(triples(records, recorded=False))
    found = {one["id"]: one for one in rdf_records(path)}
    lost = {"context_anchors", "also_at", "context_aliases"}
    differing: dict[str, set[str]] = {}
    for record in records:
        try:
            back = recorded_form(_MODELS[record["record"]].model_validate(found[record["id"]]))
        except ValidationError as cause:
            differing.setdefault(str(cause.errors()[0]["loc"][0]), set()).add(record["id"])
            continue
        for key in (set(record) | set(back)) - lost - {"revision"}:
            if _plain(record.get(key)) != _plain(back.get(key)):
                differing.setdefault(key, set()).add(record["id"])
    several = {one["id"] for one in records if one.get("subjects")}
    assert (
        set(differing) <= {"subject"} and differing.get("subject", set()) <= several
    )  # which of them is named first is lost


_MODELS: dict[str, type[Claim | Entity | Source]] = {"claim": Claim, "entity": Entity, "source": Source}


def _plain(value: Any) -> Any:
    """What a graph keeps of a value: no order of a list, no defaults, no words beside a condition."""
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value) if value[key] is not None and key != "from"}
    if isinstance(value, list):
        return sorted((_plain(one) for one in value), key=repr)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def test_triples_that_contradict_the_recorded_form_are_refused(tmp_path: Path) -> None:
    text = triples([claim()], recorded=True).replace('"141.0"', '"142.0"')
    path = tmp_path / "x.nt"
    path.write_text(text)
    with pytest.raises(RdfDiffers) as told:
        list(rdf_records(path))
    assert "900/new numericValue" in str(told.value) and "142.0" in str(told.value)


@pytest.mark.parametrize("ending", ["nt", "ttl"])
def test_a_packed_rdf_file_is_read_as_the_one_in_it(tmp_path: Path, ending: str) -> None:
    plain, packed = tmp_path / f"x.{ending}", tmp_path / f"x.{ending}.gz"
    plain.write_text(triples([claim()], recorded=True))
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert list(rdf_records(packed)) == list(rdf_records(plain)) != []
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(FileDamaged):
        list(rdf_records(packed))


def test_turtle_written_by_hand_loads(tmp_path: Path, place: tuple[StorePlace, Content]) -> None:
    path = tmp_path / "mine.ttl"
    path.write_text(
        "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
        + f"""
<https://w3id.org/accelkg/id/claim/900/new> a k:Claim, k:SpecificationClaim ;
  dcterms:identifier "900/new" ; k:subject <https://w3id.org/accelkg/id/accelerator/acme-one> ; k:level "accelerator" ;
  k:metric <https://w3id.org/accelkg/id/metric/memory-capacity> ; prov:wasAttributedTo <https://w3id.org/accelkg/id/org/acme> ;
  schema:appearance <https://w3id.org/accelkg/id/source/900> ;
  k:quantity [ k:printed "141 GB" ; qudt:numericValue 141 ; qudt:hasUnit <https://w3id.org/accelkg/id/unit/GB> ] ;
  k:underConditions [ k:conditionAccelerators 8 ; k:conditionPhase "training" ] ;
  k:anchoredAt [ oa:hasSource <https://w3id.org/accelkg/id/snapshot/{NEW["anchor"]["sha256"]}> ; k:documentName "{NEW["anchor"]["document"]}" ;
                 oa:hasSelector [ oa:start {NEW["anchor"]["start"]} ; oa:end {NEW["anchor"]["end"]} ] ] .
"""
    )
    load_all(*place, [path], edition="2026-01-02", form="rdf")
    assert held(place[0]) == {"900/new": {key: value for key, value in NEW.items() if key not in ("path", "note")}}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.rdf", "<rdf/>", "RDF/XML is not read"),
        ("x.owl", "<rdf/>", "RDF/XML is not read"),
        ("x.ttl", "@prefix : <http://x/> .\n:a :b\n", ""),
        ("x.ttl", "<http://x/a> <http://x/b> <http://x/c> .\n", "no claim, entity or source"),
        ("x.ttl", f"<http://x/a> a <{PREFIXES['k']}Entity>, <{PREFIXES['k']}Accelerator> .\n", "dcterms:identifier"),
        (
            "x.ttl",
            "@prefix k: <{k}> . <x:a> a k:Entity, k:Organisation ; <{dcterms}identifier> 'org/a', 'org/b' .\n".format(
                **PREFIXES
            ),
            "org/a, org/b",
        ),
        ("x.nt", "<http://x/a> <http://x/b> .\n", ""),
        (
            "x.jsonld",
            '{"@context": "https://example.org/context.jsonld", "@id": "http://x/a"}',
            "contexts are never fetched",
        ),
        (
            "x.jsonld",
            '{"@context": [{"@import": "https://example.org/c"}], "@id": "http://x/a"}',
            "contexts are never fetched",
        ),
        ("x.jsonld", '{"@id": ', "JSON-LD"),
        ("x.jsonld", '{"a":' * 100 + "1" + "}" * 100, "in one another"),
    ],
)
def test_rdf_that_is_not_read_is_refused_with_its_reason(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(KgError) as told:
        list(rdf_records(path))
    assert says in str(told.value)
    assert isinstance(told.value, FileDamaged) or "limit" in told.value.code


@pytest.mark.parametrize("digits", ["+-5", "--5", "9" * 5000])
def test_an_integer_of_rdf_that_is_none_is_told_for_its_claim(
    tmp_path: Path, place: tuple[StorePlace, Content], digits: str
) -> None:
    start = f'"{NEW["anchor"]["start"]}"^^'
    text = triples([claim()], recorded=False)
    assert start in text
    path = tmp_path / "x.nt"
    path.write_text(text.replace(start, f'"{digits}"^^'))
    with pytest.raises(KgError) as told:
        load_all(*place, [path], edition="2026-01-02", form="rdf")
    assert "anchor.start" in str(told.value)


@pytest.mark.parametrize(("printed", "row"), [("7", 7), ("1" * 5000, "1" * 5000)])
def test_the_row_of_a_claim_is_a_number_where_one_can_be_read(tmp_path: Path, printed: str, row: int | str) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(
        "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
        + '<https://w3id.org/accelkg/id/claim/900/new> a k:Claim, k:SpecificationClaim ; dcterms:identifier "900/new" ;\n'
        + f' k:anchoredAt [ k:row "{printed}" ] .\n'
    )
    assert next(rdf_records(path))["anchor"]["row"] == row


def test_a_rule_of_the_model_is_told_for_rdf_as_for_json(tmp_path: Path, place: tuple[StorePlace, Content]) -> None:
    path = tmp_path / "x.nt"
    path.write_text(triples([claim(level="rack")], recorded=False).replace('"rack"', '"shelf"'))
    with pytest.raises(KgError) as told:
        load_all(*place, [path], edition="2026-01-02", form="rdf")
    assert "level" in str(told.value) and "shelf" in str(told.value)
