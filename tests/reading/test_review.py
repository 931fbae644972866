"""A review without a terminal: what is decided, kept, taken back, and found again after a kill."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from errno import ENOSPC
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from kg.audit.audit import AuditInput, audit
from kg.build.content_review import check_content, format_content
from kg.build.reviewed import OwnFolderKeeper, open_keeper
from kg.build.source_details import SourceDetails
from kg.content.coverage import read_coverage_lists
from kg.content.entities import read_registry
from kg.content.folders import Content, shipped_content
from kg.content.own_folder import make_own_folder
from kg.content.registry_files import ReadOnlyContent
from kg.errors import ContentError, DocumentError, KgError, UsageError
from kg.reading.figure import ReportFigure
from kg.reading.proposal import ClaimProposal
from kg.reading.proposals_file import Proposals, proposed_figure, read_proposals, write_proposals
from kg.reading.review import ReviewSession, open_review
from kg.reading.review_effort import effort_of
from kg.reading.review_log import Decision, ReviewLogDamaged, log_of, read_log
from kg.reading.text import Block
from tests.own_content import copied_audit
from tests.own_content import own_claims as claims_of_source
from tests.reading.review_samples import FIGURES, TEXT, a_keeper, candidate, keeper_of, report, sample


def moment() -> datetime:
    return datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.fixture
def proposals(tmp_path: Path) -> Proposals:
    return sample(tmp_path / "in")


@pytest.fixture
def content(tmp_path: Path) -> Content:
    return make_own_folder(tmp_path / "mine").content


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OwnFolderKeeper:
    """A keeper with all that is shipped: reading it takes most of a test."""
    work = tmp_path_factory.mktemp("opened")
    return open_keeper(make_own_folder(work / "mine").content, sample(work / "in"))


@pytest.fixture
def keeper(opened: OwnFolderKeeper, content: Content, proposals: Proposals) -> OwnFolderKeeper:
    assert content.own is not None
    return a_keeper(opened, content, proposals)


@pytest.fixture
def session(keeper: OwnFolderKeeper, proposals: Proposals) -> ReviewSession:
    return open_review(proposals.path, keeper, who="ada", clock=moment)


def own_claims(content: Content) -> dict[str, Any]:
    return claims_of_source(content, "source/look-at-h200")


def as_a_format_writes_it(content: Content) -> bool:
    """All that a check asks of the folder but the shipped claims, which take seconds to read."""
    return format_content(content, None, tell=lambda _: None) == []


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_proposals_are_read_as_they_were_written(proposals: Proposals) -> None:
    again = read_proposals(proposals.path)
    assert again.report == proposals.report and again.source == "source/look-at-h200"
    assert [(one.start, one.printed, one.reason) for one in again.figures] == [
        (one.start, one.printed, one.reason) for one in FIGURES
    ]
    assert again.figures[1].candidates["subject"] == FIGURES[1].candidates["subject"]
    assert again.text() == TEXT
    assert "carries" not in proposals.path.read_text()  # no sentence of the report


def test_a_file_that_is_none_is_refused_with_its_lines(proposals: Proposals) -> None:
    proposals.path.write_text(proposals.path.read_text().replace("format: markdown", "form: markdown"))
    with pytest.raises(ContentError) as caught:
        read_proposals(proposals.path)
    assert caught.value.code == "review.proposals" or "review.proposals" in str(caught.value)
    with pytest.raises(ContentError, match="kg read FILE"):
        read_proposals(proposals.path.with_name("none.yaml"))


def test_accepted_claims_and_rejected_figures_are_curated_content_that_passes_the_check(
    session: ReviewSession, content: Content
) -> None:
    assert session.figure.printed == "150 GB"
    session.accept()
    assert session.next_open() and session.figure.printed == "700 W"
    session.reject("idiom")
    session.next_open()
    session.choose("subject", "family/nvidia-b200")
    session.choose("conditions.precision", "precision/fp8")
    session.accept()
    claims = own_claims(content)
    assert set(claims) == {"look-at-h200/memory-capacity.nvidia-h200", "look-at-h200/memory-bandwidth.nvidia-b200"}
    memory = claims["look-at-h200/memory-capacity.nvidia-h200"]
    assert memory["kind"] == "specification" and memory["asserted_by"] == "org/look-at-h200-author"
    assert memory["anchor"]["start"] == TEXT.index("150 GB")
    (ignored,) = read_coverage_lists(content)["source/look-at-h200"].ignored
    assert (ignored.reason, TEXT[ignored.start : ignored.end]) == ("idiom", "700 W")
    assert content.own is not None
    counts = check_content(content, content.own / "documents")
    assert counts.documents == 1 and counts.counts["claims of your own sources"] == 2
    assert session.progress() == {"proposed": 4, "accepted": 2, "rejected": 1, "open": 1}


def test_the_audit_says_at_once_what_a_claim_contradicts(session: ReviewSession, keeper: OwnFolderKeeper) -> None:
    session.accept()  # 150 GB, where others say 141
    new = keeper.difference.new
    assert any("look-at-h200/memory-capacity.nvidia-h200" in {name for name, _ in one.claims} for one in new), new
    session.undo()
    assert {one.id for one in keeper.difference.gone} == {one.id for one in new}


def test_a_claim_alone_brings_no_finding_that_the_whole_audit_has_not(
    content: Content, keeper: OwnFolderKeeper
) -> None:
    """Scopes whose claims do not differ are not judged in a review either: one price in dollars is in no other currency."""
    held = copied_audit(keeper.audit)
    of = held.auditor
    given = AuditInput(
        held.claims, of.registry, of.units, of.deriver, of.references, tuple(chain.from_iterable(of.lists.values()))
    )
    known = {one.id for one in audit(given)}
    for claim in random.Random(20261129).sample(sorted(held.claims), 60):
        record = held.claims[claim]
        held.take(claim)
        assert {one.id for one in held.put(record).new} <= known, claim


def names_now(keeper: OwnFolderKeeper) -> None:
    keeper.keep_name("organisation/acme-hopper", "Hopper of Acme", "organisation")


def another_name_of_a_subject(keeper: OwnFolderKeeper) -> None:
    (keeper.folder / "entities" / "aliases.yaml").write_text("family/nvidia-b200: [B200 of the lab]\n")
    names_now(keeper)


def the_kind_of_a_subject(keeper: OwnFolderKeeper) -> None:
    path = keeper.folder / "entities" / "new-in-look-at-h200.yaml"
    path.write_text(path.read_text().replace("kind: accelerator", "kind: superchip"))
    names_now(keeper)


@pytest.mark.parametrize("change", [names_now, another_name_of_a_subject, the_kind_of_a_subject])
def test_after_a_change_of_the_folder_the_audit_is_as_if_it_was_opened_then(
    session: ReviewSession, keeper: OwnFolderKeeper, content: Content, change: Callable[[OwnFolderKeeper], None]
) -> None:
    session.choose("subject", "new:Acme Nine")
    session.accept()
    change(keeper)
    audit, opened = (
        keeper.audit,
        keeper.audit.of(content, keeper.registry, keeper.vocabulary, keeper.audit.claims.values()),
    )
    assert audit.members == opened.members
    assert audit.auditor.registry == opened.auditor.registry == keeper.registry.records
    session.next_open()
    session.accept()
    (claim,) = set(keeper.audit.claims) - set(opened.claims)
    assert opened.put(keeper.audit.claims[claim]) == keeper.difference


def test_undo_leaves_the_folder_as_it_was(session: ReviewSession, content: Content) -> None:
    assert content.own is not None
    session.accept()
    before = files_of(content.own)
    session.next_open()
    session.accept()
    session.next_open()
    session.reject("example-not-claim")
    assert [session.undo().action, session.undo().action] == ["reject", "accept"]  # type: ignore[union-attr]
    assert files_of(content.own) == before and session.figure.printed == "700 W"
    session.undo()
    assert session.undo() is None and own_claims(content) == {}


def test_a_decided_figure_is_opened_again_whatever_was_decided_since(session: ReviewSession, content: Content) -> None:
    at = session.position
    session.choose("conditions.precision", "precision/fp8")
    first = session.accept().claim
    session.next_open()
    session.reject("idiom")
    session.next_open()
    later = session.accept().claim
    session.position = at
    with pytest.raises(UsageError, match="open it again"):
        session.accept()
    assert session.reopen().claim == first  # type: ignore[union-attr]
    assert session.status() == "open" and session.reopen() is None
    assert set(own_claims(content)) == {later} and session.status(at + 1) == "rejected"
    assert session.values()["conditions.precision"] == "precision/fp8"
    session.choose("subject", "family/nvidia-b200")
    again = session.accept().claim
    assert again != first and set(own_claims(content)) == {again, later}
    session.position = at + 1
    session.reopen()
    assert session.progress() == {"proposed": 4, "accepted": 2, "rejected": 0, "open": 2}
    assert session.undo().action == "accept" and session.status(at) == "open"  # type: ignore[union-attr]


def test_candidates_go_round_and_a_choice_is_undone(session: ReviewSession) -> None:
    assert session.values()["subject"] == "family/nvidia-h200"
    assert session.next_candidate("subject") == "family/nvidia-h100"
    assert session.next_candidate("subject") == "" and "subject" not in session.values()
    assert session.next_candidate("subject") == "family/nvidia-h200"
    session.choose("subject", "family/nvidia-b200")
    assert session.candidates("subject")[0].value == "family/nvidia-b200"
    session.undo()
    assert session.values()["subject"] == "family/nvidia-h200"


@pytest.mark.parametrize(
    ("reason", "second"), [("header of the row", "superchip/acme-2"), ("near", "family/nvidia-h200")]
)
def test_what_a_row_says_of_itself_comes_before_the_row_before(
    proposals: Proposals, keeper: OwnFolderKeeper, reason: str, second: str
) -> None:
    offered = (candidate("new:Acme Two", reason=reason), candidate("superchip/acme-2", 0.02, reason))
    rows = list(proposals.figures)
    rows[2] = replace(rows[2], candidates={**rows[2].candidates, "subject": offered})
    session = open_review(
        proposals.path, keeper, who="ada", clock=moment, proposals=replace(proposals, figures=tuple(rows))
    )
    session.accept()
    session.next_open()
    assert session.figure.printed == "700 W" and session.next_candidate("subject") == second


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("relation", "count:gpu", "ratio"),
        ("level", "chips", "accelerator"),
        ("modality", "sure", "expected"),
        ("conditions.precison", "precision/fp8", "did you mean precision"),
    ],
)
def test_what_no_list_has_is_refused_when_it_is_typed(
    session: ReviewSession, name: str, value: str, accepted: str
) -> None:
    with pytest.raises(UsageError, match=accepted):
        session.choose(name, value)
    assert session.decisions == []


def test_an_empty_statistic_offers_those_there_are(session: ReviewSession) -> None:
    assert "statistic" not in session.figure.candidates
    assert [session.next_candidate("statistic") for _ in range(3)] == ["mean", "median", "max"]
    assert session.values()["statistic"] == "max"


def test_a_claim_that_is_wrong_is_not_decided_and_nothing_is_written(session: ReviewSession, content: Content) -> None:
    assert content.own is not None
    before = files_of(content.own)
    session.choose("subject", "accelerator/nobody-knows")
    with pytest.raises(KgError, match="known entity"):
        session.accept()
    session.choose("subject", "")
    with pytest.raises(UsageError, match="a subject"):
        session.accept()
    assert session.status() == "open" and files_of(content.own) == before


def test_what_is_decided_is_not_decided_again_and_reasons_are_those_of_the_list(session: ReviewSession) -> None:
    with pytest.raises(UsageError, match="page-furniture"):
        session.reject("do not like it")
    session.accept()
    with pytest.raises(UsageError, match="undo"):
        session.reject("date")
    with pytest.raises(UsageError, match="conditions"):
        session.choose("colour", "red")


def test_the_log_says_who_when_what_was_proposed_and_what_was_taken(
    session: ReviewSession, proposals: Proposals
) -> None:
    session.choose("level", "node")
    session.keys = 2
    session.accept()
    _, line = log_of(proposals.path).read_text().splitlines()
    told = json.loads(line)
    assert (told["who"], told["when"], told["keys"]) == ("ada", "2026-03-04T05:06:07+00:00", 2)
    assert told["proposed"]["level"] == "accelerator" and told["taken"]["level"] == "node"


def test_a_review_goes_on_where_it_was_left(
    session: ReviewSession, keeper: OwnFolderKeeper, proposals: Proposals
) -> None:
    session.accept()
    session.next_open()
    session.choose("level", "node")
    again = open_review(proposals.path, keeper, who="bob", clock=moment)
    assert again.figure.printed == "700 W" and again.values()["level"] == "node"
    assert again.progress() == session.progress()


def test_what_a_kill_left_undone_after_the_log_is_done_when_the_review_goes_on(
    session: ReviewSession, proposals: Proposals, content: Content, tmp_path: Path
) -> None:
    decided = session.accept()
    assert content.own is not None
    (content.own / "claims" / "look-at-h200.yaml").unlink()  # as if killed between log and claim
    fresh = open_keeper(content, proposals)
    open_review(proposals.path, fresh, who="ada", clock=moment)
    assert set(own_claims(content)) == {decided.claim}
    with open(log_of(proposals.path), "ab") as file:
        file.write(b'{"number": 1, "act')  # and a line that was cut
    again = open_review(proposals.path, fresh, who="ada", clock=moment)
    assert len(again.decisions) == 1 and again.status(1) == "accepted"
    again.reject("idiom")
    assert [one.action for one in read_log(log_of(proposals.path))] == ["accept", "reject"]


def test_a_decision_that_does_not_get_to_the_disk_leaves_nothing_in_the_log(
    session: ReviewSession, keeper: OwnFolderKeeper, proposals: Proposals, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.choose("level", "node")

    def full(_: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("kg.reading.review.os.fsync", full)
        with pytest.raises(OSError, match="space"):
            session.choose("level", "rack")
    session.choose("level", "pod")
    again = open_review(proposals.path, keeper, who="ada", clock=moment)
    assert [one.value for one in again.decisions] == ["node", "pod"]


def test_what_could_not_be_kept_is_kept_before_anything_else_is_decided(
    session: ReviewSession, keeper: OwnFolderKeeper, content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = OwnFolderKeeper.keep

    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(OwnFolderKeeper, "keep", full)
        with pytest.raises(OSError, match="space"):
            session.accept()
        first = session.decisions[-1].claim
        assert session.next_open()
        with pytest.raises(OSError, match="space"):
            session.accept()
        assert len(session.decisions) == 1
    assert OwnFolderKeeper.keep is keep
    second = session.accept()
    assert set(own_claims(content)) == {first, second.claim}


def test_what_could_not_be_kept_can_be_taken_back(
    session: ReviewSession, content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(OwnFolderKeeper, "keep_rejected", full)
        with pytest.raises(OSError, match="space"):
            session.reject("idiom")
        session.undo()
    assert session.status() == "open"
    session.reject("idiom")
    assert [one.action for one in session.decisions] == ["reject", "undo", "reject"]


def test_to_look_at_a_log_changes_none_of_it(session: ReviewSession) -> None:
    """The line without its end may be the one that a review under way is writing."""
    session.choose("level", "node")
    with open(session.log, "ab") as file:
        file.write(b'{"number": 1, "act')
    before = session.log.read_bytes()
    assert len(read_log(session.log)) == 1 and session.log.read_bytes() == before


def test_a_log_of_another_reading_or_a_damaged_one_is_refused(
    session: ReviewSession, keeper: OwnFolderKeeper, proposals: Proposals
) -> None:
    session.accept()
    log = log_of(proposals.path)
    text = log.read_text()
    log.write_text(text.replace('"150 GB"', '"151 GB"'))
    with pytest.raises(ReviewLogDamaged, match="another reading"):
        open_review(proposals.path, keeper, who="ada")
    for nonsense in ("nonsense\n", '{"x": ' + "[" * 100_000 + "\n"):
        log.write_text(nonsense + text)
        with pytest.raises(ReviewLogDamaged):
            open_review(proposals.path, keeper, who="ada")


def test_a_new_name_can_be_the_subject(session: ReviewSession, keeper: OwnFolderKeeper, content: Content) -> None:
    keeper.keep_name("accelerator/acme-9", "Acme 9", "accelerator")
    session.choose("subject", "accelerator/acme-9")
    session.accept()
    assert own_claims(content)["look-at-h200/memory-capacity.acme-9"]["subject"] == "accelerator/acme-9"
    assert as_a_format_writes_it(content)


def test_a_candidate_that_nobody_knows_becomes_a_thing_of_the_folder_and_goes_with_the_last_claim_of_it(
    session: ReviewSession, content: Content
) -> None:
    session.choose("subject", "new:Acme 9 Ultra")
    session.accept()
    session.next_open()
    session.choose("subject", "new:Acme 9 ultra")
    session.accept()
    claims = own_claims(content)
    assert {one["subject"] for one in claims.values()} == {"accelerator/acme-9-ultra"}
    assert set(claims) == {"look-at-h200/memory-capacity.acme-9-ultra", "look-at-h200/power.acme-9-ultra"}
    made = read_registry(content).records["accelerator/acme-9-ultra"]
    assert (made["kind"], made["label"]) == ("accelerator", "Acme 9 Ultra")
    check_content(content, None)
    session.undo()
    assert "accelerator/acme-9-ultra" in read_registry(content).records
    while session.undo():
        pass
    assert "accelerator/acme-9-ultra" not in read_registry(content).records
    assert own_claims(content) == {} and as_a_format_writes_it(content)


def test_a_new_baseline_of_another_level_is_a_thing_of_that_level(session: ReviewSession, content: Content) -> None:
    session.position = 4
    session.choose("level", "rack")
    session.choose("subject", "new:Acme Rack 72")
    session.choose("baseline", "new:H200")
    session.accept()
    (claim,) = own_claims(content).values()
    assert (claim["subject"], claim["baseline"]) == ("system/acme-rack-72", "family/nvidia-h200")
    assert read_registry(content).records["system/acme-rack-72"]["kind"] == "rack"


@pytest.mark.parametrize(
    ("name", "below"),
    [
        ("H200 node", {"member_of": "family/nvidia-h200"}),
        ("MI300X server", {"member_of": "family/amd-mi300", "accelerator_inside": "accelerator/amd-mi300x"}),
        ("H100 and H200 node", {}),
        ("Acme node", {}),
    ],
)
def test_a_new_system_is_below_the_one_chip_that_its_name_holds(
    name: str, below: dict[str, str], session: ReviewSession, content: Content
) -> None:
    session.choose("level", "node")
    session.choose("subject", f"new:{name}")
    session.accept()
    (claim,) = own_claims(content).values()
    made = read_registry(content).records[claim["subject"]]
    stated = {key: value for key, value in made.items() if key in ("member_of", "accelerator_inside", "maker")}
    assert (made["kind"], stated) == ("node", below)
    check_content(content, None)
    session.undo()
    assert claim["subject"] not in read_registry(content).records


def test_a_comparison_that_names_no_baseline_is_kept_as_one(session: ReviewSession, content: Content) -> None:
    session.position = 4
    session.choose("baseline", "")
    session.accept()
    (claim,) = own_claims(content).values()
    assert (claim["kind"], claim.get("baseline"), claim["baseline_status"]) == ("comparison", None, "unstated")


def test_the_id_of_a_thing_that_breaks_the_folder_is_refused_and_leaves_it_as_it_was(
    keeper: OwnFolderKeeper, content: Content
) -> None:
    assert content.own is not None
    keeper.keep_name("accelerator/acme-9", "Acme 9", "accelerator")
    before = files_of(content.own)
    for identifier, label in (
        ("../../x", "y"),
        ("Acme 9", "y"),
        ("accelerator/acme-8", ""),
        ("accelerator/acme-8", " - "),
    ):
        with pytest.raises(KgError):
            keeper.keep_name(identifier, label, "accelerator")
        assert files_of(content.own) == before
    read_registry(content)


@pytest.mark.parametrize("day", ["", "yesterday", "2025-02-30"])
def test_a_day_that_is_none_is_refused_before_anything_is_decided(
    proposals: Proposals, content: Content, day: str
) -> None:
    """It was found with the first decision, in the file of sources, which nothing could read from then on."""
    with pytest.raises(UsageError, match="--published"):
        open_keeper(content, proposals, details=SourceDetails(published=day))


def test_a_source_that_does_not_pass_leaves_the_folder_as_it_was(
    keeper: OwnFolderKeeper, proposals: Proposals, content: Content
) -> None:
    keeper.details = SourceDetails(form="no form")
    with pytest.raises(KgError, match="no form"):
        keeper.keep_rejected(proposals.figures[0], "idiom")
    assert content.own is not None and not (content.own / "entities" / "sources.yaml").exists()
    read_registry(content)


@pytest.mark.parametrize("publisher", ["org/nvidia", "NVIDIA", "nvidia"])
def test_a_publisher_may_be_given_by_name(proposals: Proposals, content: Content, publisher: str) -> None:
    keeper = open_keeper(content, proposals, details=SourceDetails(publisher=publisher))
    assert keeper.details.publisher == "org/nvidia"


def test_without_a_folder_or_the_text_there_is_no_review(proposals: Proposals, content: Content) -> None:
    with pytest.raises(ReadOnlyContent, match="kg init"):
        open_keeper(shipped_content(), proposals)
    with pytest.raises(KgError, match="organisation"):
        open_keeper(content, proposals, details=SourceDetails(publisher="org/nobody"))
    with pytest.raises(KgError, match=r"kg names accept 'Qwxz Weekly' --new org/qwxz-weekly"):
        open_keeper(content, proposals, details=SourceDetails(publisher="Qwxz Weekly"))
    (text,) = (proposals.path.parent / "look.texts").iterdir()
    text.write_text(TEXT.replace("150", "151"))
    with pytest.raises(DocumentError, match="kg read"):
        open_keeper(content, proposals)


def test_a_review_tells_what_it_took(keeper: OwnFolderKeeper, proposals: Proposals) -> None:
    time = [moment()]
    session = open_review(proposals.path, keeper, who="ada", clock=lambda: time[0])

    def press(keys: int, seconds: int) -> None:
        session.keys += keys
        time[0] += timedelta(seconds=seconds)

    press(1, 20)
    session.accept()
    session.next_open()
    press(2, 10)
    session.choose("statistic", "max")
    press(1, 30)
    session.accept()
    session.next_open()
    press(1, 301)  # a break
    session.reject("idiom")
    effort = effort_of(session.decisions)
    assert (effort.accepted, effort.rejected, effort.minutes, effort.breaks, effort.untimed) == (2, 1, 1.0, 1, 0)
    assert effort.keys == 2 and effort.corrected == {"statistic": 1}
    assert effort_of(read_log(log_of(proposals.path))) == effort
    again = open_review(proposals.path, keeper, who="ada", clock=lambda: time[0])
    time[0] += timedelta(seconds=60)  # time between two openings is not counted, that since the opening is
    again.undo()
    after = effort_of(again.decisions)
    assert (after.rejected, after.minutes) == (0, 2.0)


def test_a_log_without_times_says_so(session: ReviewSession) -> None:
    session.accept()
    line = json.loads(session.log.read_text())
    del line["seconds"]
    session.log.write_text(json.dumps(line) + "\n")
    effort = effort_of(read_log(session.log))
    assert (effort.minutes, effort.untimed) == (0, 1) and "without a time" in effort.line()


def test_a_thing_that_an_accepted_claim_makes_is_told_with_its_kind(
    session: ReviewSession, keeper: OwnFolderKeeper
) -> None:
    session.choose("subject", "new:Acme Nine")
    session.accept()
    assert keeper.report()[0] == "made accelerator/acme-nine (accelerator): Acme Nine"
    session.next_open()
    session.accept()
    assert not keeper.report()[0].startswith("made")


class _CountedLog(list[Decision]):
    """Decisions that count how often they are walked over."""

    walks = 0

    def __iter__(self) -> Iterator[Decision]:
        type(self).walks += 1
        return super().__iter__()


def test_what_a_screen_asks_walks_over_the_log_a_few_times_however_many_figures_there_are(
    session: ReviewSession,
) -> None:
    session.proposals = replace(session.proposals, figures=session.figures * 50)
    while session.next_open() and session.position < 40:
        session.reject("version")
    session.decisions = _CountedLog(session.decisions)
    progress, values = session.progress(), session.all_values()
    session.next_open()
    assert _CountedLog.walks <= 12
    assert progress["rejected"] == len(session.decisions) > 20
    assert values == [session.values(position) for position in range(len(session.figures))]
    assert session.statuses() == [session.status(position) for position in range(len(session.figures))]


def test_a_condition_that_is_not_likely_enough_is_one_key_away(tmp_path: Path, content: Content) -> None:
    of = next(one for one in FIGURES if one.printed == "700 W")
    seen = ClaimProposal(
        ReportFigure(of.start, of.end, "700 W", None, "W", None, "absolute", Block("paragraph", 0, 99))
    )
    offered = proposed_figure(replace(seen, offered={"precision": (candidate("precision/fp8", 0.2),)})).candidates
    figures = [replace(of, candidates={**of.candidates, **offered})]
    given = write_proposals(tmp_path / "look.yaml", report(), figures, file="look.md", source="source/look")
    read = read_proposals(given.path)
    assert "conditions.precision" not in read.figures[0].proposed()
    session = open_review(given.path, keeper_of(content, read), who="ada")
    assert "conditions.precision" in session.fields() and "conditions.precision" not in session.values()
    assert [session.next_candidate("conditions.precision") for _ in range(2)] == ["precision/fp8", ""]


def with_comments(path: Path, *lines: tuple[str, str]) -> None:
    """Write a comment above the first line that holds a text; behind it where the comment begins with a space."""
    text = path.read_text()
    for at, comment in lines:
        line = next(line for line in text.splitlines() if at in line)
        indent = line[: len(line) - len(line.lstrip())]
        text = text.replace(line, f"{line}{comment}" if comment[0] == " " else f"{indent}{comment}\n{line}", 1)
    path.write_text(f"# of the lab\n{text}# more to come\n")


def test_a_comment_stays_above_the_claim_or_figure_that_a_person_wrote_it_for(
    session: ReviewSession, keeper: OwnFolderKeeper, content: Content
) -> None:
    session.move(2)  # past the one of 700 W
    assert session.figure.printed == "4.8 TB/s"
    session.accept()
    claims = keeper.folder / "claims" / "look-at-h200.yaml"
    with_comments(claims, ("memory-bandwidth", "# read in the footnote"), ("4.8 TB/s", "  # of the SXM card"))
    session.move(-2)
    session.accept()  # stands before the other one in the text, and so in the file
    lines = claims.read_text().splitlines()
    (bandwidth,) = (at for at, line in enumerate(lines) if "id: memory-bandwidth" in line)
    (capacity,) = (at for at, line in enumerate(lines) if "id: memory-capacity" in line)
    assert capacity < bandwidth and lines[bandwidth - 1].strip() == "# read in the footnote", lines
    assert (lines[0], lines[-1]) == ("# of the lab", "# more to come")
    assert lines.index("    # of the SXM card") > bandwidth and as_a_format_writes_it(content)
    session.undo()
    assert [line.strip() for line in claims.read_text().splitlines() if "#" in line] == [
        "# of the lab",
        "# read in the footnote",
        "# of the SXM card",
        "# more to come",
    ]


def test_a_list_of_figures_that_are_no_claims_keeps_its_comments(
    session: ReviewSession, keeper: OwnFolderKeeper
) -> None:
    session.move(1)
    assert session.figure.printed == "700 W"
    session.reject("idiom")
    coverage = keeper.folder / "coverage" / "look-at-h200.yaml"
    coverage.write_text(coverage.read_text().replace("[{", "\n- {").replace("}]", "}"))
    with_comments(coverage, ("reason: idiom", "# the board, not the chip"))
    session.move(-1)
    session.reject("date")
    before = coverage.read_text()
    text = before.splitlines()
    (idiom,) = (at for at, line in enumerate(text) if "idiom" in line)
    assert text[idiom - 1].strip() == "# the board, not the chip" and "date" in text[idiom - 2]
    assert (text[0], text[-1]) == ("# of the lab", "# more to come")
    session.undo()
    assert "date" not in coverage.read_text() and "# the board, not the chip" in coverage.read_text()


def test_a_file_with_a_comment_of_a_person_is_left_when_its_last_claim_goes(
    session: ReviewSession, keeper: OwnFolderKeeper, content: Content
) -> None:
    session.accept()
    claims = keeper.folder / "claims" / "look-at-h200.yaml"
    with_comments(claims)
    session.undo()
    assert claims.read_text().splitlines() == [
        "# of the lab",
        "source: source/look-at-h200",
        f"document: {keeper.proposals.report.document}",
        "groups: []",
        "# more to come",
    ]
    assert as_a_format_writes_it(content)
