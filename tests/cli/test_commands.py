"""Every command: help with an example that runs, data apart from talk, exit codes, messages for wrong usage."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from kg.cli.app import COMMANDS, run
from kg.errors import StoreError, UsageError
from kg.session import open_graph
from tests.cli.conftest import PROGRAM, Kg
from tests.small_content import claim, write_lines, write_small_content, write_text

ESCAPE = "\x1b"
pytestmark = pytest.mark.usefixtures("opened_once")


def test_help_lists_every_command_with_what_its_help_says(kg: Kg) -> None:
    done = kg("--help")
    assert [name for name in COMMANDS if not re.search(rf"^  {name} ", done.stdout, re.MULTILINE)] == []
    assert (done.returncode, done.stderr, kg().stdout, kg("-h").stdout) == (0, "", done.stdout, done.stdout)


def example_of(kg: Kg, name: str) -> list[str]:
    done = kg(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert ESCAPE not in done.stdout
    last = done.stdout.rstrip().splitlines()
    assert last[-3].strip() == "Example:", "a help text ends with its example"
    words = shlex.split(last[-1].strip())
    assert words[:2] == ["kg", name]
    return words[1:]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_at_the_end_of_each_help_runs(
    kg: Kg, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = example_of(kg, name)
    write_lines(tmp_path / "claims.jsonl", claim())  # what an example may read
    if name in ("load", "build", "reset", "documents"):  # these write; they get content and a store of their own
        root = write_small_content(tmp_path / "content").root
        write_lines(tmp_path / "mine.jsonl", claim())
        write_text(tmp_path / "texts")
        store = "my-store" if name == "reset" else "other"
        kg("build", "--content", str(root), "--store", str(tmp_path / store))
        words = [word.replace("../texts", "texts") for word in words]
        words += [
            "--content",
            str(root),
            *([] if "--store" in words else ["--store", store]),
            *(["--yes"] if name == "reset" else []),
        ]
    if name == "serve":  # it would serve until it is stopped; tests/web runs it
        assert words[:1] == ["serve"]
        return
    if name in ("check", "read", "review"):
        for text in ("report.md", "draft.md"):
            (tmp_path / text).write_text("# H200\n\nThe H200 has 141 GB of memory.\n", "utf-8")
    if name == "review":  # what an example reviews is made by the command before it, and keys need a terminal
        assert kg("init", "mine").returncode == 0
        assert kg("read", "report.md", "-o", words[1]).returncode == 0
        done = kg(*words, "--content", "mine")
        assert "terminal" in done.stderr, done.stderr
        return
    if name == "add":  # it writes, and only into a folder of one's own
        assert kg("init", "mine").returncode == 0
        words += ["--content", "mine"]
    done = kg(*words)
    if name in ("push", "pull"):  # their examples name a server that is not there; tests/servers runs them on real ones
        assert done.returncode == 3, done.stderr
        assert "kg explain" in done.stderr
        return
    assert done.returncode in ((0, 1) if name in ("audit", "conflicts", "verify") else (0,)), done.stderr
    assert ESCAPE not in done.stdout + done.stderr


@pytest.mark.parametrize("language", ["sparql", "cypher"])
@pytest.mark.parametrize(
    "asked",
    [("compare", "--a", "GB200", "--b", "H200"), ("prices/claims", "--metric", "rental-price"), ("names/keys",)],
)
def test_the_printed_text_of_a_question_gives_its_rows(kg: Kg, asked: tuple[str, ...], language: str) -> None:
    text = kg("ask", *asked, "--query", "--language", language).stdout
    body = [line for line in text.splitlines() if not line.startswith("PREFIX")]
    assert not any(mark in line for line in body for mark in ("#COLUMNS", "#FRAGMENT", "#VALUES"))
    assert not any(re.search(r"\$[a-z_]", line) for line in body), "a parameter; $1 is a group of a pattern"
    rows = kg("query", "--language", language, "--format", "csv", text).stdout.splitlines()
    assert sorted(rows[1:]) == sorted(kg("ask", *asked, "--format", "csv").stdout.splitlines()[1:])
    assert len(rows) > 3


def test_topics_are_listed_and_the_questions_of_one(kg: Kg) -> None:
    topics = kg("ask").stdout.splitlines()
    assert topics[0].split() == ["topic", "questions"]
    assert any(line.split()[:2] == ["systems", "accelerators,"] for line in topics)
    listed = kg("ask", "systems", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["name"] for line in listed] == [
        "systems/accelerators",
        "systems/levels",
        "systems/members",
        "systems/parts",
        "systems/wholes",
    ]
    assert len(kg("ask", "--format", "jsonl").stdout.splitlines()) > 80


def test_a_table_has_the_columns_of_the_header_and_more_when_asked(kg: Kg) -> None:
    asked = ("ask", "specifications/by-metric", "--metric", "power", "--format", "markdown")
    assert kg(*asked).stdout.splitlines()[0] == (
        "| subject_label | level | printed | conditions | source | verdict | claim |"
    )
    assert len(kg(*asked, "--wide").stdout.splitlines()[0]) > 180
    assert kg(*asked, "--columns", "claim, unit").stdout.splitlines()[:1] == ["| claim | unit |"]
    refused = kg(*asked, "--columns", "claim,watts")
    assert refused.returncode == 2 and "watts" in refused.stderr and "subject_label" in refused.stderr
    assert "| metric/" not in kg("ask", "compare", "--a", "GB200", "--b", "H200", "--format", "markdown").stdout


def test_the_help_of_a_question_shows_its_parameters_and_ends_with_its_example(kg: Kg) -> None:
    done = kg("ask", "prices/claims", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: kg ask prices/claims " in done.stdout
    assert re.search(
        r"--metric <list-of-metric>\n +may be repeated; default: rental-price, price-discount,", done.stdout
    )
    compared = kg("ask", "comparisons/compare", "--help").stdout
    assert "a name covers its family" in compared and "needed; for example: GB200" in compared
    assert kg(*shlex.split(compared.splitlines()[-1])[1:]).stdout.count("GB200") > 1
    unknown = kg("ask", "comparisons/comparee", "--help")
    assert unknown.returncode == 2 and "comparisons/compare" in unknown.stderr


def test_words_that_mean_no_saved_question_and_hold_a_figure_are_answered_with_where_it_comes_from(kg: Kg) -> None:
    asked = kg("ask", "A report gives 72,428 tokens per second for one GB200 accelerator. Can I use that?")
    assert asked.stdout.startswith("72,428 is stated of NVIDIA GB200 GPU, not of every GB200, and is wrong.")
    assert "asked: kg trace 72,428" in asked.stderr
    unknown = kg("ask", "is 987654.321 anywhere to be seen")
    assert unknown.stdout == "987654.321 is unknown. No claim states it.\n" and "kg trace 987654.321" in unknown.stderr


def test_what_an_organisation_says_itself_is_told_apart_from_what_is_said_of_it(kg: Kg) -> None:
    rows = [
        json.loads(one)
        for one in kg("ask", "claims/of-speaker", "--organisation", "NVIDIA", "--format", "jsonl").stdout.splitlines()
    ]
    assert {one["asserted_by"] for one in rows} == {"org/nvidia"} and {one["source"] for one in rows} > {"source/000"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tarce"], "Did you mean kg trace?"),
        (["zzzzz"], '"zzzzz" is not a command. Accepted: trace, compare'),
        (["compar", "GB200"], '"compar" is not a command. Did you mean kg compare?'),
        (["H200"], '"H200" is not a command. Did you mean kg show H200?'),
        (["72,428"], '"72,428" is not a command. Did you mean kg trace 72,428?'),
        (["who makes the MI300X"], "Did you mean kg ask 'who makes the MI300X'?"),
        (["--nothing"], '"--nothing"'),
        (["status", "--nothing"], "see kg status --help"),
        (["status", "--format", "xml"], "see kg status --help"),
        (["status", "surplus"], "see kg status --help"),
        (["trace"], "see kg trace --help"),
        (["compare"], "see kg compare --help"),
        (["show"], "see kg show --help"),
        (["find"], "see kg find --help"),
        (["ask", "no/such"], "is not a saved question"),
        (["ask", "--limit", "0"], "see kg ask --help"),
        (["ask", "--limit", "many"], "see kg ask --help"),
        (["query"], "SELECT, ASK, CONSTRUCT, DESCRIBE"),
        (["query", "ASK {}", "-f", "x"], "or -f FILE"),
        (["query", "-f", "missing.rq"], "missing.rq"),
        (["query", "ASK {}", "--language", "gremlin"], "--language"),
        (["export", "xlsx"], "jsonl"),
        (["load"], "kg load --list"),
        (["load", "claims"], "at least one file"),
        (["load", "claims", "x.jsonl", "--edition", "soon"], "a date such as"),
        (["content", "chek"], "check, format, coverage, copy, conflicts or resolve"),
        (["documents", "atach"], "list, attach or detach"),
        (["documents", "attach"], "kg documents attach DIR"),
        (["documents", "attach", "nowhere"], "a folder with the source texts"),
        (["explain", "arithmetic.inconsistnt"], "Did you mean arithmetic.inconsistent"),
        (["status", "--content", "nowhere"], "kg init nowhere"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_wrong_usage_is_exit_2_with_a_message_that_helps(
    arguments: list[str],
    said: str,
    store: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KG_STORE", str(store))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code = run(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert said in err and re.search(r"\n  kg explain [a-z.-]+\n$", err)
    assert "Traceback" not in err and "internal" not in err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://localhost:3030/ds", 'Did you mean "sparql+http://localhost:3030/ds"?'),
        ("HTTPS://me:hush@host/ds", 'Did you mean "sparql+https://host/ds"?'),
        ("bogus://x", "A folder is named by its path"),
        ("file:///data/store", "A folder is named by its path"),
    ],
)
def test_an_address_of_no_server_is_refused_and_makes_no_folder(
    address: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["find", "72428"],
        ["query", "ASK {}"],
        ["status"],
        ["build"],
        ["load", "claims", "x.jsonl"],
        ["reset", "--yes"],
    ):
        monkeypatch.delenv("KG_STORE", raising=False)
        assert run([*arguments, "--store", address]) == 2
        assert capsys.readouterr().err.startswith("--store: ")
        monkeypatch.setenv("KG_STORE", address)
        assert run(arguments) == 2
        err = capsys.readouterr().err
        assert (
            err.startswith("KG_STORE: ") and "a folder, or one of neo4j://" in err and "kg explain store.address" in err
        )
        assert said in err and "hush" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_name_may_hold_a_colon(kg: Kg, tmp_path: Path) -> None:
    root = write_small_content(tmp_path / "content").root
    assert kg("build", "--content", str(root), "--store", "a:b").returncode == 0
    assert (tmp_path / "a:b" / "rdf").is_dir()


def test_a_place_out_of_reach_is_exit_3_with_a_message(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = kg("export", "jsonl", "-o", "file/claims.jsonl")
    assert (done.returncode, done.stdout) == (3, "")
    assert "Accepted: a file or folder" in done.stderr and "kg explain store" in done.stderr


def test_a_file_is_no_store(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = kg("build", "--store", "file")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Accepted: a folder. this is a file" in done.stderr and (tmp_path / "file").read_text() == "in the way"


NO_STORES = {
    "file": "this is a file",
    "file/below": "file is a file",
    "link": "link is a link to what is not there",
    "link/below": "link is a link to what is not there",
    "circle": "circle is a link in a circle",
    "/dev/null": "this is no folder",
}


@pytest.mark.parametrize("place", NO_STORES)
def test_what_can_be_no_folder_is_no_store_and_none_is_offered_there(kg: Kg, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "circle").symlink_to("circle")
    for words in (("compare", "GB200", "H200"), ("build",)):
        done = kg(*words, "--store", place)
        assert (done.returncode, done.stdout) == (2, "")
        assert NO_STORES[place] in done.stderr and "makes one there" not in done.stderr
    with pytest.raises(UsageError, match=NO_STORES[place]):
        open_graph(tmp_path / place)


def test_a_folder_that_may_not_be_read_is_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_, **__: False)  # whoever runs the tests may read everything
    with pytest.raises(UsageError, match="may not be read by this user"):
        open_graph(tmp_path)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder in which nobody makes one")
def test_a_store_that_cannot_be_made_is_an_error_of_ours() -> None:
    with pytest.raises(StoreError, match=r"^/proc/x: .*check the path"):
        open_graph("/proc/x")


def test_a_mistake_of_the_program_is_a_message_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KG_DEBUG", raising=False)
    monkeypatch.setattr("kg.sync.status.store_status", lambda *_, **__: 1 / 0)
    assert run(["status"]) == 2
    err = capsys.readouterr().err
    assert "ZeroDivisionError" in err and "KG_DEBUG=1" in err and "Traceback" not in err


def test_data_and_talk_are_apart(kg: Kg, tmp_path: Path) -> None:
    root = write_small_content(tmp_path / "content").root
    assert kg("build", "--store", "s", "--content", str(root)).returncode == 0
    claims = root / "seeds" / "claims" / "900.yaml"
    claims.write_text(claims.read_text() + "# changed\n")
    first = kg("query", "ASK { ?s ?p ?o }", "--format", "json", "--store", "s", "--content", str(root))
    assert json.loads(first.stdout) == [{"answer": True}]
    assert first.stderr == "the content has changed; building the store again\n"
    claims.write_text(claims.read_text() + "# again\n")
    second = kg("query", "ASK { ?s ?p ?o }", "--format", "json", "--store", "s", "--content", str(root), "--quiet")
    assert (second.stdout, second.stderr) == (first.stdout, "")


def test_a_result_that_was_cut_says_so(kg: Kg) -> None:
    done = kg("query", "SELECT ?c { ?c a k:ComparisonClaim } ORDER BY ?c", "--limit", "2", "--format", "jsonl")
    assert len(done.stdout.splitlines()) == 2 and "cut at 2 rows" in done.stderr
    whole = kg("query", "SELECT ?c { ?c a k:ComparisonClaim } LIMIT 2", "--limit", "2", "--format", "jsonl")
    assert len(whole.stdout.splitlines()) == 2 and whole.stderr == ""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash for pipes")
@pytest.mark.parametrize(
    ("arguments", "reader"),
    [
        ("ask", "true"),
        ("ask --format json", "head -n 1"),
        ("trace 72428", "true"),
        ("export jsonl", "head -n 1"),
        ("explain kg", "true"),
        ("query 'CONSTRUCT {?s ?p ?o} {?s ?p ?o}'", "head -n 1"),
        ("--help", "true"),
    ],
)
def test_a_closed_pipe_is_silent(arguments: str, reader: str, environment: dict[str, str]) -> None:
    command = f"{shlex.join(PROGRAM)} {arguments} | {reader} >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("0", "")


# --- kg query --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('SELECT ?c { ?c k:verdict "none such" }', "no rows"),
        ("MATCH (c:Claim {uid: 'none such'}) RETURN c.uid", "no rows"),
        (
            "SELECT ?g { GRAPH ?g { ?s ?p ?o } }",
            "no rows: the embedded store keeps all in one graph; --exported asks the named ones, kg export trig writes them",
        ),
    ],
)
def test_a_query_without_rows_says_so(kg: Kg, text: str, told: str) -> None:
    done = kg("query", text, "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])
    assert done.stderr.splitlines()[-1] == told, "before it, that the property graph is built"


def test_sql_of_bytes_that_are_no_text_is_refused_as_other_queries_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", "--language", "sql", "SELECT '\udcff' AS x"]) == 2
    assert "a text in Unicode" in capsys.readouterr().err


def test_sql_ends_without_a_word_of_the_engine(environment: dict[str, str]) -> None:
    """In a process of its own to its very end, where a binding reports what it calls leaks."""
    command = [*PROGRAM, "query", "--language", "sql", "SELECT 1 AS x", "--format", "csv"]
    subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)  # it may make the tables
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("x\n1\n", "")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "INSERT"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE"),
        ("LOAD <http://localhost/x>", "LOAD"),
        ("CLEAR ALL", "CLEAR"),
        ("DROP ALL", "DROP"),
        ("PREFIX x: <a:> WITH <a:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", "WITH"),
        ("SELECT * {\n SERVICE <http://localhost/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * {\n service SILENT <http://localhost/> { ?s ?p ?o } }", "service"),
        ("SELECT * FROM <a:g> { ?s ?p ?o }", "FROM"),
        ("SELECT * { ?s ?p ?o } ; DROP ALL", "DROP"),
        ("SELEC * { ?s ?p ?o }", "SELEC"),
        ("", "an empty query"),
        ("SELECT * { ?s ?p ", "error at 1:"),
        ("SELECT *\n{\n?s ?p }", "error at 3:"),
        ("SELECT ?x { ?x nope:y ?z }", "Prefix not found"),
        ("\N{SNOWMAN}", "\N{SNOWMAN}"),
    ],
)
def test_what_does_not_read_or_parse_is_refused(
    text: str, word: str, store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_STORE", str(store))
    code = run(["query", text])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert word in err and "kg explain query.refused" in err


def test_the_line_of_a_refusal_is_that_of_the_text(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_STORE", str(store))
    run(["query", "SELECT * {\n?s ?p ?o .\nSERVICE <a:a> {} }"])
    assert capsys.readouterr().err.startswith('line 3: "SERVICE"')


def test_a_query_from_a_file_that_is_no_text_is_refused(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "x.rq").write_bytes(b"\xff\xfe")
    done = kg("query", "-f", "x.rq")
    assert (done.returncode, "UTF-8 text" in done.stderr) == (2, True)


def test_a_query_past_its_deadline_ends_with_exit_3(kg: Kg) -> None:
    heavy = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    done = kg("query", heavy, "--timeout", "0.1")
    assert (done.returncode, done.stdout) == (3, "")
    assert (
        "no answer after 0.1 s" in done.stderr
        and "--timeout" in done.stderr
        and "kg explain query.deadline" in done.stderr
    )


# --- the writer lock -------------------------------------------------------------------------------------------------

HOLD = "import sys; from pathlib import Path; from kg.ledger.lock import writer_lock\nwith writer_lock(Path('s'), purpose='load'):\n print('held', flush=True); sys.stdin.readline()"


def test_a_writer_waits_says_who_holds_the_lock_and_gives_up_with_exit_3(
    kg: Kg, tmp_path: Path, environment: dict[str, str]
) -> None:
    root = write_small_content(tmp_path / "content").root
    kg("build", "--store", "s", "--content", str(root))
    write_lines(tmp_path / "a.jsonl", claim())
    holder = subprocess.Popen(
        [PROGRAM[0], "-c", HOLD],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None and holder.stdin is not None
    try:
        assert holder.stdout.readline() == "held\n"
        for arguments in (["load", "claims", "a.jsonl"], ["build"], ["reset", "--yes"]):
            done = kg(*arguments, "--wait", "0", "--store", "s", "--content", str(root))
            assert (done.returncode, done.stdout) == (3, "")
            assert (
                f"process {holder.pid}" in done.stderr
                and "--wait" in done.stderr
                and "kg explain store.busy" in done.stderr
            )
        assert kg("query", "ASK { ?s ?p ?o }", "--store", "s", "--content", str(root)).returncode == 0, (
            "readers never wait"
        )
    finally:
        holder.communicate("\n", timeout=30)
    assert kg("load", "claims", "a.jsonl", "--wait", "5", "--store", "s", "--content", str(root)).returncode == 0


def test_reset_asks_first(kg: Kg, tmp_path: Path) -> None:
    root = write_small_content(tmp_path / "content").root
    options = ["--store", "s", "--content", str(root)]
    kg("build", *options)
    done = subprocess.run(
        [*PROGRAM, "reset", *options], cwd=tmp_path, input="n\n", capture_output=True, text=True, env={**os.environ}
    )
    assert done.returncode != 0 and "delete the store" in done.stderr
    assert (tmp_path / "s" / "ledger" / "manifest.json").is_file()
    assert kg("reset", "--yes", *options).returncode == 0
    assert not (tmp_path / "s" / "ledger").exists()
    refused = kg("reset", "--yes", "--store", str(tmp_path / "content"), "--content", str(root))
    assert refused.returncode == 3 and (tmp_path / "content" / "seeds").is_dir(), (
        "only what looks like a store is deleted"
    )


def test_a_figure_that_a_loader_computed_is_in_nobodys_words(kg: Kg) -> None:
    """MLPerf defines no result per accelerator: it was asserted by NVIDIA, and cited with NVIDIA as its author."""
    row = "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline"
    said = " ".join(kg("trace", f"{row}.per-accelerator").stdout.split())
    assert "Asserted by nobody in these words: computed by accelkg from what NVIDIA submitted" in said
    ours, printed = (kg("cite", f"{row}.{one}").stdout for one in ("per-accelerator", "result"))
    assert "author = {{accelkg}}" in ours and "no official figure" in ours
    assert "author = {{NVIDIA}}" in printed and "printed in" in printed
