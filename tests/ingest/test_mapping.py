"""Mistakes of a mapping are told with their line, all at once."""

import re
import shutil
from pathlib import Path

import pytest

from kg.content.folders import find_content
from kg.errors import KgError
from kg.ingest.cells import Unread, as_date
from kg.ingest.errors import MappingError, UnknownSource
from kg.ingest.sources import get_loader, loader_names, read_loader
from tests.ingest.shop import SHOP, Shop, shop
from tests.small_content import ROOT

__all__ = ["shop"]


def changed(folder: Path, old: str, new: str) -> Path:
    """The mapping of the shop with one text changed."""
    text = (SHOP / "mapping.yaml").read_text()
    assert old in text
    shutil.copy(SHOP / "steps.py", folder / "steps.py")
    path = folder / "mapping.yaml"
    path.write_text(text.replace(old, new, 1))
    return path


def line_of(path: Path, words: str) -> int:
    """The line with these words."""
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if words in line)


@pytest.mark.parametrize(
    ("old", "new", "says", "at"),
    [
        ("licence: CC0-1.0", "license: CC0-1.0", "license", "license"),
        ("title: Prices", "titel: Prices", "titel", "titel"),
        ("format: csv}", "format: cvs}", "cvs", "format: cvs"),
        ("Count: {as: count, type: integer}", "Count: {as: count, type: whole}", "whole", "type: whole"),
        ("how: step,", "how: stap,", "stap", "stap"),
        ("kind: price\n", "kind: prise\n", "prise", "kind: prise"),
        ("value: $price\n", "value: $prize\n", "$prize", "  price:"),
        ("key: [name]", "key: [nmae]", "nmae", "key: [nmae]"),
        ("pattern: '(?P<edition>", "pattern: '(?P<edition", "not a regular expression", "pattern:"),
        ("accelerators: $count, provider", "acelerators: $count, provider", "acelerators", "acelerators"),
        (
            "fields:\n",
            "fields:\n  a: {how: replace, of: b, pattern: x, by: '\\1'}\n",
            "group",
            "how: replace",
        ),
        (
            "fields:\n",
            "fields:\n  a: {how: replace, of: b, pattern: x, by: '\\g<y>'}\n",
            "y",
            "how: replace",
        ),
        ("  kind: snapshot", "  kind: snapshot\n  name: 'v{version}'", "{version}", "name:"),
        (
            'count: {constant: $count, unit: "count:gpu", why: the column Count}',
            "count: {constant: $count}",
            "needs unit and why",
            "{constant: $count}",
        ),
    ],
)
def test_a_mistake_of_form_is_told_with_its_line(tmp_path: Path, old: str, new: str, says: str, at: str) -> None:
    path = changed(tmp_path, old, new)
    with pytest.raises(KgError) as told:
        read_loader(path, name="shop", shown="loaders/shop/mapping.yaml")
    lines = [line for line in str(told.value).splitlines() if says in line]
    assert lines and any(f"loaders/shop/mapping.yaml:{line_of(path, at)}:" in line for line in lines), str(told.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("metric: rental-price", "metric: rental-prise", "rental-prise"),
        ("unit: USD/h", "unit: GB/s", "GB/s"),
        ("unit: USD/h", "unit: USD/hour", "USD/hour"),
        ("kind: accelerator}", "kind: chips}", "chips"),
        ("expression: price / count", "expression: price / counts", "counts"),
        ("price: {claim: price}", "price: {claim: prize}", "prize"),
        ("step: doubled", "step: tripled", "tripled"),
        ("subject: $offer", "subject: org/nobody", "org/nobody"),
        ("source: shop\n", "source: ' '\n", "source/ "),
        ("source: shop\n", "source: 'shop of {file}'\n", "source/shop of prices"),
        ("source: shop\n", "source: 'shop-{shop}'\n", "shop-{shop}"),
    ],
)
def test_a_mistake_of_meaning_is_told_when_a_file_is_read(shop: Shop, old: str, new: str, says: str) -> None:
    changed(shop.content.loaders / "shop", old, new)
    with pytest.raises(MappingError) as told:
        shop.load("Name,Chip,Count,Price\na,Acme One,4,8\n")
    assert says in str(told.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = changed(tmp_path, "title: Prices", "titel: Prices")
    path.write_text(path.read_text().replace("kind: price\n", "kind: prise\n"))
    with pytest.raises(KgError) as told:
        read_loader(path, name="shop")
    assert len(re.findall("kg explain mapping", str(told.value))) == 4


def test_an_unknown_source_names_what_is_near(tmp_path: Path) -> None:
    with pytest.raises(UnknownSource) as told:
        get_loader(find_content(ROOT), "mlperf-inferense")
    assert 'Did you mean "mlperf-inference"?' in str(told.value)


@pytest.mark.parametrize("how", ["{how: arithmetic, expression: price * 2}", "{how: step, step: doubled, of: [price]}"])
def test_a_claim_whose_figure_is_computed_without_a_derivation_is_refused(tmp_path: Path, how: str) -> None:
    path = changed(tmp_path, "    value: $price\n", "    value: $double\n")
    path.write_text(path.read_text().replace("\nfields:\n", f"\nfields:\n  double: {how}\n", 1))
    with pytest.raises(KgError) as told:
        read_loader(path, name="shop", shown="loaders/shop/mapping.yaml")
    assert "$double, computed by" in str(told.value) and "derivation" in str(told.value)


def test_a_correction_names_its_rule(tmp_path: Path) -> None:
    given = "    - expression: price / count\n"
    named = changed(tmp_path, given, f"{given}      variant: correction\n      note: the rule\n")
    assert read_loader(named, name="shop", shown="loaders/shop/mapping.yaml").mapping.claims
    nameless = changed(tmp_path, given, f"{given}      variant: correction\n")
    with pytest.raises(KgError) as told:
        read_loader(nameless, name="shop", shown="loaders/shop/mapping.yaml")
    assert "needs a note with its rule" in str(told.value)


@pytest.mark.parametrize("count", ["99999999999999999999", '"99999999999999999999"', "-9223372036854775809"])
def test_a_whole_number_that_no_record_holds_rejects_its_row_alone(shop: Shop, count: str) -> None:
    path = changed(shop.content.loaders / "shop", "reader: {format: csv}", "reader: {format: jsonl}")
    path.write_text(path.read_text().replace("csv", "jsonl"))
    row = '{"Name": "NAME", "Chip": "Acme One", "Count": COUNT, "Price": 8}\n'
    text = row.replace("NAME", "a").replace("COUNT", "4") + row.replace("NAME", "b").replace("COUNT", count)
    report = shop.load(text, "prices-2026-01-02.jsonl").files[0]
    assert (report.loaded, report.codes) == (1, {"load.cell": 1})
    (rejected,) = shop.rejected()
    assert (rejected["field"], rejected["row"]["Count"]) == ("Count", count.strip('"'))


@pytest.mark.parametrize("name", loader_names(find_content(ROOT)))
def test_every_shipped_mapping_names_licence_and_citation(name: str) -> None:
    mapping = get_loader(find_content(ROOT), name).mapping
    assert mapping.licence and mapping.citation and mapping.url


def test_the_example_of_the_reference_is_a_mapping(tmp_path: Path) -> None:
    text = (ROOT / "loaders" / "README.md").read_text()
    path = tmp_path / "mapping.yaml"
    path.write_text(text.split("```yaml\n", 1)[1].split("```", 1)[0])
    assert read_loader(path, name="example").mapping.examples


@pytest.mark.parametrize("text", ["2025-02-30", "2023-02-29", "2025-04-31 00:00:00", "2025-13", "2025-00-01"])
def test_a_day_that_no_calendar_has_is_no_date(text: str) -> None:
    with pytest.raises(Unread, match="a date that exists"):
        as_date(text)
    assert (as_date("2024-02-29"), as_date("2025-04-30")) == ("2024-02-29", "2025-04-30")
