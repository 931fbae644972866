"""Charts: the same rows give the same bytes, without date or chance; a missing extra is said."""

import pytest

from kg.errors import UsageError
from kg.render import charts
from kg.render.charts import DARK, LIGHT, ChartsMissing, Lane, Mark, Panel, Plan, draw, image, piece
from kg.render.scene import SceneTable

pytest.importorskip("matplotlib", reason="the extra charts is not installed")
PLAN = Plan(
    "Title",
    "About",
    (
        Panel(
            "A",
            "GB/s",
            (
                Lane("one <b>", (Mark(4.8, 4.75, 4.85, words="4.8 $x_1$", verdict="confirmed"),)),
                Lane("two", (Mark(5.3, verdict="wrong"),), is_bad=True),
            ),
            is_log=True,
        ),
    ),
    SceneTable("t", ("a",), (("1/a", ("x",)),)),
    series=("can be used", "do not use"),
)


@pytest.mark.parametrize("form", ["svg", "png", "html"])
def test_the_same_rows_give_the_same_bytes(form: str) -> None:
    assert draw(PLAN, form).file == draw(PLAN, form).file


def test_no_date_and_no_address_but_those_of_the_format_is_in_a_file() -> None:
    text = draw(PLAN, "svg").file.decode()
    assert "dc:date" not in text
    assert "<script" not in text
    assert b"tEXt" not in draw(PLAN, "png").file


def test_a_light_and_a_dark_drawing_stand_in_a_page() -> None:
    assert image(PLAN, "svg", LIGHT) != image(PLAN, "svg", DARK)
    told = piece(PLAN)
    assert told.count("data:image/svg+xml;base64,") == 2
    assert told.count('alt="Title. About') == 2


def test_dollar_signs_are_no_formulas() -> None:
    plan = Plan(
        "$", "", (Panel("$\\frac{", "$", (Lane("$x$", (Mark(1.0, words="$3.1M to $4M_"),)),)),), SceneTable("t", (), ())
    )
    assert draw(plan, "svg").file.startswith(b"<?xml")


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="svg, png, html"):
        draw(PLAN, "pdf")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(charts, "import_module", refuse)
    with pytest.raises(ChartsMissing, match=r"accelkg\[charts\]"):
        draw(PLAN)
