"""What a figure is of: shared out in a row, meant by a pronoun, described without a name, or known from the section."""

import pytest

from kg.reading.candidates_subject import named_things
from kg.reading.clause import apposed, pointed_at
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.noun_phrases import noun_phrases
from kg.reading.passage import Passage, PassageReader
from kg.reading.propose import propose_claim
from kg.reading.text import Block, ReportText
from tests.reading.conftest import figure, prose, table


def passage_of(knowledge: ReadingKnowledge, report: ReportText, printed: str, unit: str | None = None) -> Passage:
    reader = PassageReader(report, knowledge.names.scan_all, knowledge.terms.scan)
    return reader.read(figure(report, printed, unit))


POINTED = [
    ("The H100 and the H200 have 80 GB and 141 GB respectively.", "80", "in turn", "family/nvidia-h100"),
    ("The H100 and the H200 have 80 GB and 141 GB respectively.", "141", "in turn", "family/nvidia-h200"),
    ("H200 gains 30 percent over H100 (4.8 vs 3.35 TB/s).", "3.35", "in turn", "family/nvidia-h100"),
    ("The pooling factor rises from 8 (H100) to 72.", "8", "noted", "family/nvidia-h100"),
    ("The GB200 NVL72 system (36 nodes of it) is liquid-cooled.", "36", "label", "system/nvidia-gb200-nvl72"),
    (
        "With its 141 GB of memory, the H200 can hold more than the B200.",
        "141",
        "named after its pronoun",
        "family/nvidia-h200",
    ),
]


@pytest.mark.parametrize(("sentence", "printed", "rule", "subject"), POINTED)
def test_the_place_of_a_figure_says_what_it_is_of(
    knowledge: ReadingKnowledge, sentence: str, printed: str, rule: str, subject: str
) -> None:
    passage = passage_of(knowledge, prose(sentence), printed)
    pointed = pointed_at(passage, lambda near: knowledge.names.class_of(near.mention.ids[0]), lambda near: False)
    assert (rule, subject) == next((how, near.mention.ids[0]) for how, near in pointed)


APPOSED = [
    ("The A100 reaches 2.0 TB/s of memory bandwidth and the H100 SXM 3.9 TB/s.", "3.9", "TB/s", "nvidia-h100-sxm-80gb"),
    ("The A100 reaches 2.0 TB/s of memory bandwidth, the MI300X (5.3 TB/s) more.", "5.3", "TB/s", "amd-mi300x"),
    ("The A100 reaches 2.0 TB/s of memory bandwidth, as to the MI300X: 5.3 TB/s.", "5.3", "TB/s", "amd-mi300x"),
]


@pytest.mark.parametrize(("sentence", "printed", "unit", "subject"), APPOSED)
def test_an_amount_that_follows_a_name_at_once_is_of_it_whatever_was_named_before(
    knowledge: ReadingKnowledge, sentence: str, printed: str, unit: str, subject: str
) -> None:
    made = propose_claim(passage_of(knowledge, prose(sentence), printed, unit), knowledge)
    named = made.first("subject")
    assert named is not None and named.value == f"accelerator/{subject}"
    assert sum(one.confidence for one in made.fields["subject"]) == pytest.approx(1, abs=0.01)


NOT_APPOSED = [
    ("The B200 has in the H100 and the MI300X 80 GB and 192 GB respectively.", "192", "GB", "in turn"),
    ("The B200 was preferred to the MI300X 3 times.", "3", None, "no unit"),
    ("The B200 draws more than the MI300X at 750 W.", "750", "W", "a word between"),
    ("The B200 was dearer: 8*MI300X - $9,000 a month.", "$9,000", "USD", "several of it"),
    ("The B200 takes the place of MI300X 64 GPUs at a time.", "64", "count:gpu", "a count"),
]


@pytest.mark.parametrize(("sentence", "printed", "unit", "why"), NOT_APPOSED, ids=[one[3] for one in NOT_APPOSED])
def test_what_is_shared_out_counted_or_apart_is_left_to_habit(
    knowledge: ReadingKnowledge, sentence: str, printed: str, unit: str | None, why: str
) -> None:
    passage = passage_of(knowledge, prose(sentence), printed, unit)
    assert apposed(passage, lambda near: knowledge.names.class_of(near.mention.ids[0])) is None


CARRIED = [
    "The B200 is new. Its power is 2.5x that of the H100, replacing 8,000 H100s by 2,000, a gain of 300 percent.",
    "The B200 is new. In Llama 2 70B inference, its throughput reaches 300 percent of the old.",
    "The B200 is new. Compared to the H200, it is quicker: with equal load, latency falls; and cost falls by 300 percent.",
]


@pytest.mark.parametrize("text", CARRIED)
def test_a_pronoun_speaks_for_all_clauses_that_go_on_from_it(knowledge: ReadingKnowledge, text: str) -> None:
    things = named_things(passage_of(knowledge, prose(text), "300", "%"), knowledge)
    assert [thing.id for thing in things if "rule pronoun" in thing.features] == ["family/nvidia-b200"]


DESCRIBED = [
    ("Analysts say that 40% of regional hospitals will follow.", "40%", "share of", "regional hospitals"),
    ("The cost of translation agents rose to 28 units.", "28", "of metric before", "translation agents"),
    ("An urban bakery in 2022 consumed 10,791 kWh.", "10,791", "clause subject", "urban bakery"),
    ("The Oakland Data Port has saved 34% so far.", "34%", "clause subject", "Oakland Data Port"),
    ("An urban US bakery in 2022 consumed 10,791 kWh.", "10,791", "clause subject", "urban US bakery"),
    ("Gartner predicts that by 2027, bakeries will pay 34% more.", "34%", "clause subject", "bakeries"),
    ("The proportion of rye in the bread market rose from 37%.", "37%", "within", "bread market"),
    ("NVIDIA's bakery line has saved 34% so far.", "34%", "clause subject", "bakery line"),
    ("They ran it on a 24-GPU configuration for a day.", "24", "counted whole around", "24-GPU configuration"),
    ("They trained Zeta 70B MoE on it.", "70", "sized model around", "Zeta 70B MoE"),
    ("It needs 31-billion-parameter models to pay.", "31", "described model around", "31-billion-parameter models"),
    ("The Oakland Pod 64 incorporates 64 ovens.", "64 ovens", "clause subject", "Oakland Pod 64"),
    ("By 2030, 60% of bakery ordering processes will be automatic.", "60%", "share of", "bakery ordering processes"),
    ("The 5nm processes are 40% more efficient.", "40%", "clause subject", "5nm processes"),
    ("The proportion of imported chips fell to 42%.", "42%", "of metric before", "imported chips"),
    ("There are in-memory engines (10x higher output) too.", "10x", "bracket", "in-memory engines"),
    (
        "The utilization of small and medium-sized bakeries is 20%.",
        "20%",
        "of metric before",
        "small and medium-sized bakeries",
    ),
    ("Then 40% of bakery chains will follow, far exceeding 2% a year before.", "2%", "share before", "bakery chains"),
    ("The at-memory compute engine is 10x higher in efficiency.", "10x", "clause subject", "at-memory compute engine"),
    ("There are wafer ovens (10x higher output) as well.", "10x", "bracket", "wafer ovens"),
    ("Zeta has the Koala 3 (4B, 27B) and more.", "27B", "bracket", "Koala 3"),
    ("The bread app can save bakers 50% of their evenings.", "50%", "indirect object", "bakers"),
    ("The city and a $20 billion bakery fund drive it.", "$20 billion", "attribute of", "bakery fund"),
    ("The old bakery efficiently serves 40% of them.", "40%", "clause subject", "old bakery"),
    ("They ran a 31B parameter model on it.", "31B", "described model around", "31B parameter model"),
    ("They use the H100 Yoho cluster with 8 links.", "8", "named kind", "Yoho"),
]


@pytest.mark.parametrize(("sentence", "printed", "rule", "name"), DESCRIBED)
def test_a_thing_without_a_known_name_is_called_as_the_sentence_calls_it(
    knowledge: ReadingKnowledge, sentence: str, printed: str, rule: str, name: str
) -> None:
    passage = passage_of(knowledge, prose(sentence), printed, "%" if printed.endswith("%") else None)
    found = {phrase.rule: phrase for phrase in noun_phrases(passage)}
    assert found[rule].printed == name
    assert sentence[found[rule].start :].startswith(name)


def test_a_name_inside_a_longer_description_is_not_what_the_sentence_is_of(knowledge: ReadingKnowledge) -> None:
    made = propose_claim(
        passage_of(knowledge, prose("A 24-card MI300X system is only 2x as fast."), "2x", "1"), knowledge
    )
    assert [one.value for one in made.fields["subject"]][:1] == ["new:24-card MI300X system"]
    prefixed = passage_of(knowledge, prose("In Llama 3.1 405B it needs 8 GB."), "8", "GB")
    assert [one.printed for one in noun_phrases(prefixed)] == []


def test_who_says_a_thing_is_not_its_subject(knowledge: ReadingKnowledge) -> None:
    sentence = "Microsoft estimates that 40% of bakeries will follow."
    made = propose_claim(passage_of(knowledge, prose(sentence), "40%", "%"), knowledge)
    assert [one.value for one in made.fields["subject"]][:1] == ["new:bakeries"]
    assert [one.value for one in made.fields["asserted_by"]] == ["org/microsoft"]


def test_several_systems_that_are_not_counted_are_their_family(knowledge: ReadingKnowledge) -> None:
    passage = passage_of(knowledge, prose("It reaches 1,500 tokens/s on GB200 systems."), "1,500", "token/s")
    assert "new:GB200 systems" not in {thing.id for thing in named_things(passage, knowledge)}
    passage = passage_of(knowledge, prose("It reaches 1,500 tokens/s on a GB200 system."), "1,500", "token/s")
    assert "new:GB200 system" in {thing.id for thing in named_things(passage, knowledge)}


def test_who_acts_in_the_sentence_is_marked(knowledge: ReadingKnowledge) -> None:
    sentence = "Intel found a way, and Microsoft has reduced its bills by 20%."
    things = {one.id: one for one in named_things(passage_of(knowledge, prose(sentence), "20%", "%"), knowledge)}
    assert "agent nearest" in things["org/microsoft"].features
    assert "agent nearest" not in things["org/intel"].features


def test_the_scenario_of_a_row_is_no_part_of_the_name_before_it(knowledge: ReadingKnowledge) -> None:
    rows = (("NVIDIA RTX PRO 6000 Offline", "26205.30"), ("NVIDIA RTX PRO 6000 Server", "26001.04"))
    report = table(("Accelerator Scenario", "Result (Tokens/s)"), *rows)
    offline, made = (
        propose_claim(passage_of(knowledge, report, printed, "token/s"), knowledge)
        for printed in ("26205.30", "26001.04")
    )
    for one in (offline, made):
        assert one.fields["subject"][0].value == "accelerator/nvidia-rtx-pro-6000-blackwell"
    assert [one.value for one in made.conditions["scenario"]][:1] == ["scenario/server"]
    report = table(("Accelerator", "Result (Tokens/s)"), *rows)
    made = propose_claim(passage_of(knowledge, report, "26001.04", "token/s"), knowledge)
    assert made.fields["subject"][0].value == "accelerator/nvidia-rtx-pro-6000-blackwell-server"


def test_words_of_a_metric_are_no_thing(knowledge: ReadingKnowledge) -> None:
    passage = passage_of(knowledge, prose("The memory bandwidth is 4.8 TB/s."), "4.8", "TB/s")
    assert list(noun_phrases(passage)) == []
    assert list(noun_phrases(passage_of(knowledge, prose("They reached it in 2022: 34% so far."), "34", "%"))) == []
    for empty in (
        "The utilization in busy scenarios is 34%.",
        "This platform supports 34% of them.",
        "With this, anyone can save 34% of it.",
    ):
        assert list(noun_phrases(passage_of(knowledge, prose(empty), "34", "%"))) == [], empty


def test_what_a_section_is_about_is_offered_where_a_paragraph_names_nothing(knowledge: ReadingKnowledge) -> None:
    far = "They were set up with care over several days, and nothing else of note was changed in between. " * 6
    report = prose("All runs use H100 nodes.", far, "Then utilisation rises to 54%.", headings=("Results",))
    (share,) = propose_claim(passage_of(knowledge, report, "54", "%"), knowledge).fields["subject"][:1]
    assert (share.value, share.reason) == ("family/nvidia-h100", "named most above it in its section")


def test_a_section_ends_at_a_heading(knowledge: ReadingKnowledge) -> None:
    parts = (("paragraph", "All runs use H100 nodes."), ("heading", "Costs"), ("paragraph", "It rises to 54%."))
    text, blocks = "", []
    for kind, part in parts:
        blocks.append(Block("heading" if kind == "heading" else "paragraph", len(text), len(text) + len(part)))
        text += part + "\n\n"
    report = ReportText(text, "0" * 64, "0" * 64, "text", tuple(blocks))
    passage = passage_of(knowledge, report, "54", "%")
    assert [near for near in passage.names if near.zone == "section"] == []


def test_in_a_column_of_accelerators_a_name_shared_by_chip_and_family_is_the_chip(knowledge: ReadingKnowledge) -> None:
    report = table(("Accelerator", "Throughput (tokens/s)"), ("GB200", "12,677"))
    proposal = propose_claim(passage_of(knowledge, report, "12,677", "token/s"), knowledge)
    assert [one.value for one in proposal.fields["subject"]][:1] == ["accelerator/nvidia-gb200-gpu"]
    assert "family/nvidia-gb200" in [one.value for one in proposal.fields["subject"]]


def test_a_quotient_of_an_average_is_one_whether_its_header_is_in_the_plural_or_not(
    knowledge: ReadingKnowledge,
) -> None:
    report = table(("Accelerator", "Avg Accelerators", "Result per Accelerator"), ("H200", "7.2", "12,677"))
    proposal = propose_claim(passage_of(knowledge, report, "12,677", "token/s"), knowledge)
    assert [one.value for one in proposal.fields.get("statistic", ())][:1] == ["mean"]
