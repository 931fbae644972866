"""How many commands an analyst's question takes."""

from collections.abc import Sequence

from benchmarks.tries import GOAL, count_tries, mean, read_analyst_questions
from tests.cli.conftest import Kg


def test_there_are_forty_questions_each_with_commands_and_an_answer() -> None:
    questions = read_analyst_questions()
    assert len(questions) == len({one.question for one in questions}) == 40
    assert all(one.types and one.holds for one in questions)


def test_a_question_counts_until_a_command_shows_all_that_its_answer_holds() -> None:
    asked = read_analyst_questions()[0]._replace(types=(("find", "x"), ("show", "x")), holds=("a b", "c"))
    outputs = {"find": "a b", "show": "c a\n  b"}
    assert [one.commands for one in count_tries([asked], lambda words: outputs[words[0]])] == [2]
    (unanswered,) = count_tries([asked], lambda words: "a b")
    assert unanswered.commands == 3 and not unanswered.answered


def test_an_analyst_needs_little_more_than_one_command(kg: Kg) -> None:
    def run(words: Sequence[str]) -> str:
        done = kg(*words)
        return done.stdout + done.stderr

    counted = list(count_tries([one for one in read_analyst_questions() if not one.published], run))
    assert not [one.asked.question for one in counted if not one.answered]
    assert mean(counted) <= GOAL


def test_words_that_name_a_thing_and_a_metric_are_answered_with_its_claims(kg: Kg) -> None:
    for words, figure, asked in (
        (("memory", "bandwidth", "of", "the", "H200"), "4.8", "claims/of-metric --thing"),
        (
            ("energy", "per", "token", "of", "GPT-3"),
            "3.63",
            "energy/claims --metric",
        ),  # begins with the name of a topic
        (
            ("MFU", "of", "GPT-3", "training"),
            "54%",
            "claims/of-metric --thing",
        ),  # another question means it, and has no rows
    ):
        done = kg("ask", *words)
        assert figure in done.stdout and f"asked: kg ask {asked}" in done.stderr, words


def test_words_are_answered_by_another_question_of_their_topic_that_has_rows(kg: Kg) -> None:
    done = kg("ask", "fastest", "training", "of", "GPT-3")
    assert "no rows" in done.stderr and not done.stdout.strip(), "how many parameters it has is not how fast it trains"
    done = kg("ask", "is B200 faster than H200 on Llama 2 70B")
    assert "002/report.llama2.b200-h200" in done.stdout
    assert "asked: kg ask comparisons/compare --a b200 --b h200 --only 'llama 2 70b'" in done.stderr


def test_a_number_of_one_text_and_of_published_rows_is_the_texts(kg: Kg) -> None:
    done = kg("impact", "289712")
    assert "002/r1.gb200.offline.total" in done.stdout and "rows of published files" in done.stderr
