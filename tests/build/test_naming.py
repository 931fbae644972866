"""`kg names unresolved` and `kg names accept`: on rejected records made here, in content copied here."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.build.accepted_names import JOURNAL
from kg.build.naming import Confusable, NameTaken, accept_name, take_back_name
from kg.build.unresolved_names import gather, unresolved_names
from kg.cli.app import run
from kg.content.entities import UnknownEntity, read_registry
from kg.content.folders import Content, copy_content, find_content
from kg.content.registry_files import ReadOnlyContent, ensure_writable, with_alias
from kg.content.resolution import Resolver
from kg.errors import ContentError, KgError, UsageError
from kg.ledger.ledger import Ledger, with_revision
from kg.model.names import KIND_OF_NAME
from tests.content.test_resolution import lines


def rejected(
    row: int, name: str, *, kind: str = "accelerator", file: str = "round.json", code: str = "names.unresolved"
) -> Any:
    return with_revision(
        {
            "record": "rejected",
            "id": f"rejected/mlperf/{file}/{row}-{code}",
            "source": "mlperf",
            "file": file,
            "line": row,
            "field": "Accelerator",
            "code": code,
            "given": name,
            "kind": kind,
            "expected": "a name of the registry",
            "row": {},
        }
    )


RECORDS = [
    rejected(1, "NVIDIA A100 (20 GB)"),
    rejected(2, "nvidia a100 (20 gb)", file="other.json"),
    rejected(3, "NVIDIA A100 (20 GB)"),
    rejected(4, "RTX 6000"),
    rejected(5, "Zzyzx 9"),
    rejected(6, "Nvidya", kind="organisation"),
    rejected(7, "NVIDIA H100-SXM5-80GB"),
    rejected(8, "12,0,0", code="load.cell"),
]


@pytest.fixture(scope="module")
def shipped() -> Content:
    return find_content()


@pytest.fixture
def content(shipped: Content, tmp_path: Path) -> Content:
    return copy_content(shipped, tmp_path / "content")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    ledger = Ledger(tmp_path / "store" / "ledger")
    ledger.add(RECORDS, origin="mlperf", edition="2025-01-01", scope="partial", registry="none")
    return tmp_path / "store"


def test_spellings_of_one_name_count_together_with_their_files(store: Path) -> None:
    first = unresolved_names(store / "ledger", content=None)[0]
    assert (first.name, first.kind, first.count, first.why) == ("NVIDIA A100 (20 GB)", "accelerator", 3, "unknown")
    assert (first.files, first.fields) == (["other.json", "round.json"], ["Accelerator"])


def test_names_of_one_kind_are_listed_alone(store: Path) -> None:
    names = [one.name for one in unresolved_names(store / "ledger", content=None, kind="organisation")]
    assert names == ["Nvidya"]


def test_only_rows_refused_for_a_name_are_listed(store: Path) -> None:
    names = [one.name for one in unresolved_names(store / "ledger", content=None)]
    assert names == ["NVIDIA A100 (20 GB)", "NVIDIA H100-SXM5-80GB", "RTX 6000", "Zzyzx 9", "Nvidya"]
    assert [one.name for one in unresolved_names(store / "ledger", content=None, kind="organisation")] == ["Nvidya"]


def test_a_proposal_says_how_alike_and_what_is_shared_and_not(store: Path) -> None:
    best = unresolved_names(store / "ledger", content=None)[0].proposals[0]
    assert best.id == "family/nvidia-a100"
    assert 0 < best.similarity < 1
    assert best.reason == "shares nvidia, a100; only here: 20gb"


def test_an_ambiguous_name_proposes_what_it_could_mean_first(store: Path) -> None:
    found = next(one for one in unresolved_names(store / "ledger", content=None) if one.name == "RTX 6000")
    assert found.why == "ambiguous"
    assert {one.id for one in found.proposals[:2]} == {
        "accelerator/nvidia-quadro-rtx-6000",
        "accelerator/nvidia-rtx-pro-6000-blackwell",
    }
    assert all("could mean" in one.reason for one in found.proposals[:2])


def test_nothing_is_proposed_for_what_is_like_nothing_and_kinds_are_kept(store: Path) -> None:
    found = {one.name: one for one in unresolved_names(store / "ledger", content=None)}
    assert found["Zzyzx 9"].proposals == []
    assert next(one.id for one in found["Nvidya"].proposals) == "org/nvidia"


def test_a_name_that_resolves_by_now_says_so(store: Path) -> None:
    found = {one.name: one.now for one in unresolved_names(store / "ledger", content=None)}
    assert found["NVIDIA H100-SXM5-80GB"] == "accelerator/nvidia-h100-sxm-80gb"
    assert found["RTX 6000"] is None


def test_a_thousand_names_are_gathered_without_comparing_all_with_all(shipped: Content) -> None:
    records = [rejected(row, f"NVIDIA X{row} PCIe {row}GB") for row in range(1000)]
    found = gather(records, read_registry(shipped))
    assert len(found) == len(records)
    assert all(len(one.proposals) <= 3 for one in found)


def test_accepted_name_resolves_and_the_rest_of_the_file_stays(content: Content) -> None:
    path = content.seeds / "entities" / "hardware.yaml"
    before = path.read_text(encoding="utf-8").splitlines()
    done = accept_name("A100 bare card of the lab", "family/nvidia-a100", content=str(content.root), kind="accelerator")
    after = path.read_text(encoding="utf-8").splitlines()
    assert done.path == "seeds/entities/hardware.yaml"
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    assert (
        Resolver(read_registry(content)).resolve("accelerator", "A100 bare card of the lab").id == "family/nvidia-a100"
    )


def test_accepting_twice_writes_once(content: Content) -> None:
    accept_name("A100 of the lab", "family/nvidia-a100", content=str(content.root))
    path = content.seeds / "entities" / "hardware.yaml"
    before = path.read_bytes()
    assert accept_name("a100 OF the-lab", "family/nvidia-a100", content=str(content.root)).path is None
    assert path.read_bytes() == before


def test_a_new_thing_is_written_with_the_name_sorted_by_id(content: Content) -> None:
    for identifier, name in (("accelerator/zzyzx-9", "Zzyzx 9"), ("accelerator/acme-7", "Acme 7 OEM")):
        accept_name(name, None, content=str(content.root), new=identifier, label=name.removesuffix(" OEM"))
    path = content.seeds / "entities" / "accepted.yaml"
    assert path.read_text(encoding="utf-8") == (
        "- {id: accelerator/acme-7, kind: accelerator, label: Acme 7, aliases: [Acme 7 OEM]}\n"
        "- {id: accelerator/zzyzx-9, kind: accelerator, label: Zzyzx 9}\n"
    )
    assert Resolver(read_registry(content)).resolve("accelerator", "ACME 7 oem").id == "accelerator/acme-7"


def entity_files(content: Content) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((content.seeds / "entities").iterdir())}


def test_what_was_accepted_is_taken_back_to_the_byte(content: Content) -> None:
    before = entity_files(content)
    accept_name("A100 of the lab", "family/nvidia-a100", content=str(content.root))
    accept_name("Zzyzx 9", None, content=str(content.root), new="accelerator/zzyzx-9", kind="accelerator")
    assert take_back_name("a100 of the LAB", content=str(content.root)).id == "family/nvidia-a100"
    assert Resolver(read_registry(content)).resolve("accelerator", "A100 of the lab").id is None
    take_back_name("Zzyzx 9", content=str(content.root))
    assert entity_files(content) == before


LISTED = b'{"id": "a/b", "kind": "vendor", "made": true, "name": "b", "segments": 5}'


@pytest.mark.parametrize(
    "line",
    [b"<<<<<<< HEAD", b'{"name": "x"}', b"[]", b'"name"', b"\xff", LISTED, b"[" * 200_000],
    ids=lambda one: one[:20],
)
def test_a_note_of_names_that_cannot_be_read_is_said_and_nothing_is_written(content: Content, line: bytes) -> None:
    folder = content.seeds / "entities"
    (folder / JOURNAL).write_bytes(b'{"id": "a/b", "kind": "vendor", "made": true, "name": "b"}\n' + line + b"\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    works: tuple[Callable[[], object], ...] = (
        lambda: accept_name("A100 of the lab", "family/nvidia-a100", content=str(content.root)),
        lambda: take_back_name("b", content=str(content.root)),
    )
    for work in works:
        with pytest.raises(ContentError) as caught:
            work()
        assert (caught.value.path, caught.value.line) == (str(folder / JOURNAL), 2)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_only_an_accepted_name_is_taken_back(content: Content) -> None:
    before = entity_files(content)
    with pytest.raises(UsageError, match="a name that was accepted"):
        take_back_name("H100-SXM", content=str(content.root))
    assert entity_files(content) == before


def test_a_new_thing_has_what_it_is_of_its_level_and_whether_it_is_virtualised(content: Content) -> None:
    accept_name(
        "Virtual Zzyzx",
        None,
        content=str(content.root),
        new="config/zzyzx-virtual",
        kind="configuration",
        of="accelerator/nvidia-h100-sxm-80gb",
        level="accelerator",
        virtualised=True,
    )
    made = read_registry(content).records["config/zzyzx-virtual"]
    assert (made["of"], made["level"], made["virtualised"]) == ("accelerator/nvidia-h100-sxm-80gb", "accelerator", True)


def test_an_empty_entity_file_is_no_error(content: Content) -> None:
    before = read_registry(content).records.keys()
    (content.seeds / "entities" / "accepted.yaml").write_text("", encoding="utf-8")
    assert read_registry(content).records.keys() == before


@pytest.mark.parametrize(
    ("name", "identifier", "error"),
    [
        ("H200", "family/nvidia-h100", NameTaken),
        ("NVIDIA H100 SXM5 80GB", "accelerator/nvidia-h100-pcie-80gb", NameTaken),
        ("NVIDIA A100, NVIDIA V100", "family/nvidia-a100", NameTaken),
        ("H100 NVL of the lab", "accelerator/nvidia-h100-sxm-80gb", Confusable),
        ("NVIDIA H100 Titan", "accelerator/nvidia-h100-sxm-80gb", Confusable),
        ("H20 of the lab", "family/nvidia-h200", Confusable),
        ("H200 of the lab", "family/nvidia-h100", Confusable),
        ("H100X of the lab", "family/nvidia-h200", Confusable),
        ("RTX 4090 D of the lab", "accelerator/nvidia-rtx-4090", Confusable),
        ("Llama 3.1 8B of the lab", "model/llama-3-1-405b", Confusable),
        ("MI300A of the lab", "accelerator/amd-mi300x", Confusable),
        ("H100 of the lab", "accelerator/nvidia-h101", UnknownEntity),
        ("H100 of the lab", "source/001", UnknownEntity),
        ("   ", "family/nvidia-h100", UsageError),
        ("two\nlines", "family/nvidia-h100", UsageError),
        ("x" * 201, "family/nvidia-h100", UsageError),
        ("N/A", "family/nvidia-h100", UsageError),
        ("tbd", "family/nvidia-h100", UsageError),
    ],
)
def test_refused_names_change_no_file(name: str, identifier: str, error: type[KgError], content: Content) -> None:
    before = {path: path.read_bytes() for path in content.files()}
    with pytest.raises(error):
        accept_name(name, identifier, content=str(content.root))
    assert {path: path.read_bytes() for path in content.files()} == before


def test_no_confusable_pair_can_be_accepted_as_one(shipped: Content, tmp_path: Path) -> None:
    """Whichever of the two names is offered for the other thing, it is refused."""
    content = copy_content(shipped, tmp_path / "content")
    resolver, merged = Resolver(read_registry(content)), []
    pairs = [case for case in lines("confusable.txt") if len(case) == 3][::9]
    for kind, one, other in pairs:
        for name, thing in ((one, other), (other, one)):
            identifier = resolver.resolve(kind, thing).id
            try:
                done = accept_name(name, identifier, content=str(content.root), kind=kind)
            except (NameTaken, Confusable):
                continue
            merged.append((name, identifier, done.path))
    assert pairs
    assert merged == []


def test_a_multiline_entry_takes_an_alias_too(tmp_path: Path) -> None:
    text = (
        "# kept\n- id: org/acme\n  kind: vendor\n  label: Acme\n\n# also kept\n- {id: org/b, kind: vendor, label: B}\n"
    )
    (tmp_path / "things.yaml").write_text(text, encoding="utf-8")
    _, written = with_alias(tmp_path, "org/acme", "Acme Inc")
    assert written.startswith("# kept\n- {id: org/acme, kind: vendor, label: Acme, aliases: [Acme Inc]}\n")
    assert "# also kept" in written
    assert [one["id"] for one in yaml.safe_load(written)] == ["org/acme", "org/b"]


def test_a_new_thing_that_would_break_the_registry_is_taken_back(content: Content) -> None:
    with pytest.raises(UnknownEntity):
        accept_name(
            "Acme 8", None, content=str(content.root), new="accelerator/acme-8", kind="accelerator", maker="org/nobody"
        )
    assert not (content.seeds / "entities" / "accepted.yaml").exists()
    read_registry(content)


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("accelerator/nvidia-l4", "accelerator"),
        ("no slash", "accelerator"),
        ("accelerator/acme", "chip"),
        ("gadget/acme", None),
    ],
)
def test_a_new_thing_needs_a_free_id_and_a_known_kind(new: str, kind: str | None, content: Content) -> None:
    with pytest.raises(KgError):
        accept_name("Acme of the lab", None, content=str(content.root), new=new, kind=kind)
    assert not (content.seeds / "entities" / "accepted.yaml").exists()


def test_packaged_content_is_refused_with_the_next_step(shipped: Content, tmp_path: Path) -> None:
    packaged = copy_content(shipped, tmp_path / "_content")
    with pytest.raises(ReadOnlyContent, match="kg init DIR"):
        ensure_writable(packaged)


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="the superuser writes everywhere")
def test_a_folder_that_cannot_be_written_is_refused(content: Content) -> None:
    folder = content.seeds / "entities"
    folder.chmod(0o500)
    with pytest.raises(ReadOnlyContent):
        ensure_writable(content)
    folder.chmod(0o700)


def test_copied_content_is_whole_and_never_overwrites(content: Content, shipped: Content) -> None:
    assert [p.relative_to(content.root) for p in content.files()] == [
        p.relative_to(shipped.root) for p in shipped.files()
    ]
    with pytest.raises(UsageError):
        copy_content(shipped, content.root)


def test_command_lists_in_all_forms_and_accepts(
    store: Path, content: Content, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--store", str(store), "--content", str(content.root)]
    assert run(["names", "unresolved", *options, "--format", "jsonl"]) == 0
    captured = capsys.readouterr()
    found = [json.loads(line) for line in captured.out.splitlines()]
    assert [one["name"] for one in found] == ["NVIDIA A100 (20 GB)", "RTX 6000", "Zzyzx 9", "Nvidya"]
    assert "1 more names resolve by now" in captured.err
    for form in ("json", "csv", "table", "markdown"):
        assert run(["names", *options, "--format", form]) == 0
        assert "Zzyzx" in capsys.readouterr().out
    assert run(["names", "accept", "NVIDIA A100 (20 GB)", "family/nvidia-a100", *options]) == 0
    assert run(["names", "accept", "Zzyzx 9", "--new", "accelerator/zzyzx-9", "--kind", "accelerator", *options]) == 0
    capsys.readouterr()
    assert run(["names", "unresolved", "--limit", "1", *options, "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert [one["name"] for one in json.loads(captured.out)] == ["RTX 6000"]
    assert "3 more names resolve by now" in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["accept"],
        ["accept", "X"],
        ["accept", "X", "org/nvidia", "--new", "org/x"],
        ["guess"],
        ["unresolved", "X"],
        ["unresolved", "--kind", "chips"],
    ],
)
def test_wrong_use_is_told(
    arguments: list[str], store: Path, content: Content, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["names", *arguments, "--store", str(store), "--content", str(content.root)]) == 2
    assert "Accepted:" in capsys.readouterr().err


def test_every_kind_of_name_can_be_asked_for(store: Path) -> None:
    assert all(
        isinstance(unresolved_names(store / "ledger", content=None, kind=kind, proposals=False), list)
        for kind in KIND_OF_NAME
    )
