"""Results as frames, networks and notebook cells; all text is escaped, and a result stays what it is."""

import re
import sys
from html.parser import HTMLParser
from typing import Any

import pandas
import pytest

from kg.errors import UsageError
from kg.model.result import Net, Table, is_id
from kg.render.display import SHOWN_ROWS, MissingPackage, _table, frame_of, html_of, networkx_of
from kg.session import Graph
from kg.stores.protocol import Answer
from tests.export.conftest import HOSTILE

ASKED: dict[str, Any] = {
    "comparison": lambda graph: graph.compare("GB200", "H200"),
    "trace": lambda graph: graph.trace("72428"),
    "conflicts": lambda graph: graph.conflicts("H200"),
    "found": lambda graph: graph.find("GB200"),
    "thing": lambda graph: graph.show("accelerator/nvidia-h200-sxm-141gb"),
    "claim": lambda graph: graph.show("002/r1.gb200.offline.per-accelerator"),
    "several": lambda graph: graph.show("nothing of that name"),
    "answer": lambda graph: graph.ask("specifications/of-thing", thing="H200"),
    "origins": lambda graph: graph.origins("000/mistral.impact.training-speed.h200"),
    "audit": lambda graph: graph.audit(),
}


class Elements(HTMLParser):
    """Collects elements, attributes and text; fails on an end tag that closes another element."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.opened: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.opened == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


PLAIN = {"div", "p", "strong", "span", "br", "table", "thead", "tbody", "tr", "th", "td", "code"}


@pytest.mark.parametrize("name", ASKED)
def test_a_result_becomes_frame_network_and_html(name: str, shipped: Graph) -> None:
    result = ASKED[name](shipped)
    tables = result.tables()
    for key, table in tables.items():
        frame = result.to_pandas(key)
        assert [name for name in frame.columns if not name.endswith("_text")] == list(table.columns)
        assert len(frame) == len(table.rows)
    first = next(iter(tables))
    assert result.to_pandas().equals(result.to_pandas(first))
    net, graph = result.net(), result.to_networkx()
    assert set(net.nodes) <= set(graph)
    assert graph.number_of_edges() <= len(net.ties)
    page = Elements(result._repr_html_())
    assert page.seen <= PLAIN
    assert page.attributes <= {"style", "dir", "class"}
    assert "url(" not in result._repr_html_() and "http" not in re.sub(r">[^<]*<", "><", result._repr_html_())


def test_dates_are_typed_in_frames_and_their_text_stays_beside_them(shipped: Graph) -> None:
    answer = shipped.claims("H200")
    frame, other = answer.to_pandas(), answer.to_polars()
    assert str(frame["said_on"].dtype) == "datetime64[s]" and str(other["said_on"].dtype) == "Date"
    at = answer.columns.index("said_on")
    told = [str(row[at]) if row[at] else None for row in answer.rows]
    assert frame["said_on_text"].fillna("").tolist() == [one or "" for one in told]
    days = [one for one in told if one and len(one) == 10]
    assert days and set(days) <= set(frame["said_on"].dropna().dt.date.map(str))
    assert set(other["said_on"].drop_nulls().cast(str)) == set(frame["said_on"].dropna().dt.date.map(str))


def test_a_column_that_only_has_the_name_of_a_date_is_left_as_it_is() -> None:
    answer = Answer(("published",), ((3,), (4,)))
    assert answer.to_pandas()["published"].tolist() == [3, 4] == answer.to_polars()["published"].to_list()


def test_a_column_with_a_day_that_no_calendar_has_stays_text() -> None:
    frame = frame_of(Answer(("said_on",), (("2025-02-30",), ("2025-01",))))
    assert frame["said_on"].tolist() == ["2025-02-30", "2025-01"]


def test_every_answer_prints_as_one_line(shipped: Graph) -> None:
    answers: dict[str, Any] = {
        "verify": shipped.verify(),
        "overview": shipped.overview(),
        "matrix": shipped.matrix("GB200", "H200"),
        "check": shipped.check("The H200 has 141 GB."),
        "impact": shipped.impact("002/r1.gb200.offline.per-accelerator"),
        "problems": shipped.problems(most=3),
        "source": shipped.marked_source("source/002"),
        "view": shipped.view("72428"),
        "chart": shipped.chart("gain"),
        "graph": shipped,
        **{name: asked(shipped) for name, asked in ASKED.items()},
    }
    assert {name: text for name, one in answers.items() if len(text := repr(one)) > 200 or "\n" in text} == {}
    picture = answers["view"]._repr_svg_()
    assert picture.startswith("<svg ") and "<script" not in picture


def test_results_stay_the_values_they_were(shipped: Graph) -> None:
    one, two = shipped.compare("GB200", "H200"), shipped.compare("GB200", "H200")
    assert one == two and hash(one) == hash(two)
    assert tuple(one) == one
    assert one._replace(verdict="wrong") != one
    answer = Answer(("a",), ((1,),))
    assert answer == Answer(("a",), ((1,),)) and hash(answer) == hash(Answer(("a",), ((1,),)))
    assert not hasattr(answer, "__dict__")
    assert "to_pandas" not in one.to_json()


def test_a_comparison_says_the_same_in_every_form(shipped: Graph) -> None:
    found = shipped.compare("GB200", "H200")
    frame = found.to_pandas()
    assert list(frame["claim"]) == [one.id for one in found.claims]
    assert frame["ratio"].dropna().tolist() == [one.ratio for one in found.claims if one.ratio is not None]
    network = found.to_networkx()
    for one in found.claims:
        assert network.nodes[one.id]["verdict"] == one.verdict
        assert network.edges[one.id, one.baseline.id, "BASELINE"]["type"] == "BASELINE"
    text = " ".join(Elements(found._repr_html_()).text)
    assert all(one.id in text for one in found.claims)


def test_a_trace_leads_from_the_claim_to_where_its_chain_ends(shipped: Graph) -> None:
    import networkx

    found = shipped.trace("000/mistral.impact.training-speed.h200")
    ends = [name for name, data in found.to_networkx().nodes(data=True) if "end_state" in data]
    assert ends
    assert all(networkx.has_path(found.to_networkx(), "000/mistral.impact.training-speed.h200", one) for one in ends)


def test_hostile_texts_are_text_in_html(hostile: Graph) -> None:
    results: list[Any] = [hostile.find("hostile"), hostile.ask("specifications/by-metric", metric="power")]
    results += [hostile.show(f"accelerator/hostile-{number:02d}") for number in range(len(HOSTILE))]
    for result in results:
        page = Elements(result._repr_html_())
        assert page.seen <= PLAIN
        assert page.attributes <= {"style", "dir", "class"}
    shown = " ".join(Elements(hostile.show("accelerator/hostile-00")._repr_html_()).text)
    assert HOSTILE[0] in shown
    steering = hostile.show("accelerator/hostile-10")._repr_html_()
    assert "\u202e" not in steering and "שלום" in steering


def test_hostile_texts_are_values_in_frames(hostile: Graph) -> None:
    frame = hostile.show("accelerator/hostile-00").to_pandas()
    assert dict(zip(frame["fact"], frame["value"], strict=True))["label"] == HOSTILE[0]


def test_long_tables_say_how_much_is_shown() -> None:
    answer = Answer(("n",), tuple((number,) for number in range(SHOWN_ROWS + 10)), complete=False)
    text = " ".join(Elements(html_of(answer)).text)
    assert f"{SHOWN_ROWS} of {SHOWN_ROWS + 10}" in text
    assert "cut" in text


def test_a_table_that_is_not_there_is_named(shipped: Graph) -> None:
    with pytest.raises(UsageError, match="claims, chain"):
        shipped.trace("72428").to_pandas("nothing")


def test_missing_pandas_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage) as caught:
        frame_of(Answer(("a",), ()))
    assert "accelkg[pandas]" in str(caught.value)


def test_a_result_needs_no_pandas_and_no_networkx_to_be_made() -> None:
    import subprocess

    code = "import sys, kg.session, kg.answers.compare, kg.answers.trace; print([m for m in ('pandas', 'networkx', 'html') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_rows_of_a_query_become_a_network() -> None:
    answer = Answer(("claim", "source", "n"), (("002/a", "source/002", 1.0), ("002/b", "source/002", None)))
    assert sorted(networkx_of(answer).edges(keys=True)) == [
        ("002/a", "source/002", "source"),
        ("002/b", "source/002", "source"),
    ]
    assert is_id("accelerator/x") and not is_id("72 / 2") and not is_id(None)


def test_an_empty_frame_has_its_columns() -> None:
    class Nothing:
        def headline(self) -> tuple[str, str | None, str | None]:
            return "", None, None

        def tables(self) -> dict[str, Table]:
            return {"rows": Table(("a", "b"), ())}

        def net(self) -> Net:
            return Net({}, ())

    frame = frame_of(Nothing())
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["a", "b"] and frame.empty


def test_a_question_in_plain_words_is_answered_as_on_the_command_line(shipped: Graph) -> None:
    asked = shipped.ask("which claims compare GB200 against H200", limit=3)
    assert [row["claim"] for row in asked.dicts()] == [
        row["claim"] for row in shipped.ask("comparisons/compare", a="GB200", b="H200", limit=3).dicts()
    ]
    assert not asked.complete
    with pytest.raises(UsageError):
        shipped.ask("weather in Taipei")


def test_conditions_stand_in_words_and_what_is_not_stated_does_not() -> None:
    line = "accelerators_mean=72.0; division=unstated; rounds=mlperf-inference-v5.0, mlperf-inference-v5.1"
    shown = _table(Table(("claim", "conditions"), (("a/b", line),)))
    assert "mean number of accelerators: 72; rounds: mlperf-inference-v5.0, v5.1</td>" in shown
