"""Files that are meant to hurt: a clear error or a quarantined row, bounded memory, nothing half loaded."""

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.ingest import limits
from kg.ingest.errors import FileDamaged, LimitExceeded, WrongColumns
from kg.ingest.foreign_reader import unpack
from kg.ingest.mapping_reader import (
    CrosstabReader,
    CsvReader,
    JsonLinesReader,
    JsonReader,
    ParquetReader,
    Reader,
    XlsxReader,
    YamlReader,
)
from kg.ingest.readers import open_table
from kg.ingest.table import Row
from kg.ingest.tabular import checked_columns
from tests.small_content import ROOT

CSV, JSON, LINES, YAML = (
    CsvReader(format="csv"),
    JsonReader(format="json"),
    JsonLinesReader(format="jsonl"),
    YamlReader(format="yaml"),
)
CROSS = CrosstabReader(
    format="crosstab", header_line=2, spans={"model": 1, "task": 2}, lines={"Result": "value"}, value="value"
)


def rows_of(path: Path, spec: Reader) -> list[Row]:
    """All rows of a file."""
    with open_table(path, spec) as table:
        return list(table.rows)


def file(folder: Path, name: str, data: bytes | str) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(
    ("name", "data", "spec", "error", "says"),
    [
        ("line.csv", "a,b\n" + "x" * (limits.LINE + 10) + ",1\n", CSV, LimitExceeded, "a line of more than"),
        ("noend.csv", "a,b\n" + "x" * (limits.LINE + 10), CSV, LimitExceeded, "a line of more than"),
        ("wide.csv", ",".join(f"c{n}" for n in range(limits.COLUMNS + 1)) + "\n", CSV, LimitExceeded, "columns"),
        ("commas.csv", "," * (3 << 20) + "\n1\n", CSV, LimitExceeded, "columns"),
        ("quote.csv", 'a,b\n1,"2\n3,4\n', CSV, FileDamaged, "never ends"),
        ("bigquote.csv", 'a,b\n1,"' + "2,3\n" * 400_000, CSV, LimitExceeded, "a cell of more than"),
        ("oldmac.csv", "a,b\r1,2\r3,4\r", CSV, FileDamaged, "a carriage return inside a line"),
        ("twice.csv", "a,b,a\n1,2,3\n", CSV, WrongColumns, "2 times"),
        ("binary.csv", b"a,b\n\x80\x81,2\n", CSV, FileDamaged, "0x80"),
        ("empty.csv", "", CSV, FileDamaged, "end of the file"),
        ("utf32.csv", "a,b\n1,2\n".encode("utf-32"), CSV, FileDamaged, "NUL"),
        ("narrow.csv", ",,,,B1\nChip,Label\nAcme One,Result\n", CROSS, FileDamaged, "no name over the results"),
        ("onecell.csv", '"a\nb",x\n', CROSS, FileDamaged, "goes on over lines"),
        ("over.csv", ',,B1\nChip,Label,"GB\nA"\nAcme One,Result,80\n', CROSS, FileDamaged, "goes on over lines"),
        ("cut.json", '[{"a": 1}, {"a": 2', JSON, FileDamaged, ""),
        ("cutlist.json", '[{"a": 1},', JSON, FileDamaged, ""),
        ("open.json", '[{"a": 1}', JSON, FileDamaged, "the end of the file"),
        ("after.json", '[{"a": 1}] [', JSON, FileDamaged, "nothing behind it"),
        ("deep.json", "[" * 200_000, JSON, LimitExceeded, "in one another"),
        (
            "deepobject.json",
            '[{"a":' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}]",
            JSON,
            LimitExceeded,
            "in one another",
        ),
        (
            "bigrecord.json",
            '[{"a": "' + "x" * (limits.LINE + 1000) + '"}]',
            JSON,
            LimitExceeded,
            "a record of more than",
        ),
        ("html.json", "<html><body>not here</body></html>", JSON, FileDamaged, "<"),
        ("alias.yaml", "- &a {x: 1}\n- *a\n", YAML, KgError, "alias"),
        ("bool.yaml", "- {a: !!bool maybe}\n", YAML, KgError, "the tag"),
        ("day.yaml", "- {a: !!timestamp maybe}\n", YAML, KgError, "the tag"),
        ("key.yaml", "- {!!seq a: 1}\n", YAML, KgError, "the tag"),
        ("bomb.yaml", "a: &a [x,x]\nb: &b [*a,*a]\n", YAML, KgError, "alias"),
    ],
)
def test_a_hostile_file_is_refused_with_its_reason(
    tmp_path: Path, name: str, data: bytes | str, spec: Reader, error: type[KgError], says: str
) -> None:
    with pytest.raises(error) as told:
        rows_of(file(tmp_path, name, data), spec)
    assert says in str(told.value)
    assert len(str(told.value)) < 1200


@pytest.mark.parametrize(
    ("name", "data", "spec", "sound", "broken"),
    [
        ("short.csv", "a,b\n1,2\n3\n4,5\n", CSV, 2, 1),
        ("long.csv", "a,b\n1,2\n3,4,5\n6,7\n", CSV, 2, 1),
        ("return.csv", "a,b\n1,2\r9\n3,4\n", CSV, 1, 1),
        ("stray.csv", 'a,b\n1,"2"x\n3,4\n', CSV, 1, 1),
        ("cut.jsonl", '{"a": 1}\n{"a": 2\n{"a": 3}\n', LINES, 2, 1),
        ("deep.jsonl", '{"a":' * 30 + "1" + "}" * 30 + '\n{"a": 3}\n', LINES, 1, 1),
        ("list.json", '[{"a": 1}, 7, null, [1]]', JSON, 1, 3),
        ("nan.json", '[{"a": NaN}, {"a": 1}]', JSON, 2, 0),
        ("half.json", r'[{"a": "\ud800"}, {"\udc00": 1}, {"a": ["\ud800"]}, {"a": "\ud83d\ude80"}]', JSON, 1, 3),
        ("half.jsonl", '{"a": "\\ud800"}\n{"a": 3}\n', LINES, 1, 1),
        ("half-key.json", r'{"\ud800": {"a": 1}, "b": {"a": 2}}', JsonReader(format="json", rows="object"), 1, 1),
        ("lists.json", '[{"a": ' + "[" * 400 + "]" * 400 + '}, {"a": 1}]', JSON, 1, 1),
        ("large.json", '[{"a": 1000000000000000000000000, "b": [1000000000000000000000000]}]', JSON, 1, 0),
    ],
)
def test_a_broken_row_does_not_stop_the_others(
    tmp_path: Path, name: str, data: str, spec: Reader, sound: int, broken: int
) -> None:
    rows = rows_of(file(tmp_path, name, data), spec)
    assert (sum(one.fault is None for one in rows), sum(one.fault is not None for one in rows)) == (sound, broken)


def test_a_million_keys_in_one_record_are_a_broken_row(tmp_path: Path) -> None:
    record = "{" + ",".join(f'"k{n}":1' for n in range(200_000)) + "}"
    rows = rows_of(file(tmp_path, "keys.json", f"[{record}]"), JSON)
    assert rows[0].fault is not None and "200000 keys" in rows[0].fault.given


def test_a_key_that_stands_twice_with_two_figures_is_no_figure(tmp_path: Path) -> None:
    rows = rows_of(file(tmp_path, "twice.json", '[{"a": 1, "a": 2}, {"a": 3, "a": 3}]'), JSON)
    assert [one.cells for one in rows] == [{"a": "1 | 2"}, {"a": 3}]


def test_a_key_that_stands_very_often_takes_no_longer_than_as_many_keys(tmp_path: Path) -> None:
    again = ", ".join(f'"a": {number}' for number in range(200_000))
    began = time.process_time()
    (row,) = rows_of(file(tmp_path, "often.json", f'[{{"a": null, {again}, "b": "", "b": null}}]'), JSON)
    assert time.process_time() - began < 20  # it took the square, some minutes
    assert isinstance(row.cells, dict) and row.cells["b"] is None
    assert row.cells["a"].startswith("0 | 1 | 2 | ") and row.cells["a"].endswith(" | 199999")


def test_a_pointer_of_json_escapes_the_signs_of_a_key(tmp_path: Path) -> None:
    text = '[{"tok/s": 1, "a": {"x/y": {"~z": 2}, "b": 3}}, {"tok/s": 4, "a": {"b": 5}}, {"tok/s": 6}]'
    with open_table(file(tmp_path, "keys.json", text), JSON) as table:
        rows = list(table.rows)
        first = {name: table.place(rows[0].locus, name)["pointer"] for name in rows[0].cells}
        assert first == {"tok/s": "/0/tok~1s", "a/x/y/~z": "/0/a/x~1y/~0z", "a/b": "/0/a/b"}
        assert [table.place(one.locus, "tok/s")["pointer"] for one in rows[1:]] == ["/1/tok~1s", "/2/tok~1s"]


@pytest.mark.parametrize("record", ['{"a": {"b": 1}, "a/b": 2}', '{"a/b": 2, "a": {"b": 1}}'])
def test_two_values_at_one_path_reject_their_row(tmp_path: Path, record: str) -> None:
    rows = rows_of(file(tmp_path, "twice.json", f'[{record}, {{"a": {{"b": 3}}}}]'), JSON)
    assert rows[0].fault is not None and rows[0].fault.field == "a/b"
    assert rows[1].cells == {"a/b": 3}


def test_half_a_character_at_the_end_of_utf_16_is_dropped(tmp_path: Path) -> None:
    data = b"\xff\xfe" + "a\tb\r\n1\té\r\n".encode("utf-16-le") + b"\x00"
    rows = rows_of(file(tmp_path, "wide.csv", data), CSV)
    assert [one.cells for one in rows] == [["1", "é"]]


def test_a_gzip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = packer.compress(b"a,b\n") + b"".join(packer.compress(b"0" * (1 << 20)) for _ in range(24)) + packer.flush()
    with pytest.raises(LimitExceeded):
        rows_of(file(tmp_path, "bomb.csv.gz", data), CSV)


def test_a_gzip_file_that_bursts_by_short_lines_is_refused_by_its_ratio(tmp_path: Path) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = (
        packer.compress(b"a,b\n")
        + b"".join(packer.compress((b"1," + b"2" * 4000 + b"\n") * 256) for _ in range(24))
        + packer.flush()
    )
    with pytest.raises(LimitExceeded) as told:
        rows_of(file(tmp_path, "bomb.csv.gz", data), CSV)
    assert "for each byte packed" in str(told.value)


@pytest.mark.parametrize("cut", [5, 30, -4])
def test_a_cut_gzip_file_is_refused(tmp_path: Path, cut: int) -> None:
    data = gzip.compress(b"a,b\n" + os.urandom(400).hex().encode() + b",1\n")
    with pytest.raises(FileDamaged):
        rows_of(file(tmp_path, "cut.csv.gz", data[:cut]), CSV)


def test_a_gzip_file_of_several_members_is_read_whole(tmp_path: Path) -> None:
    data = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")
    assert len(rows_of(file(tmp_path, "two.csv.gz", data), CSV)) == 2


def test_columns_that_are_numbered_never_share_a_name() -> None:
    for names, made in ((["a", "a", "a #2"], ("a", "a #2", "a #2 #2")), (["a #2", "a", "a"], ("a #2", "a", "a #3"))):
        assert checked_columns(Path("x.csv"), names, line=1, repeated="number") == made


def test_zeros_behind_a_packed_file_are_passed_over_at_once(tmp_path: Path) -> None:
    whole, padding = gzip.compress(b"a,b\n1,2\n"), bytes(48 << 20)
    began = time.process_time()
    unpack(str(file(tmp_path, "padded.gz", whole + padding)), out := io.BytesIO())
    assert time.process_time() - began < 5  # it took the square: each piece was put behind those before it
    assert out.getvalue() == b"a,b\n1,2\n"
    assert len(rows_of(file(tmp_path, "two.csv.gz", whole + padding[: 1 << 17] + gzip.compress(b"3,4\n")), CSV)) == 2


def workbook(path: Path, rows: list[list[object]]) -> Path:
    """An XLSX file."""
    openpyxl = pytest.importorskip("openpyxl", reason="needs the extra tables")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_formulas_of_a_workbook_stay_text(tmp_path: Path) -> None:
    path = workbook(tmp_path / "f.xlsx", [["a", "b"], [1, "=A2*2"], ['=HYPERLINK("http://x")', 2.5]])
    assert [one.cells for one in rows_of(path, XlsxReader(format="xlsx"))] == [
        [1, "=A2*2"],
        ['=HYPERLINK("http://x")', 2.5],
    ]


def test_a_workbook_says_sheet_and_cell(tmp_path: Path) -> None:
    path = workbook(tmp_path / "f.xlsx", [["a", "b"], [1, 2]])
    with open_table(path, XlsxReader(format="xlsx")) as table:
        row = next(table.rows)
        assert table.place(row.locus, "b") == {"sheet": "Sheet", "cell": "B2"}


def rewritten(path: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """The workbook with its parts changed."""
    with zipfile.ZipFile(path) as old:
        parts = {one: old.read(one) for one in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name, change(name, data))
    return path


@pytest.mark.parametrize("stated", [b"A1:B2", b"A1", b"A1:A4", b"A1:D9"])
def test_a_workbook_that_states_a_wrong_size_is_read_whole(tmp_path: Path, stated: bytes) -> None:
    path = workbook(tmp_path / "f.xlsx", [["a", "b"], [1, 2], [3], [None, 4], [5, 6, 7]])
    rewritten(
        path,
        lambda name, data: (
            re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="' + stated + b'"', data)
            if name.endswith("sheet1.xml")
            else data
        ),
    )
    with open_table(path, XlsxReader(format="xlsx")) as table:
        rows = list(table.rows)
        assert table.columns == ("a", "b")
    assert [(one.number, one.cells) for one in rows[:3]] == [(2, [1, 2]), (3, [3, None]), (4, [None, 4])]
    assert rows[3].fault is not None and rows[3].fault.given == "3 cells"


def test_a_workbook_with_a_document_type_is_refused(tmp_path: Path) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
    path = rewritten(
        workbook(tmp_path / "f.xlsx", [["a"], [1]]), lambda name, data: bomb if name == "xl/workbook.xml" else data
    )
    with pytest.raises(FileDamaged) as told:
        rows_of(path, XlsxReader(format="xlsx"))
    assert "document type" in str(told.value)


def test_a_zip_bomb_of_a_workbook_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "f.xlsx", [["a"], [1]])
    rewritten(path, lambda name, data: data + b" " * (64 << 20) if name.endswith("sheet1.xml") else data)
    with pytest.raises(LimitExceeded) as told:
        rows_of(path, XlsxReader(format="xlsx"))
    assert "for each byte packed" in str(told.value)


def test_a_text_that_thousands_of_cells_share_is_no_way_past_the_ratio(tmp_path: Path) -> None:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    shared = f"<sst {space}><si><t>{'x' * 30_000}</t></si></sst>".encode()
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 1_001))
    sheet = f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>".encode()
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    named = b'<Override PartName="/xl/sharedStrings.xml" ContentType="' + kind + b'"/></Types>'
    path = rewritten(
        workbook(tmp_path / "f.xlsx", [["a"], [1]]),
        lambda name, data: sheet if name.endswith("sheet1.xml") else data.replace(b"</Types>", named),
    )
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/sharedStrings.xml", shared)
    with pytest.raises(LimitExceeded) as told:
        rows_of(path, XlsxReader(format="xlsx"))
    assert "for each byte packed" in str(told.value) and "cells of more than" in str(told.value)


@pytest.mark.parametrize("styles", [b"<xf/>" * 600_000, b"<xf/>" + b" " * (17 << 20)], ids=["elements", "bytes"])
def test_styles_without_end_are_refused_before_they_are_parsed(tmp_path: Path, styles: bytes) -> None:
    path = workbook(tmp_path / "f.xlsx", [["a"], [1]])
    rewritten(path, lambda name, data: styles + os.urandom(200_000) if name.endswith("styles.xml") else data)
    with pytest.raises(LimitExceeded, match="bytes of styles"):
        rows_of(path, XlsxReader(format="xlsx"))


@pytest.mark.parametrize(
    ("name", "spec"), [("x.xlsx", XlsxReader(format="xlsx")), ("x.parquet", ParquetReader(format="parquet"))]
)
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 not really", b"PAR1" + b"\x00" * 100 + b"PAR1"])
def test_what_is_no_workbook_or_parquet_file_is_refused(tmp_path: Path, name: str, spec: Reader, data: bytes) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    pytest.importorskip("pyarrow", reason="needs the extra tables")
    with pytest.raises(FileDamaged):
        rows_of(file(tmp_path, name, data), spec)


def test_a_parquet_file_is_read_with_its_types(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra tables")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"a": [1, 2], "b": ["x", None], "c": [1.5, 2.0]}), tmp_path / "t.parquet")
    assert [one.cells for one in rows_of(tmp_path / "t.parquet", ParquetReader(format="parquet"))] == [
        [1, "x", 1.5],
        [2, None, 2.0],
    ]


def test_a_parquet_figure_that_is_no_number_is_missing_and_an_infinite_one_is_text(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra tables")
    from pyarrow import parquet

    nan, inf = float("nan"), float("inf")
    table = pyarrow.table({"a": [1.5, nan, inf, -inf], "b": [[1.0], [nan], [inf, 2.0], None]})
    parquet.write_table(table, tmp_path / "t.parquet")
    assert [one.cells for one in rows_of(tmp_path / "t.parquet", ParquetReader(format="parquet"))] == [
        [1.5, [1.0]],
        [None, [None]],
        ["Infinity", ["Infinity", 2.0]],
        ["-Infinity", None],
    ]


HUNGRY = """
import sys
from kg.ingest import foreign_reader, limits
from kg.stores.worker import serve
limits.CHILD_MEMORY, limits.CHILD_CPU_SECONDS = 400 << 20, {seconds}
foreign_reader.parquet_rows = lambda path: iter([{{"columns": ["a"]}}, [{work}]])
sys.exit(serve(foreign_reader.answer))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory and time are those of Linux")
@pytest.mark.parametrize(("seconds", "work"), [(60, "len('x' * (1 << 30))"), (1, "sum(range(10**12))")])
def test_a_child_that_takes_too_much_is_ended(seconds: int, work: str) -> None:
    code = HUNGRY.format(seconds=seconds, work=work)
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b'["parquet", "x"]\n',
        capture_output=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode in (70, -signal.SIGXCPU)


MEASURE = """
import json, resource, sys
from pathlib import Path
from kg.ingest.mapping_reader import CsvReader, JsonReader
from kg.ingest.readers import open_table
spec = CsvReader(format="csv") if sys.argv[1].endswith("csv") else JsonReader(format="json")
with open_table(Path(sys.argv[1]), spec) as table:
    count = sum(1 for _ in table.rows)
print(json.dumps([count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_memory_does_not_grow_with_the_rows(tmp_path: Path, kind: str) -> None:
    peaks = []
    for rows in (2_000, 40_000):
        path = tmp_path / f"{rows}.{kind}"
        with open(path, "w", encoding="utf-8") as out:
            if kind == "csv":
                out.write("a,b,c\n" + "".join(f"{n},some text that is not short,{n * 2}\n" for n in range(rows)))
            else:
                out.write(
                    "["
                    + ",".join(
                        json.dumps({"a": n, "b": "some text that is not short", "c": {"d": n}}) for n in range(rows)
                    )
                    + "]"
                )
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True, cwd=ROOT
        )
        count, peak = json.loads(done.stdout)
        assert count == rows
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 12_000  # kilobytes


def test_names_of_files_do_not_choose_what_is_run(tmp_path: Path) -> None:
    path = file(tmp_path, "$(touch pwned);x.csv.gz", gzip.compress(b"a,b\n1,2\n"))
    assert len(rows_of(path, CSV)) == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name]


def test_reading_only_the_first_rows_ends_the_child(tmp_path: Path) -> None:
    data = io.BytesIO()
    with gzip.GzipFile(fileobj=data, mode="wb") as packed:
        for n in range(20_000):
            packed.write(f"{n},{os.urandom(20).hex()}\n".encode() if n else b"a,b\n")
    path = file(tmp_path, "long.csv.gz", data.getvalue())
    with open_table(path, CSV) as table:
        first = next(table.rows)
    assert first.number == 2
