"""What somebody meets who follows README.md for the first time: mistakes, narrow terminals, files and stores of others."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from kg.build.writing import copy_ledger
from kg.cli.render import write_table
from kg.content.folders import shipped_content
from kg.content.meanings import known_terms, meanings
from kg.content.vocabulary import read_vocabulary
from kg.session import open_graph
from tests.cli.conftest import PROGRAM, ROOT, Kg

CURATING = (ROOT / "docs" / "curating.md").read_text(encoding="utf-8")
NARROW = 80


def records() -> list[dict[str, object]]:
    block = CURATING.split("## The same as JSON Lines", 1)[1].split("```json\n", 1)[1].split("```", 1)[0]
    return [json.loads(line) for line in block.splitlines()]


def lines(path: Path, *given: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in given), encoding="utf-8")
    return path


def narrow(kg: Kg, *arguments: str, columns: int = NARROW) -> str:
    done = kg(*arguments, COLUMNS=str(columns))
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "prices/claims", "--limit", "3"),
        ("ask", "specifications/of-thing", "--thing", "H200", "--limit", "3"),
        ("compare", "GB200", "H200"),
        ("find", "H200", "--limit", "6"),
        ("documents",),
        ("ask", "--limit", "5"),
    ],
)
def test_tables_fit_a_narrow_terminal_and_break_no_id(kg: Kg, arguments: tuple[str, ...]) -> None:
    shown = narrow(kg, *arguments).splitlines()
    table = shown[3 if arguments[0] == "compare" else 0 :]  # below the advice, which is running text
    assert [line for line in table if len(line) > NARROW and len(line.split()) > 1] == []  # an id alone is never folded
    assert [line for line in table if line != line.rstrip()] == []
    assert [line for line in table if re.search(r"\b\d{3}/[a-z0-9.-]*[-.](\s|$)", line)] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("trace", "72428"),
        ("compare", "GB200", "H200"),
        ("verify", "002/author.nvl72-dgx-b200.r1"),
        ("impact", "002/r1.gb200.offline.per-accelerator"),
        ("origins", "000/mistral.impact.training-speed.h200"),
        ("explain", "unit.slip"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_text_in_a_pipe_obeys_columns(kg: Kg, arguments: tuple[str, ...]) -> None:
    shown = narrow(kg, *arguments, columns=60)
    assert max(len(line) for line in shown.splitlines()) > 50
    assert [line for line in shown.splitlines() if len(line) > 60 and len(line.split()) > 1] == []


def test_a_wide_answer_is_written_as_blocks_of_name_and_value(kg: Kg) -> None:
    shown = narrow(kg, "ask", "prices/claims", "--metric", "capital-cost", "--limit", "2", "--wide")
    assert re.findall(r"^── (\d+) ─+$", shown, re.MULTILINE) == ["1", "2"]
    assert re.search(r"^claim +001/capex\.h100-server$", shown, re.MULTILINE)


def test_nothing_found_prints_no_empty_table(kg: Kg) -> None:
    done = kg("find", "nosuchthing")
    assert (done.returncode, done.stdout) == (0, "")
    assert (
        done.stderr.splitlines()[0] == "nothing matches nosuchthing"
        and "kg find nosuchthing --published" in done.stderr
    )
    csv = kg("ask", "prices/claims", "--metric", "purchase-price", "--format", "csv", "--limit", "1")
    assert csv.stdout.startswith("claim,")


def test_rows_without_any_value_are_counted(kg: Kg) -> None:
    assert kg("query", "SELECT (1/0 AS ?x) ?y WHERE {}").stdout == "x, y: 1 row without any value\n"
    assert kg("query", "SELECT * WHERE {}").stdout == "1 row without any value\n"
    done = kg("query", "--language", "cypher", "MATCH (c:Claim) RETURN null AS a LIMIT 2")
    assert (done.returncode, done.stdout) == (0, "a: 2 rows without any value\n")


def test_no_cell_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(("note",), [("\x1b[2J\u202egone",)])
    assert not re.search("[\x1b\u202e]", capsys.readouterr().out)


def test_the_list_of_questions_knows_limit(kg: Kg) -> None:
    done = kg("ask", "--limit", "3", "--format", "jsonl")
    assert len(done.stdout.splitlines()) == 3
    assert re.fullmatch(r"cut at 3 of \d+ questions\n", done.stderr)


# --- comparisons -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [("GB200", "H200"), ("H200", "GB200")])
def test_the_values_of_a_comparison_say_which_side_is_which(kg: Kg, asked: tuple[str, str]) -> None:
    """Asked as H200 against GB200, a bare "training-speed 2.5x" would read as if the H200 were the faster one."""
    shown = " ".join(kg("compare", *asked).stdout.split())
    assert "a whole rack of GB200 against one accelerator of H200" in shown
    assert "training speed 2.5x (" in shown
    assert "time per output token 5x lower" in shown
    assert "of H200 against" not in shown.partition("1. ")[0]


def test_without_a_ratio_and_for_metrics_that_are_named_it_says_what_is_stated_of_each(kg: Kg) -> None:
    shown = kg("compare", "MI325X", "B200").stdout
    assert shown.startswith(
        "MI325X against B200: no claim gives a ratio.\n  Stated        memory capacity: AMD Instinct"
    )
    named = kg("compare", "H100", "GB200", "--metric", "power").stdout
    assert "power: NVIDIA H100 series 700 W (confirmed), NVIDIA GB200 family" in named and "no ratio" not in named
    assert "Stated " not in kg("compare", "GB200", "H200").stdout
    (pair,) = json.loads(kg("compare", "H100", "GB200", "--metric", "power", "--format", "json").stdout)["specified"]
    assert (pair["metric"], pair["level"], pair["a"]["value"], pair["b"]["value"]) == (
        "power",
        "accelerator",
        "700 W",
        "1200 W",
    )


def test_a_percentage_says_what_it_is_of_the_other_side(kg: Kg) -> None:
    shown = " ".join(kg("compare", "MI300X", "H200", "--limit", "9").stdout.split())
    assert "peak compute 51.7% lower" in shown
    assert "10.4% higher" in shown


# --- traces ----------------------------------------------------------------------------------------------------------


def test_a_number_that_nothing_prints_is_not_offered_for_use(kg: Kg) -> None:
    shown = kg("trace", "1,234").stdout
    assert "1 claim states a figure within half a percent" in shown
    assert "value to use: 1,234" not in shown


def test_a_near_figure_has_its_unit_once(kg: Kg) -> None:
    told = kg("trace", "141TB").stderr
    assert "prints 141GB\n" in told and "GB GB" not in told


def test_a_claim_that_prints_nothing_still_has_a_label(kg: Kg) -> None:
    result = "mlcommons-inference-v5.0-page/5.0-0020.llama3.1-405b.offline.result"
    assert f"throughput [{result}-corrected]" in " ".join(kg("show", result).stdout.split())
    found = json.loads(kg("find", "result-corrected", "--published", "--format", "json").stdout)
    assert found and all(one["label"].startswith("throughput of ") for one in found)


def test_labels_stand_apart_from_their_text(kg: Kg) -> None:
    shown = kg("trace", "002/r1.gb200.offline.per-accelerator", "--wide").stdout
    assert re.search(r"^  (Same thing|Related) +[^ ]", shown, re.MULTILINE)


def test_what_a_correction_touches_fits_a_screen(kg: Kg) -> None:
    said = kg("impact", "002/r1.gb200.offline.per-accelerator").stdout
    assert len(said.splitlines()) <= 40 and "002/author.nvl72-dgx-b200.narrows" in said
    assert "18.4023" in kg("impact", "002/r1.gb200.offline.per-accelerator", "--wide").stdout


def test_the_problems_of_a_thing_open_with_a_figure_of_it(kg: Kg) -> None:
    assert "H200" in kg("audit", "H200").stdout.split(";", 1)[0]


def test_a_source_is_shown_with_its_problems(kg: Kg) -> None:
    said = kg("show", "002").stdout
    assert "Problems, the most damaging first" in said and "kg audit 002" in said
    assert "published_basis" not in said


def test_the_values_of_a_metric_open_with_the_lowest_and_the_highest(kg: Kg) -> None:
    assert re.search(
        r"is stated from [\d.]+ TB/s \(.*?\) to [\d.]+ TB/s", kg("show", "memory-bandwidth").stdout.replace("\n", " ")
    )


def test_a_query_file_may_be_standard_input(environment: dict[str, str]) -> None:
    words = [*PROGRAM, "query", "-f", "-", "--format", "csv"]
    done = subprocess.run(words, env=environment, input="SELECT (1 AS ?n) {}", capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout.split()) == (0, ["n", "1"])


def test_a_link_that_is_reached_on_two_ways_is_said_once(kg: Kg) -> None:
    said = kg("trace", "000/gpt-oss.impact.throughput", "--wide").stdout
    links = [line for line in said.splitlines() if "restates" in line]
    assert links
    assert len(links) == len(set(links))


def test_what_rests_on_a_figure_and_what_it_rests_on_keep_their_hedges(kg: Kg) -> None:
    assert "Used by        nearly tenfold [" in kg("trace", "72428", "--wide").stdout
    assert "rate = only 54.2 cent/Mtoken" in kg("trace", "001/gpt3.cost.total.2024-12", "--wide").stdout


def test_a_citation_of_an_input_names_the_input(kg: Kg) -> None:
    said = " ".join(kg("trace", "001/gpt3.cost.total.2024-12", "--wide").stdout.split())
    assert "Evidence 300B [001/gpt3.training-tokens], which restates GPT-3 paper" in said
    told = " ".join(kg("origins", "001/gpt3.cost.total.2024-12").stdout.split())
    assert (
        "Step 1 computed from 300B [001/gpt3.training-tokens] Step 2 300B [001/gpt3.training-tokens] restates GPT-3"
        in told
    )


# --- queries ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "SELECT ?c WHERE { ?c a kg:Claim }",
            '"kg:Claim" does not parse (error at 1:24: Prefix not found). Accepted: one of the prefixes k:, ',
        ),
        ("SELECT ?x WHERE {\n ?x nope:y ?z }", '"nope:y" does not parse (error at 2:5: Prefix not found). '),
        (
            "SELECT ?a (1 AS ?b) ?a WHERE { ?a ?c ?d }",
            '"?a twice behind SELECT" does not parse. Accepted: each column once. ',
        ),
        ("SELECT * WHERE { ?s ?p ", '"the end of the query" does not parse (error at 1:24). '),
    ],
)
def test_a_query_that_does_not_parse_is_told_its_own_place(kg: Kg, text: str, told: str) -> None:
    done = kg("query", text)
    assert done.returncode == 2
    assert done.stderr.startswith(told), done.stderr
    assert "\\u{" not in done.stderr
    assert "0'..='9" not in done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT ?x WHERE { ?x k:metric ", 'a variable, a name such as k:metric, a text in quotes, a number, "(", "."'),
        ("SELECT ?x { ?x k:metric ?y } LIMIT abc", "a number, HAVING, OFFSET, OPTIONAL, VALUES"),
        ("SELECT * { ?s ?p ?o", '",", ".", ";", "{", "}"'),
        ("SELECT ?x { FILTER(?x > ) }", "a function such as STR"),
    ],
)
def test_what_could_stand_in_a_query_is_said_in_words(kg: Kg, text: str, told: str) -> None:
    assert f"Accepted: SPARQL 1.1, here {told}\n" in kg("query", text).stderr


def test_looking_for_nothing_is_wrong_usage(kg: Kg) -> None:
    done = kg("find", " ")
    assert (done.returncode, done.stdout) == (2, "")


# --- loading ---------------------------------------------------------------------------------------------------------


def test_the_lines_shown_in_the_guide_load(kg: Kg, tmp_path: Path) -> None:
    done = kg("load", "claims", str(lines(tmp_path / "mine.jsonl", *records())), "--dry-run", "--format", "json")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)
    assert (told["added"], told["superseded"]) == ({"claim": 1, "source": 1}, [])


def test_a_file_that_replaces_a_claim_of_the_store_names_it(kg: Kg, tmp_path: Path) -> None:
    source, claim = records()
    taken = {**claim, "id": "001/price.gb200-nvl72-rack"}
    path = lines(tmp_path / "mine.jsonl", source, taken)
    done = kg("load", "claims", str(path), "--dry-run")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "the file would replace what the store said of 001/price.gb200-nvl72-rack\n"
    (told,) = json.loads(kg("load", "claims", str(path), "--dry-run", "--format", "json").stdout)
    assert told["superseded"] == ["001/price.gb200-nvl72-rack"]


def test_an_older_file_replaces_nothing(kg: Kg, shipped_store: Path, tmp_path: Path) -> None:
    store = ("--store", str(shutil.copytree(shipped_store, tmp_path / "own")))
    source, claim = records()
    new = lines(tmp_path / "new.jsonl", source, claim)
    old = lines(tmp_path / "old.jsonl", {**claim, "note": "earlier"})
    assert kg("load", "claims", str(new), "--edition", "2026-02-01", *store).returncode == 0
    done = kg("load", "claims", str(old), "--edition", "2026-01-01", "--format", "json", *store)
    assert json.loads(done.stdout)[0]["superseded"] == []


# --- a store that cannot be written ----------------------------------------------------------------------------------


def test_loaded_claims_come_along_when_the_view_is_made_elsewhere(kg: Kg, shipped_store: Path, tmp_path: Path) -> None:
    """A store of others that is older than the content: its claims must not be missing from the temporary one."""
    shared, temporary = tmp_path / "shared", tmp_path / "temporary"
    mine = lines(tmp_path / "mine.jsonl", *records())
    shutil.copytree(shipped_store, shared)
    assert kg("load", "claims", str(mine), "--store", str(shared)).returncode == 0
    for path in shared.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        temporary.mkdir()
        copy_ledger(shared, temporary)
    finally:
        for path in (shared, *shared.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    graph = open_graph(temporary)
    assert graph.show("my-bench/h200.llama2.offline").trace is not None
    graph.close()


def test_a_temporary_store_is_gone_when_the_program_ends(
    environment: dict[str, str], root: Path, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "queries", root / "queries", dirs_exist_ok=True)
    # the superuser writes everywhere
    program = "import kg.build.writing as it; it.is_writable = lambda _: False; from kg.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "trace", "700 W", "--content", str(root)],
        env={**environment, "KG_STORE": str(tmp_path / "store")},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    (folder,) = re.findall(r"temporary store at (\S+)", done.stderr)
    assert not Path(folder).exists()


def test_an_unknown_claim_id_is_nothing_found_and_says_how_to_look(kg: Kg) -> None:
    done = kg("trace", "002/no.such.claim")
    assert (done.returncode, done.stdout) == (0, "")
    assert "kg find TEXT" in done.stderr


def test_a_terminal_gets_the_gravest_findings_and_a_file_all(kg: Kg, tmp_path: Path) -> None:
    done = kg("audit", "--findings")
    assert "the 40 most severe of" in done.stderr and done.returncode == 0
    kg("audit", "--findings", "-o", str(tmp_path / "all.txt"))
    assert len((tmp_path / "all.txt").read_text(encoding="utf-8").splitlines()) > 2 * len(done.stdout.splitlines())


# --- the vocabulary


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("MFU", ("model FLOPs utilisation (mfu), metric", "54 % in BF16", "kg show mfu")),
        ("memory bandwidth", ("metric: Data per second", "4.8 TB/s", "kg find memory-bandwidth")),
        ("TDP", ("power, metric", "better lower", "thermal design power")),
        ("TB/s", ("unit: 1 TB/s is 1,000,000,000,000 byte/s", "data per time", "kg explain memory-bandwidth")),
        ("data-rate", ("kind of quantity: Data per time", "Gbit/s")),
        ("arithmetic", ("arithmetic.inconsistent",)),  # a family of codes, though it is also a word for a metric
        ("hedge", ("a printed word that loosens a figure",)),
    ],
)
def test_metrics_units_and_abbreviations_are_explained(kg: Kg, word: str, told: tuple[str, ...]) -> None:
    shown = narrow(kg, "explain", *word.split())
    assert max(map(len, shown.splitlines())) <= NARROW
    assert [one for one in told if one not in " ".join(shown.split())] == []


def test_every_word_of_the_vocabulary_is_explained() -> None:
    vocabulary = read_vocabulary(shipped_content())
    words = known_terms(vocabulary)
    assert len(words) > 500 and [word for word in words if not meanings(vocabulary, word)] == []
    found = json.loads(json.dumps([asdict(one) for one in meanings(vocabulary, "ttft")]))
    assert [one["id"] for one in found] == ["latency"] and found[0]["units"] == ["s"]


def test_what_bears_the_very_name_is_shown_before_what_has_it_as_a_further_one(kg: Kg) -> None:
    """A task has the name of its model, which is what is meant."""
    done = kg("show", "DeepSeek-R1")
    assert done.stdout.startswith("DeepSeek-R1 [model/deepseek-r1]")
    assert "DeepSeek-R1 is a name of task/mlperf-deepseek-r1 too" in done.stderr
