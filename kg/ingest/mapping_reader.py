"""How a mapping says which files it takes, and how a table is read from them."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from kg.ingest.mapping_part import MappedPart, Name, Text


class Detect(MappedPart):
    """What tells this shape from the others: the file name, and columns or keys that must (not) be there."""

    file: Text | list[Text] = "*"
    has: list[Text] = []
    lacks: list[Text] = []


class CsvReader(MappedPart):
    """Comma, tab or otherwise separated text."""

    format: Literal["csv"]
    delimiter: Annotated[str, StringConstraints(min_length=1, max_length=1)] | Literal["auto"] = "auto"
    encoding: Literal["auto", "utf-8", "utf-16", "latin-1", "cp1252"] = "auto"
    header_line: Annotated[int, Field(ge=1, le=100)] = 1
    repeated_columns: Literal["refuse", "number"] = "refuse"
    short_rows: Literal["refuse", "fill"] = "refuse"
    long_rows: Literal["refuse", "cut"] = "refuse"
    """Rows with more cells than the header has names: refused, or read without what is too much."""
    turned: bool = False
    """Whether things are the columns and their attributes the rows, as in data sheets."""


class JsonReader(MappedPart):
    """A list of objects, an object of objects, or one object, at a pointer into a JSON file."""

    format: Literal["json"]
    at: str = ""
    rows: Literal["list", "object", "single"] = "list"
    key_column: Text = "key"
    """With rows object: the column that gets the key of each row."""
    skip_keys: list[str] = []


class JsonLinesReader(MappedPart):
    """One JSON object a line."""

    format: Literal["jsonl"]


class YamlReader(MappedPart):
    """A list of mappings at a pointer into a YAML file."""

    format: Literal["yaml"]
    at: str = ""


class XlsxReader(MappedPart):
    """One sheet of a workbook; formulas stay text."""

    format: Literal["xlsx"]
    sheet: str | None = None
    header_line: Annotated[int, Field(ge=1, le=100)] = 1
    repeated_columns: Literal["refuse", "number"] = "refuse"
    turned: bool = False


class ParquetReader(MappedPart):
    """A Parquet table."""

    format: Literal["parquet"]


class CrosstabReader(MappedPart):
    """A results page: header lines whose names span columns, and several lines a system, distinguished by a label.

    Gives one row for each system and result column that has a figure.
    """

    format: Literal["crosstab"]
    delimiter: Annotated[str, StringConstraints(min_length=1, max_length=1)] | Literal["auto"] = "auto"
    encoding: Literal["auto", "utf-8", "utf-16", "latin-1", "cp1252"] = "auto"
    spans: dict[Name, Annotated[int, Field(ge=1, le=20)]]
    """From column name to the header line that prints it once over its columns."""
    header_line: Annotated[int, Field(ge=1, le=20)]
    unit_column: Name = "unit"
    """The column that gets what the last header line prints over a result."""
    lines: dict[str, Name]
    """From the label of a line to the column that gets its cells."""
    value: Name
    """The column that must have a cell for a row to be there."""


Reader = Annotated[
    CsvReader | JsonReader | JsonLinesReader | YamlReader | XlsxReader | ParquetReader | CrosstabReader,
    Field(discriminator="format"),
]
