"""What is done with one partition of the claims on another machine: the functions of the local build, over a part of the index.

Nothing is judged here. A `Deduction` is given the claims it needs through `PartIndex` instead of the index of the whole
ledger; what it says goes back as rows. The job that moves the rows about is `kg.build.spark`.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from kg.audit.claim_links import premises, repeated
from kg.audit.origins import echo_records
from kg.build.deduction import Background, Deduction
from kg.build.deduction_units import (
    EMPTY,
    DeductionUnit,
    advice_unit,
    echo_units,
    measured_unit,
    own_mark,
    own_unit,
    unit_of,
)
from kg.ledger.index import mark
from kg.ledger.ledger import Rank, rank_of, superseded
from kg.model.derived import Deriver
from kg.model.json_types import Json
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.units import UnitTable
from kg.projection.derived import derived_lines
from kg.projection.triples import TripleWriter

Unit = tuple[int, bytes, bytes | None, list[str]]
"""Mark, lines, exact figures, and the claims that it is about with a doubt."""


class Setting(NamedTuple):
    """What every partition needs in addition to claims; it is sent to each worker once."""

    key: str
    registry: Mapping[str, ThingRecord]
    units: UnitTable
    background: Background
    bad: Mapping[str, bytes]
    """The findings that refute a claim, by the claim: those that rest on them are warned of."""
    lookup: str | None
    """A file of the claims that others link to."""


@dataclass(slots=True)
class PartIndex:
    """The part of an index that one piece of work looks at."""

    lookup: sqlite3.Connection | None
    units: dict[int, tuple[bytes, bytes | None]] = field(default_factory=dict)
    about: list[int] = field(default_factory=list)
    at_hand: int | None = None
    """The mark of the claim that advice is given on."""
    group: Sequence[ClaimRecord] = ()

    def body(self, name: str) -> bytes | None:
        """The record of a claim that others link to."""
        if self.lookup is None:
            return None
        row = self.lookup.execute("SELECT body FROM claims WHERE id = ?", (name,)).fetchone()
        return bytes(row[0]) if row else None

    def is_busy(self, scope: int) -> bool:  # noqa: ARG002 - only busy scopes are sent here
        """Whether something can be found in a scope."""
        return True

    def members(self, scope: int) -> list[ClaimRecord]:  # noqa: ARG002 - one scope at a time
        """The claims of the scope that is being judged."""
        return list(self.group)

    def unit(self, unit: int) -> tuple[bytes, bytes | None]:
        """What was concluded in a unit that bears on the claim whose advice is worked out."""
        return self.units.get(unit, (b"", None))

    def units_about(self, claim: int) -> list[int]:
        """The units that are about the claim whose advice is worked out."""
        return self.about if claim == self.at_hand else []


def write_lookup(path: Path, rows: Iterable[tuple[str, bytes]]) -> None:
    """Make the file of claims that others link to."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE claims (id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID")
        file.executemany("INSERT INTO claims VALUES (?, ?)", rows)
    file.close()


def open_lookup(path: str) -> sqlite3.Connection:
    """The file of claims that others link to; nobody writes it any more."""
    # As an address: a # or ? in the name of a folder would end the path.
    return sqlite3.connect(f"{Path(path).absolute().as_uri()}?immutable=1", uri=True, check_same_thread=False)


_KEPT: Final[dict[str, "Partition"]] = {}
"""One for each state of a job, in each worker process: making one takes longer than judging a claim."""


class Partition:
    """Concludes what follows from the claims of a partition."""

    def __init__(self, setting: Setting) -> None:
        lookup = None if setting.lookup is None else open_lookup(setting.lookup)
        # a claim that is not at hand is read for what refutes it only, wherever that was found
        self._bad = {own_mark(name): (lines, None) for name, lines in setting.bad.items()}
        self._index = PartIndex(lookup)
        self._deriver = Deriver(setting.units)
        self._deduction = Deduction(self._index, setting.registry, setting.units, self._deriver, setting.background)

    @classmethod
    def of(cls, setting: Setting) -> "Partition":
        """The one of this process for a setting."""
        found = _KEPT.get(setting.key)
        if found is None:
            # a worker lives through several jobs, and the setting of an earlier one holds its whole registry
            _KEPT.clear()
            found = _KEPT[setting.key] = cls(setting)
        return found

    # --- claims alone

    def claims(self, bodies: Iterable[bytes]) -> Iterator[Json]:
        """For each claim its triples, where it is judged with others, what it links to, and what follows from it alone."""
        writer, deduction = TripleWriter("view"), self._deduction
        for body in bodies:
            record = orjson.loads(body)
            keys = self._deriver.keys(record)
            scopes, _ = deduction.rows(0, record, keys)
            auditor = deduction.auditor
            linked = auditor.has_own(record)
            unit = EMPTY if linked else own_unit(record, auditor.own(record))
            yield {
                "id": record["id"],
                "body": body,
                "text": writer.claim(record, keys),
                "scopes": [{"scope": scope, "tag": tag} for scope, _, tag in scopes],
                "groups": list(self._groups(record)),
                "said": None if (said := auditor.said(keys, record)) is None else mark(said),
                "relayed": list(repeated(record)),
                "inputs": [name for name, _ in premises(record)],
                "linked": linked,
                **_unit_fields(unit),
            }

    def _groups(self, record: ClaimRecord) -> Iterator[str]:
        """The groups of published results that a claim is computed in; a price is in the costs of all that it bears on."""
        groups = self._deduction.groups(record)
        yield from (one for one in groups if not one.startswith("price|"))
        yield from sorted(self._deduction.touched_groups(one for one in groups if one.startswith("price|")))

    # --- claims together

    def scope(self, scope: int, bodies: Iterable[bytes]) -> Iterator[Unit]:
        """The findings of the claims of one scope."""
        self._index.group = [orjson.loads(body) for body in bodies]
        findings = self._deduction.scope(scope)
        if findings:
            yield _row(scope, unit_of(findings))

    def own(self, bodies: Iterable[bytes]) -> Iterator[Json]:
        """What follows from claims and what they link to."""
        for body in bodies:
            record = orjson.loads(body)
            unit = own_unit(record, self._deduction.auditor.own(record))
            yield {"id": record["id"], **_unit_fields(unit)}

    def echoes(self, bodies: Iterable[bytes]) -> Iterator[bytes]:
        """The lines of one connected set of claims."""
        echoes = self._deduction.echoes([orjson.loads(body) for body in bodies])
        for unit in echo_units(echo_records(echoes)).values():
            yield unit.body

    def measured(self, group: str, bodies: Iterable[bytes]) -> bytes:
        """The lines of the rows that are computed in a group of published results."""
        rows = self._deduction.measured_rows()
        for body in bodies:
            rows.add(orjson.loads(body))
        return measured_unit(rows.costs() if group.startswith("cost|") else rows.results()).body

    def advice(self, body: bytes, own: tuple[bytes, bytes | None], about: Iterable[Unit]) -> bytes:
        """The line of the advice on a claim, from what was concluded about it."""
        record, index = orjson.loads(body), self._index
        units = {unit: (lines, exact) for unit, lines, exact, _ in about}
        if not own[0] and not units:
            return advice_unit(record["id"], self._deduction.quiet(record)).body
        index.units = {**self._bad, **units, own_mark(record["id"]): own}
        index.about, index.at_hand = sorted(units), mark(record["id"])
        self._deduction.forget_refuted()
        return advice_unit(record["id"], self._deduction.advice_now(record)).body

    def unattended(self, scopes: Iterable[int]) -> Iterator[Unit]:
        """The findings on recorded source links of texts of which no claim relies on one."""
        for scope in sorted(set(self._deduction.lists) - set(scopes)):
            yield from self.scope(scope, ())


def current_record(revisions: Sequence[Mapping[str, Any]]) -> bytes | None:
    """Of all revisions of one id the current one, with the one that it supersedes; None where all are retired.

    Each is a mapping with `edition`, `place`, `retired` and `body`.
    """
    ranked: list[tuple[Rank, int, bool, bytes]] = []
    for one in revisions:
        body = bytes(one["body"])
        ranked.append((rank_of(one["edition"], orjson.loads(body)), one["place"], one["retired"], body))
    # Of equal ranks the segment that was written first, as in the ledger: else the two builds would differ.
    live = sorted((one for one in ranked if not one[2]), key=lambda one: (one[0], -one[1]))
    if not live:
        return None
    winner = live[-1]
    older = superseded(winner[0], (one[0] for one in ranked if one is not winner))
    return orjson.dumps({**orjson.loads(winner[3]), "supersedes": older}) if older else winner[3]


def triples_of(lines: bytes) -> str:
    """The triples of lines of the derived set."""
    return "".join(derived_lines(map(orjson.loads, lines.splitlines()), "view"))


def _row(name: int, unit: DeductionUnit) -> Unit:
    return name, unit.body, unit.exact, sorted(unit.involved)


def _unit_fields(unit: DeductionUnit) -> Json:
    return {"unit": unit.body, "exact": unit.exact, "involved": sorted(unit.involved)}
