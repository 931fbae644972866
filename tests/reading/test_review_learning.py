"""What a review decided changes what is proposed next, the same decisions to the same file."""

import json
from pathlib import Path

import pytest

from kg.cli.app import run
from kg.content.folders import Content, find_content
from kg.errors import ContentError, UsageError
from kg.reading.knowledge import OWN_RANKER, ReadingKnowledge, knowledge_of, ranker_path
from kg.reading.learn import TaughtFigure
from kg.reading.passage import PassageReader
from kg.reading.propose import propose
from kg.reading.ranker import read_ranker, shipped_ranker
from kg.reading.review_learning import learn, learn_from_review, taught_by_review
from kg.reading.review_log import Decision, log_of
from tests.reading.conftest import figure, prose
from tests.reading.review_samples import FIGURES, sample

SENTENCES = [f"Beside the H100, rated at {number} W, stands the H200." for number in range(701, 721)]


def decided(knowledge: ReadingKnowledge) -> list[TaughtFigure]:
    """Twenty sentences in which someone took the second name and not the first."""
    report = prose(*SENTENCES)
    reader = PassageReader(report, knowledge.names.scan_all, knowledge.terms.scan)
    fields = {"subject": "family/nvidia-h200", "metric": "power"}
    return [TaughtFigure(reader.read(figure(report, str(number), "W")), fields) for number in range(701, 721)]


def subject(knowledge: ReadingKnowledge) -> str:
    report = prose("Beside the H100, rated at 650 W, stands the H200.")
    (made,) = propose(report, [figure(report, "650", "W")], knowledge)
    return made.fields["subject"][0].value


def decision(number: int, action: str, figure: int, **given: object) -> Decision:
    at = FIGURES[figure]
    return Decision(number, figure, at.start, at.printed, action, "me", "2026-01-01T00:00:00Z", **given)  # type: ignore[arg-type]


def test_what_was_taken_again_and_again_is_proposed_next_time(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    assert subject(knowledge) == "family/nvidia-h100"
    learnt = learn(decided(knowledge), tmp_path / "own.json", knowledge)
    assert learnt.figures == 20
    assert subject(knowledge.with_ranker(read_ranker(learnt.path))) == "family/nvidia-h200"


def confidences(knowledge: ReadingKnowledge) -> dict[tuple[int, str, str], float]:
    """How sure each candidate of some figures is, most of them of other things than was decided of."""
    sentences = ("Beside the H100, rated at 650 W, stands the H200.", "The H200 draws 705 W.", "A B200 costs $30,000.")
    report = prose(*sentences)
    figures = [figure(report, "650", "W"), figure(report, "705", "W"), figure(report, "30,000", "USD")]
    return {
        (at, name, one.value): one.confidence
        for at, made in enumerate(propose(report, figures, knowledge))
        for name, found in made.fields.items()
        for one in found
    }


def test_one_decision_moves_no_candidate_far_and_many_do(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    """One odd decision had turned the ranker round: 0.82 for the first name became 0.68 for the second."""
    before, moved = confidences(knowledge), {}
    for count in (1, 20):
        learnt = learn(decided(knowledge)[:count], tmp_path / "own.json", knowledge)
        after = confidences(knowledge.with_ranker(read_ranker(learnt.path)))
        moved[count] = max(abs(after[key] - value) for key, value in before.items() if key in after)
    assert 0 < moved[1] <= 0.25 < moved[20]


def test_the_same_decisions_give_the_same_file(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    files = [learn(decided(knowledge), tmp_path / name, knowledge).path.read_bytes() for name in ("a", "b")]
    assert files[0] == files[1]


def test_no_decision_leaves_the_weights_as_they_are(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    learnt = learn([], tmp_path / "own.json", knowledge)
    assert json.loads(learnt.path.read_text(encoding="utf-8")) == knowledge.ranker.weights


def test_a_log_teaches_what_was_accepted_and_not_what_was_undone(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    given = sample(tmp_path)
    taken = {"subject": "family/nvidia-h100", "metric": "power", "unit": "W", "conditions.phase": "inference"}
    log = [
        decision(0, "accept", 2, taken=taken, proposed=FIGURES[2].proposed()),
        decision(1, "accept", 3, taken=taken, proposed=FIGURES[3].proposed()),
        decision(2, "undo", 3, undoes=1),
        decision(3, "reject", 4, reason="idiom"),
    ]
    (taught,) = taught_by_review(given, log, knowledge)
    assert taught.passage.figure.printed == "700 W"
    assert taught.fields["subject"] == "family/nvidia-h100"
    assert taught.fields["level"] is None
    assert taught.conditions == {"phase": ("inference",)}


def test_a_new_name_teaches_as_the_thing_that_the_review_made_of_it(tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "entities").mkdir(parents=True)
    (own / "claims").mkdir()
    entity = "- {id: accelerator/frobnicator-x9, kind: accelerator, label: Frobnicator X9}\n"
    (own / "entities" / "new.yaml").write_text(entity, encoding="utf-8")
    known = knowledge_of(find_content(own))
    taken = {**FIGURES[1].proposed(), "subject": "new:Frobnicator X9", "baseline": "new:Nothing Known"}
    log = [decision(0, "accept", 1, taken=taken, proposed=FIGURES[1].proposed())]
    (taught,) = taught_by_review(sample(tmp_path), log, known)
    assert taught.fields["subject"] == "accelerator/frobnicator-x9"
    assert taught.fields["baseline"] == "new:Nothing Known"


def test_a_review_is_learnt_into_the_folder_of_ones_own(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    given = sample(tmp_path / "read")
    accepted = decision(0, "accept", 1, taken=FIGURES[1].proposed(), proposed=FIGURES[1].proposed())
    log_of(given.path).write_bytes(accepted.line())
    own = tmp_path / "own"
    own.mkdir()
    content = Content(find_content().root, own)
    assert ranker_path(content) is None
    learnt = learn_from_review(given.path, content, knowledge)
    assert (learnt.figures, learnt.path, ranker_path(content)) == (1, own / OWN_RANKER, own / OWN_RANKER)


def test_a_review_that_is_learnt_twice_counts_once_and_what_was_decided_since_then_counts(
    knowledge: ReadingKnowledge, tmp_path: Path
) -> None:
    given = sample(tmp_path / "read")
    first = decision(0, "accept", 1, taken=FIGURES[1].proposed(), proposed=FIGURES[1].proposed())
    log_of(given.path).write_bytes(first.line())
    own = tmp_path / "own"
    own.mkdir()
    content = Content(find_content().root, own)
    learn_from_review(given.path, content, knowledge)
    weights = (own / OWN_RANKER).read_bytes()
    again = learn_from_review(given.path, content, knowledge.with_ranker(read_ranker(own / OWN_RANKER)))
    assert (again.figures, (own / OWN_RANKER).read_bytes()) == (0, weights)
    later = decision(1, "accept", 2, taken=FIGURES[2].proposed(), proposed=FIGURES[2].proposed())
    log_of(given.path).write_bytes(first.line() + later.line())
    assert learn_from_review(given.path, content, knowledge).figures == 1
    (own / OWN_RANKER).unlink()
    assert learn_from_review(given.path, content, knowledge).figures == 2


def test_the_command_learns_and_the_next_report_is_read_with_it(tmp_path: Path) -> None:
    given = sample(tmp_path / "read")
    taken = {**FIGURES[1].proposed(), "subject": "family/nvidia-h100"}
    lines = [decision(0, "accept", 1, taken=taken, proposed=FIGURES[1].proposed()).line()]
    log_of(given.path).write_bytes(b"".join(lines))
    own = tmp_path / "own"
    for name in ("entities", "claims"):
        (own / name).mkdir(parents=True)
    assert run(["review", str(given.path), "--learn", "--content", str(own)]) == 0
    assert knowledge_of(find_content(own)).ranker == read_ranker(own / OWN_RANKER)
    assert knowledge_of(find_content(own)).ranker != shipped_ranker()


def test_without_a_folder_of_ones_own_nothing_is_learnt(knowledge: ReadingKnowledge, tmp_path: Path) -> None:
    given = sample(tmp_path)
    with pytest.raises(UsageError, match="no folder of your own"):
        learn_from_review(given.path, Content(find_content().root), knowledge)


@pytest.mark.parametrize("damaged", ["", "[]", "{", '{"a": 5}', '{"a": {"b": "x"}}', "[" * 100_000, "\xff"])
def test_damaged_weights_are_told_as_such_and_not_as_a_fault_of_the_report(tmp_path: Path, damaged: str) -> None:
    (tmp_path / OWN_RANKER).write_text(damaged, encoding="latin-1")
    with pytest.raises(ContentError, match=OWN_RANKER):
        knowledge_of(Content(find_content().root, tmp_path))
