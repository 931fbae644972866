"""Reads one file in the exchange form, or of curated claims, line by line into checked records, and collects its mistakes.

What is derived in the file (labels, keys, canonical values, bounds) is computed here and compared, never taken over. Called
by `kg.build.load`, which writes what every file gave, or nothing.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Final, get_args

import orjson
from pydantic import ValidationError

from kg.build.progress import Progress, silent
from kg.content.attached import attached_text
from kg.content.claim_expander import Expander, PositionMismatch, UnitKindMismatch, entity_links
from kg.content.claims_file import read_claims_file
from kg.content.entities import DuplicateId, Registry, UnknownEntity
from kg.content.folders import file_name
from kg.content.shape import shown as shown_value
from kg.content.soundness import figure_mistakes, formula_mistakes
from kg.content.validation import from_pydantic
from kg.content.vocabulary import Vocabulary
from kg.errors import ContentError, KgError, Mistakes
from kg.ingest.exchange_files import FORMS, exchange_rows, is_curated
from kg.ingest.rdf import rdf_records
from kg.ledger.ledger import with_revision
from kg.model.compiled import recorded
from kg.model.derived import Deriver
from kg.model.exchange_form import DERIVED_CLAIM_KEYS, DERIVED_QUANTITY_KEYS, exchange_claim
from kg.model.json_types import Json
from kg.model.ledger_records import CurrentRecord
from kg.model.record import RECORD_TYPES
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.special_file import is_special
from kg.model.units import UnknownUnit
from kg.model.vocabulary import SourceKind

_GZIP: Final = b"\x1f\x8b"
_LINE_LIMIT = 4 << 20
_MISTAKE_LIMIT = 200
_EVERY: Final = 256
"""Lines between two moves of the bar."""


class BadLine(ContentError):
    """A line of a JSON Lines file is not a record."""

    code = "load.line"


class DerivedDiffers(ContentError):
    """A derived value in a file is not what follows from its recorded fields."""

    code = "load.derived-differs"


@dataclass(frozen=True, slots=True)
class LoadableIds:
    """What a file is checked against: the content, and what the ledger and earlier files of the same load hold."""

    registry: Registry
    vocabulary: Vocabulary
    kinds: dict[str, str]
    """From the id of every record to its kind of record."""
    things: dict[str, ThingRecord]
    """Entities and sources by id."""
    folder: Path
    """Of the store, where attached texts are known."""

    def add(self, record: CurrentRecord) -> None:
        """Note a record that later lines may name."""
        self.kinds[record["id"]] = record["record"]
        if record["record"] != "claim":
            self.things[record["id"]] = record


class LineReader:
    """Reads one file line by line and collects its mistakes."""

    def __init__(self, path: Path, known: LoadableIds, form: str = "claims", *, progress: Progress = silent) -> None:
        self._progress = progress
        self.shown, self.stem = str(path), Path(file_name(path)).stem[:80]
        self.mistakes: list[KgError] = []
        self.records: dict[str, CurrentRecord] = {}
        self.given: dict[str, tuple[int, Json]] = {}
        self.faulty: set[str] = set()
        """Ids of the lines that are no records."""
        self._texts: dict[tuple[str, str | None], str | None] = {}
        self.lines = self.derived_lines = 0
        self.on_citations = Counter[str]()
        """Findings of the file that follow from a list of links and not from records, by source."""
        self._known, self._registry, self._vocabulary = known, known.registry, known.vocabulary
        self._things = dict(known.things)
        self._path, self._form = path, form

    def read(self) -> None:
        """Read every line; stops early when the file is hopeless."""
        self._check_file()
        if self._form == "rdf":
            for number, value in enumerate(rdf_records(self._path), 1):
                self.lines = number
                self._value(value)
                if len(self.mistakes) >= _MISTAKE_LIMIT:
                    return
        elif is_curated(self._path):
            self._read_curated()
        elif self._path.name.lower().endswith(FORMS):
            for number, value in exchange_rows(self._path):
                self.lines = number
                self._value(value)
                if len(self.mistakes) >= _MISTAKE_LIMIT:
                    return
        elif not self._read_lines():
            return
        if not self.lines:
            self._refuse(BadLine(given="an empty file", expected="one record a line"))
        elif not (self.records or self.derived_lines or self.mistakes):
            self._refuse(BadLine(given="a file with no record", expected="one record a line"))
        self._check()

    def _check_file(self) -> None:
        special = is_special(self._path)
        if special or not self._path.is_file():
            given = "a pipe or a device" if special else "no such file"
            raise ContentError(code="load.file", path=self.shown, given=given, expected="a file to load")
        with self._path.open("rb") as file:
            if self._form != "rdf" and file.read(2) == _GZIP:
                raise ContentError(
                    code="load.file",
                    path=self.shown,
                    given="a file packed by gzip",
                    expected="claims as JSON Lines, CSV or YAML",
                    next_step="unpack it first: gunzip FILE",
                )

    def _read_curated(self) -> None:
        """Read claims in the form of `seeds/claims`: what a group shares stands once over it."""
        file = read_claims_file(self._path, shown=self.shown)
        # what was loaded before counts too
        known = Registry(self._things, self._registry.redirects, self._registry.rules)
        expander = Expander(known, self._vocabulary, {})
        for g, c, entry in file.entries():
            self.lines = file.line(g, c)
            try:
                record = expander.claim(file, entry)
            except KgError as cause:
                for one in cause.errors if isinstance(cause, Mistakes) else [cause]:
                    self.mistakes.append(one.at(path=self.shown, line=file.line(g, c, one.field)))
            else:
                self._value(record)
            if len(self.mistakes) >= _MISTAKE_LIMIT:
                return

    def _read_lines(self) -> bool:
        """Read JSON Lines; false when the rest is hopeless."""
        size = self._path.stat().st_size >> 10
        with open(self._path, "rb") as file:
            # A file without line ends is never read whole; one byte more tells a line that is too long from one
            # of just this length.
            while line := file.readline(_LINE_LIMIT + 1):
                self.lines += 1
                if self.lines % _EVERY == 0:
                    self._progress(f"reading {self._path.name} (KiB)", file.tell() >> 10, size)
                if len(line) > _LINE_LIMIT:
                    self._refuse(
                        BadLine(given=f"a line of more than {_LINE_LIMIT} bytes", expected="one record a line")
                    )
                    return False
                if line.strip():
                    self._line(line)
                if len(self.mistakes) >= _MISTAKE_LIMIT:
                    return False
        return True

    def _note_finding(self, value: object) -> None:
        match value:
            case {"code": str(code), "claims": [{"claim": str(source)}, *_]} if code.startswith("citation."):
                self.on_citations[source] += 1

    def _refuse(self, error: KgError) -> None:
        self.mistakes.append(error.at(path=self.shown, line=self.lines or 1))

    def _line(self, line: bytes) -> None:
        try:
            value = orjson.loads(line)
        except ValueError as cause:
            shown = line[:40].decode("utf-8", "backslashreplace").strip()
            self._refuse(BadLine(given=shown, expected="a JSON object in UTF-8", next_step=str(cause)))
            return
        self._value(value, is_json=True)

    def _value(self, value: object, *, is_json: bool = False) -> None:
        kind = value.get("record") if isinstance(value, dict) else None
        # what follows from claims is computed here again, never taken over from a file
        if kind in ("finding", "step"):
            self.derived_lines += 1
            self._note_finding(value)
            return
        if not isinstance(value, dict) or not isinstance(kind, str) or kind not in RECORD_TYPES:
            given = str(kind) if isinstance(value, dict) else shown_value(value)
            self._refuse(
                BadLine(field="record", given=given, expected="an object that is a claim, entity, source or finding")
            )
            return
        if kind == "entity" and value.get("kind") in get_args(SourceKind):
            self.faulty.add(str(value.get("id")))
            self._refuse(BadLine(field="record", given=kind, expected=f'"source", as kind is "{value["kind"]}"'))
            return
        try:
            record = recorded(_recorded_only(value), is_json=is_json)
        except ValidationError as cause:
            self.faulty.add(str(value.get("id")))
            self.mistakes.extend(from_pydantic(cause, path=self.shown, line=self.lines))
            return
        if record["id"] in self.records:
            self._refuse(DuplicateId(field="id", given=record["id"], expected="each id once in a file"))
        elif self._known.kinds.get(record["id"], kind) != kind:
            self._refuse(
                DuplicateId(
                    field="id", given=record["id"], expected=f"an id that no {self._known.kinds[record['id']]} has"
                )
            )
        self.records[record["id"]] = record
        self.given[record["id"]] = (self.lines, value)
        if record["record"] != "claim":
            self._things[record["id"]] = record

    def _check(self) -> None:
        deriver = Deriver(self._vocabulary.units)
        labels = {name: one["label"] for name, one in self._things.items()}
        for done, (name, record) in enumerate(self.records.items(), 1):
            if done % _EVERY == 0:
                self._progress(f"checking {self._path.name}", done, len(self.records))
            line, given = self.given[name]
            if record["record"] != "claim":
                revision = with_revision(record)["revision"]
                if given.get("revision") not in (None, revision):
                    error = DerivedDiffers(
                        field="revision", given=str(given["revision"]), expected=f"{revision}, or leave it out"
                    )
                    self.mistakes.append(error.at(path=self.shown, line=line))
                continue
            for mistake in (*self._link_mistakes(record), *self._position_mistakes(record)):
                self.mistakes.append(mistake.at(path=self.shown, line=line))
            quantity = record.get("quantity") or {}
            try:
                # Before the keys, which are computed in the canonical unit and cannot be for one that is
                # unknown.
                if "unit" in quantity:
                    self._vocabulary.units.get(quantity["unit"])
            except UnknownUnit as error:
                self.mistakes.append(error.at(path=self.shown, line=line, field="quantity.unit"))
                continue
            whole = exchange_claim(with_revision(record), deriver.keys(record), labels, ())
            self.mistakes.extend(one.at(path=self.shown, line=line) for one in _differences(given, whole))
            if len(self.mistakes) >= _MISTAKE_LIMIT:
                return

    def _position_mistakes(self, record: ClaimRecord) -> list[KgError]:
        """A figure is as long as its place, and stands there in the text when the reader has it."""
        anchor = record["anchor"]
        printed = (record.get("quantity") or {}).get("printed") or record.get("cue")
        if "start" not in anchor or printed is None:
            return []
        start, end = anchor["start"], anchor["end"]
        if end - start != len(printed):
            return [
                PositionMismatch(
                    field="anchor.end",
                    given=str(end),
                    expected=f'{start + len(printed)}, the end of "{printed}" from {start}',
                )
            ]
        if (anchor["sha256"], anchor.get("document")) not in self._texts:
            text = attached_text(self._known.folder, anchor.get("document"), anchor["sha256"])
            self._texts[anchor["sha256"], anchor.get("document")] = text.text if text is not None else None
        text_there = self._texts[anchor["sha256"], anchor.get("document")]
        if text_there is None or text_there[start:end] == printed:
            return []
        return [PositionMismatch(field="anchor.start", given=text_there[start:end], expected=f'"{printed}" at {start}')]

    def _link_mistakes(self, record: ClaimRecord) -> list[KgError]:
        found = [*figure_mistakes(record, self._vocabulary.units), *formula_mistakes(record)]
        for field, name in entity_links(record):
            # a mistake in one line of the file is reported for that line only
            if name not in self._things and name not in self.faulty:
                near = self._registry.nearest(name)
                found.append(
                    UnknownEntity(
                        field=field,
                        given=name,
                        expected="the id of a known entity, or an entity line in the file",
                        next_step=f'Did you mean "{near}"?' if near else None,
                    )
                )
        metric = self._vocabulary.metrics.get(record["metric"])
        if metric is None:
            found.append(self._vocabulary.unknown_metric(record["metric"], (record.get("quantity") or {}).get("unit")))
        elif (
            record.get("relation", "absolute") == "absolute"
            and metric.kinds
            and (record.get("quantity") or {}).get("unit")
        ):
            unit = self._vocabulary.units.find(record["quantity"]["unit"])
            if unit is not None and unit.kind not in metric.kinds:
                found.append(
                    UnitKindMismatch(
                        field="quantity.unit", given=f"{unit.id} ({unit.kind})", expected=", ".join(metric.kinds)
                    )
                )
        return found


def _recorded_only(value: Mapping[str, object]) -> Json:
    """The recorded fields of a line of the exchange form; null and absent mean the same."""
    derived = DERIVED_CLAIM_KEYS if value["record"] == "claim" else {"revision", "supersedes"}
    kept = _stated(value, derived)
    for name, computed in _COMPUTED_KEYS.items():
        if isinstance(kept.get(name), dict):
            kept[name] = _stated(kept[name], computed)
    if isinstance(kept.get("derivations"), list):
        kept["derivations"] = [
            _stated(one, _COMPUTED_OF_DERIVATIONS) if isinstance(one, dict) else one for one in kept["derivations"]
        ]
    return kept


_COMPUTED_KEYS: Final[Mapping[str, Collection[str]]] = {"quantity": DERIVED_QUANTITY_KEYS, "anchor": ()}
_COMPUTED_OF_DERIVATIONS: Final = ("result", "verdict")


def _stated(value: Mapping[str, object], computed: Collection[str]) -> Json:
    """The keys that have a value and are not computed.

    An exported file carries computed keys for its readers. Taken over as recorded they would outlive the rule that made
    them, so that they are compared with what is computed here (`_differences`) and dropped.
    """
    return {key: one for key, one in value.items() if one is not None and key not in computed}


def _differences(given: Json, whole: Json) -> list[KgError]:
    found: list[KgError] = []
    for key in ("revision", "statement_key", "subject_label", "baseline_label"):
        if given.get(key) is not None and given[key] != whole[key]:
            if key == "subject_label" and str(whole[key]).startswith(f"{given[key]} and "):
                continue  # exports up to 0.1 named the first of several subjects
            found.append(DerivedDiffers(field=key, given=str(given[key]), expected=f"{whole[key]}, or leave it out"))
    if given.get("status") not in (None, "current"):
        found.append(DerivedDiffers(field="status", given=str(given["status"]), expected="current, or leave it out"))
    for position, one in enumerate(given.get("derivations") or ()):
        if one.get("result") not in (None, whole["id"]):
            found.append(
                DerivedDiffers(
                    field=f"derivations.{position}.result",
                    given=str(one["result"]),
                    expected=f"{whole['id']}, or leave it out",
                )
            )
    mine, theirs = whole.get("quantity") or {}, given.get("quantity") or {}
    for key in sorted(DERIVED_QUANTITY_KEYS):
        if theirs.get(key) is not None and not _same(theirs[key], mine.get(key)):
            found.append(
                DerivedDiffers(
                    field=f"quantity.{key}", given=str(theirs[key]), expected=f"{mine.get(key)}, or leave it out"
                )
            )
    return found


def _same(a: object, b: object) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float):
        # another program may print the same double with fewer digits
        return isclose(a, b, rel_tol=1e-9)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return all(_same(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)
