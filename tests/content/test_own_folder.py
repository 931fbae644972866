"""A folder of one's own over the shipped content: the same as if its files were shipped, and conflicts with a way out."""

import os
import shutil
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from kg.__about__ import RULES_VERSION
from kg.build.alone import alone_in
from kg.build.build import StorePlace, build_content
from kg.build.content_review import check_content, format_content
from kg.build.naming import accept_name, take_back_name
from kg.build.own_files import put_entities
from kg.cli.app import run
from kg.content.claims import read_claims
from kg.content.claims_file import ClaimsFile, read_claims_file
from kg.content.coverage import read_coverage_lists
from kg.content.entities import read_registry
from kg.content.folders import Content, ContentMissing, find_content, shipped_content
from kg.content.own_folder import content_conflicts, make_own_folder, resolve_conflict, ways_out
from kg.content.resolution import Resolver
from kg.content.vocabulary import read_vocabulary
from kg.errors import UsageError
from kg.ledger.derived import read_derived
from kg.session import open_graph
from tests.small_content import CLAIMS, write_small_content

SOURCES = """\
- {id: source/mine, kind: source, label: My report, form: report, publisher: org/acme}
"""
THINGS = """\
- {id: accelerator/acme-three, kind: accelerator, label: Acme Three, aliases: [A3], level: accelerator, maker: org/acme}
"""
MINE = """\
source: source/mine
groups:
- about: power
  claims:
  - {id: power.three, kind: specification, subject: accelerator/acme-three, level: accelerator, metric: power, printed: 1200 W,
    locator: table 1, unit: W, asserted_by: org/acme}
  - {id: power.one, kind: specification, subject: accelerator/acme-one, level: accelerator, metric: power, printed: 750 W,
    locator: table 1, unit: W, asserted_by: org/acme, note: against 900/power.one}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = make_own_folder(tmp_path / "mine").content.place
    (folder / "entities" / "sources.yaml").write_text(SOURCES)
    (folder / "entities" / "things.yaml").write_text(THINGS)
    (folder / "claims" / "mine.yaml").write_text(MINE)
    return folder


@pytest.fixture
def content(root: Path, own: Path) -> Content:
    return Content(root, own)


def records(content: Content) -> tuple[dict[str, object], list[str]]:
    registry = read_registry(content)
    return dict(registry.records), [one["id"] for one in read_claims(content, registry, read_vocabulary(content))]


def test_the_layered_content_builds_what_one_content_with_the_same_files_builds(
    tmp_path: Path, content: Content, own: Path
) -> None:
    whole = write_small_content(tmp_path / "whole").root
    for part, name in (("entities", "mine-sources"), ("entities", "things"), ("claims", "mine")):
        given = own / part / ("sources.yaml" if name == "mine-sources" else f"{name}.yaml")
        shutil.copy(given, whole / "seeds" / part / f"own-{name}.yaml")
    one = build_content(StorePlace(tmp_path / "a"), content)
    other = build_content(StorePlace(tmp_path / "b"), Content(whole))
    assert (one.claims, one.triples, one.findings, one.head) == (5, other.triples, other.findings, other.head)
    derived = [
        sorted(map(str, read_derived(tmp_path / store / "ledger" / "derived", one.head, rules=RULES_VERSION)))
        for store in ("a", "b")
    ]
    assert derived[0] == derived[1] and len(derived[0]) > 5


def test_what_lies_over_changes_the_digest_and_what_is_in_documents_does_not(content: Content, own: Path) -> None:
    before = content.digest(), content.fingerprint()
    (own / "documents" / "report.txt").write_text("700 W")
    assert (content.digest(), content.fingerprint()) == before
    (own / "claims" / "mine.yaml").write_text(MINE.replace("750", "760"))
    assert content.digest() != before[0] and content.fingerprint() != before[1]
    assert Content(content.root).digest() != before[0]


def test_a_check_reads_both_and_formats_only_ones_own(content: Content, own: Path) -> None:
    shipped = {path: path.read_bytes() for path in content.files()}
    (own / "claims" / "mine.yaml").write_text(MINE.replace("groups:", "groups:   "))
    changed = format_content(content, None, tell=lambda _: None)
    assert changed and all(content.is_own(path) for path in changed)
    counts = check_content(content, None).counts
    assert (counts["claims"], counts["claims of your own sources"], counts["conflicts"]) == (5, 2, 0)
    assert {path: path.read_bytes() for path in content.files()} == shipped


def test_a_check_reads_the_files_of_ones_own_as_often_as_it_has_to_and_not_for_each_claim(
    content: Content, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    format_content(content, None, tell=lambda _: None)
    read: list[Path] = []

    def noted(path: Path, **more: Any) -> ClaimsFile:
        read.append(path)
        return read_claims_file(path, **more)

    monkeypatch.setattr("kg.build.content_review.read_claims_file", noted)
    assert check_content(content, None).counts["claims"] > 1
    assert read == [own / "claims" / "mine.yaml"]


def test_an_id_that_is_shipped_now_leaves_the_shipped_thing_and_is_listed(content: Content, own: Path) -> None:
    (content.seeds / "entities" / "new.yaml").write_text(
        "- {id: accelerator/acme-three, kind: accelerator, label: Acme III, level: accelerator, maker: org/acme}\n"
    )
    known, claims = records(content)
    assert known["accelerator/acme-three"]["label"] == "Acme III" and "mine/power.three" in claims  # type: ignore[index]
    (conflict,) = content_conflicts(content)
    assert (conflict.kind, conflict.path, conflict.line) == ("id", "mine/entities/things.yaml", 1)
    assert ways_out(conflict)[0] == "kg content resolve accelerator/acme-three shipped"
    resolve_conflict(content, "accelerator/acme-three", "shipped")
    assert content_conflicts(content) == ()
    assert Resolver(read_registry(content)).resolve("accelerator", "A3").id == "accelerator/acme-three"
    format_content(content, None, tell=lambda _: None)
    check_content(content, None)


COMMENTED = """\
# things that nobody else knows

# measured by hand
- {id: accelerator/acme-four, kind: accelerator, label: Acme Four, level: accelerator, maker: org/acme}
# the one of the lab
- {id: accelerator/acme-three, kind: accelerator, label: Acme Three, aliases: [A3], level: accelerator, maker: org/acme}
# kept for later
"""


def test_resolving_keeps_comments_and_finds_things_in_folders_of_ones_own(content: Content, own: Path) -> None:
    """The comments of what stays; those of what is taken out go with it."""
    (content.seeds / "entities" / "new.yaml").write_text(THINGS)
    (own / "entities" / "things.yaml").unlink()
    (own / "entities" / "aliases.yaml").write_text("# names of the lab\naccelerator/acme-one: [A one]\n")
    things = own / "entities" / "lab" / "things.yaml"
    things.parent.mkdir()
    things.write_text(COMMENTED.replace("[A3]", "[A3, A drei]"))
    resolve_conflict(content, "accelerator/acme-three", "shipped")
    text = things.read_text()
    assert "acme-three" not in text and "the one of the lab" not in text
    assert all(one in text for one in ("# things that nobody", "# measured by hand", "# kept for later"))
    assert (own / "entities" / "aliases.yaml").read_text().startswith("# names of the lab")


def test_what_is_written_into_a_file_of_ones_own_keeps_its_comments(own: Path) -> None:
    things = own / "entities" / "things.yaml"
    things.write_text(COMMENTED)
    put_entities(things, [{"id": "accelerator/acme-three", "kind": "accelerator", "label": "Acme III"}])
    put_entities(things, [{"id": "accelerator/acme-five", "kind": "accelerator", "label": "Acme V"}])
    text = things.read_text()
    assert all(line in text for line in COMMENTED.splitlines() if line.startswith("#")) and "Acme V" in text


def test_a_full_disk_leaves_the_files_of_ones_own_as_they_were(
    content: Content, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (content.seeds / "entities" / "new.yaml").write_text(THINGS)
    before = (own / "entities" / "things.yaml").read_bytes()

    def full(path: Path, *_: object, **__: object) -> int:
        path.open("w").close()  # a file is emptied before it is written
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        resolve_conflict(content, "accelerator/acme-three", "shipped")
    assert (own / "entities" / "things.yaml").read_bytes() == before
    assert {one.name for one in (own / "entities").iterdir()} == {".gitkeep", "sources.yaml", "things.yaml"}


def test_a_thing_of_ones_own_stays_under_another_id_wherever_it_is_named(content: Content, own: Path) -> None:
    (content.seeds / "entities" / "new.yaml").write_text(
        "- {id: accelerator/acme-three, kind: accelerator, label: Acme III, level: accelerator, maker: org/acme}\n"
    )
    with pytest.raises(UsageError, match="begins with accelerator/"):
        resolve_conflict(content, "accelerator/acme-three", "own", other="org/x")
    resolve_conflict(content, "accelerator/acme-three", "own", other="accelerator/acme-3-lab")
    registry = read_registry(content)
    assert {"accelerator/acme-three", "accelerator/acme-3-lab"} <= set(registry.records)
    (claim,) = (
        one for one in read_claims(content, registry, read_vocabulary(content)) if one["id"] == "mine/power.three"
    )
    assert claim["subject"] == "accelerator/acme-3-lab"


def test_a_claim_that_is_shipped_now_is_listed_and_renamed_or_dropped(content: Content, own: Path) -> None:
    shutil.rmtree(own / "claims")
    (own / "claims").mkdir()
    text = CLAIMS[: CLAIMS.index("- about: speed")]
    (own / "claims" / "more.yaml").write_text(text)
    found = content_conflicts(content)
    assert [(one.kind, one.id) for one in found] == [("claim", "900/power.one"), ("claim", "900/power.two")]
    resolve_conflict(content, "900/power.one", "own", other="900/power.one-again")
    resolve_conflict(content, "900/power.two", "shipped")
    assert content_conflicts(content) == ()
    assert [name for name in records(content)[1] if "power" in name] == [
        "900/power.one",
        "900/power.one-again",
        "900/power.two",
    ]


def test_a_name_that_a_shipped_thing_has_now_is_left_to_it(content: Content, own: Path) -> None:
    shipped = "- {id: accelerator/acme-x, kind: accelerator, label: Acme X, aliases: [A3], level: accelerator, maker: org/acme}\n"
    (content.seeds / "entities" / "new.yaml").write_text(shipped)
    assert Resolver(read_registry(content)).resolve("accelerator", "A3").id == "accelerator/acme-x"
    (conflict,) = content_conflicts(content)
    assert (conflict.kind, conflict.name, conflict.shipped) == ("name", "A3", "accelerator/acme-x")
    resolve_conflict(content, "accelerator/acme-three", "shipped")
    registry = read_registry(content)
    assert registry.redirects == {"accelerator/acme-three": "accelerator/acme-x"}
    assert Resolver(registry).resolve("accelerator", "Acme Three").id == "accelerator/acme-x"
    (claim,) = (
        one for one in read_claims(content, registry, read_vocabulary(content)) if one["id"] == "mine/power.three"
    )
    assert claim["subject"] == "accelerator/acme-x" and content_conflicts(content) == ()


def test_a_label_is_given_up_for_another(content: Content) -> None:
    shipped = "- {id: accelerator/acme-x, kind: accelerator, label: Acme Three, level: accelerator, maker: org/acme}\n"
    (content.seeds / "entities" / "new.yaml").write_text(shipped)
    assert Resolver(read_registry(content)).resolve("accelerator", "Acme Three").id == "accelerator/acme-x"
    with pytest.raises(UsageError, match="another label"):
        resolve_conflict(content, "accelerator/acme-three", "own")
    resolve_conflict(content, "accelerator/acme-three", "own", other="Acme Three of the lab")
    assert content_conflicts(content) == ()
    assert Resolver(read_registry(content)).resolve("accelerator", "A3").id == "accelerator/acme-three"


def test_ids_that_the_shipped_content_gave_up_are_followed(content: Content, own: Path) -> None:
    (own / "claims" / "mine.yaml").write_text(MINE.replace("accelerator/acme-one", "accelerator/acme-1"))
    (content.seeds / "entities" / "redirects.yaml").write_text("accelerator/acme-1: accelerator/acme-one\n")
    registry = read_registry(content)
    claims = read_claims(content, registry, read_vocabulary(content))
    assert {one["subject"] for one in claims if one["id"] == "mine/power.one"} == {"accelerator/acme-one"}


def test_names_are_accepted_into_ones_own_folder(tmp_path: Path) -> None:
    own = make_own_folder(tmp_path / "mine").content.place
    made = accept_name("Lab H100 of ours", "accelerator/nvidia-h100-sxm-80gb", content=str(own))
    assert made.path == "mine/entities/aliases.yaml"
    content = find_content(own)
    assert Resolver(read_registry(content)).resolve("accelerator", "lab h100 of ours").id == made.id
    take_back_name("Lab H100 of ours", content=str(own))
    assert Resolver(read_registry(content)).resolve("accelerator", "lab h100 of ours").id is None


def test_figures_that_ones_own_folder_lists_stand_beside_those_that_are_shipped(content: Content, own: Path) -> None:
    for folder, at in ((content.seeds, 1), (own, 5)):
        (folder / "coverage").mkdir(exist_ok=True)
        text = f"source: source/900\nignored:\n- {{reason: date, at: {at}, to: {at + 2}}}\n"
        (folder / "coverage" / "900.yaml").write_text(text)
    assert [one.start for one in read_coverage_lists(content)["source/900"].ignored] == [1, 5]


@pytest.mark.skipif(os.name == "nt", reason="names of files are text there")
def test_a_file_whose_name_is_no_text_is_read_as_any_other(content: Content, own: Path) -> None:
    (own / "entities" / "things.yaml").rename(own / "entities" / os.fsdecode(b"\xff.yaml"))
    assert len(content.fingerprint()) == len(content.digest()) == 32
    assert "accelerator/acme-three" in records(content)[0]


def test_an_accepted_name_leaves_the_comments_of_the_file(tmp_path: Path) -> None:
    own = make_own_folder(tmp_path / "mine").content.place
    path = own / "entities" / "aliases.yaml"
    path.write_text("# the words of the lab\naccelerator/nvidia-h100-sxm-80gb:\n# since May\n- Big H of ours\n")
    accept_name("Lab H100 of ours", "accelerator/nvidia-h100-sxm-80gb", content=str(own))
    assert "# the words of the lab" in path.read_text() and "# since May" in path.read_text()
    take_back_name("Lab H100 of ours", content=str(own))
    assert "# the words of the lab" in path.read_text() and "# since May" in path.read_text()


def test_a_conflict_is_not_resolved_while_another_process_writes(
    content: Content, own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "entities" / "aliases.yaml").write_text("accelerator/acme-one: [Acme Two]\n")
    monkeypatch.setattr("kg.build.alone.SECONDS", 0.1)
    command = ["content", "resolve", "accelerator/acme-one", "shipped", "--content", str(own)]
    monkeypatch.setattr("kg.content.folders.shipped_content", lambda: Content(content.root))
    with alone_in(own):
        assert run(command) != 0
    assert "another process has been writing" in capsys.readouterr().err
    assert run(command) == 0


def test_a_store_remembers_the_folder_and_every_command_lays_it_over(
    tmp_path: Path, shipped_store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KG_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("KG_CONTENT", raising=False)
    own = tmp_path / "mine"
    assert run(["init", str(own)]) == 0
    (own / "entities" / "sources.yaml").write_text(SOURCES.replace("org/acme", "org/nvidia"))
    (own / "claims" / "mine.yaml").write_text(
        MINE.replace("accelerator/acme-one", "family/nvidia-b200")
        .replace("accelerator/acme-three", "family/nvidia-b200")
        .replace("org/acme", "org/nvidia")
    )
    before = {path: path.read_bytes() for path in shipped_content().files()}
    shipped = open_graph(shipped_store, content=shipped_content().root)
    graph = open_graph()
    assert {one["id"] for one in graph.records()} - {one["id"] for one in shipped.records()} >= {
        "mine/power.three",
        "mine/power.one",
        "source/mine",
    }
    capsys.readouterr()
    assert run(["trace", "mine/power.one"]) == 0
    assert "750 W" in capsys.readouterr().out
    assert run(["status", "--format", "json"]) == 0
    assert f'"content": "{own}"' in capsys.readouterr().out
    assert run(["content", "check"]) == 2
    assert "mine/claims/mine.yaml" in capsys.readouterr().err
    assert run(["content", "format"]) == 0 and run(["content", "check"]) == 0
    assert run(["content", "conflicts"]) == 0
    assert "agree" in capsys.readouterr().err
    monkeypatch.setenv("KG_CONTENT", str(own))
    assert find_content().own == own.resolve()
    assert {path: path.read_bytes() for path in shipped_content().files()} == before


def test_two_folders_on_one_store_are_told_and_both_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KG_STORE", str(tmp_path / "store"))
    assert run(["init", str(tmp_path / "one")]) == 0 and run(["init", str(tmp_path / "two")]) == 0
    assert f"was built from {tmp_path / 'one'} before, which stays as it is" in capsys.readouterr().err
    assert (tmp_path / "one" / "README.md").is_file()


def test_a_folder_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_CONTENT", str(tmp_path / "nothing"))
    with pytest.raises(ContentMissing, match="kg init"):
        find_content()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError):
        make_own_folder(tmp_path / "file")
    with pytest.raises(UsageError, match="lies over the shipped content"):
        make_own_folder(shipped_content().root)
