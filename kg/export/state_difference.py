"""What changed between two states: claims new, corrected field by field, withdrawn; verdicts flipped.

A state is a store folder, an exported JSON Lines file, or `edition:…`: the ledger of a store as it stood with that
edition and the ones before it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson

from kg.__about__ import RULES_VERSION
from kg.audit.audit import AuditInput, audit
from kg.build.build import read_background
from kg.content.entities import read_registry
from kg.content.folders import Content, find_content
from kg.content.vocabulary import read_vocabulary
from kg.errors import KgError, Mistakes, UsageError
from kg.ledger.derived import read_derived
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.segment import revision_of
from kg.model.compiled import recorded
from kg.model.derived import Deriver
from kg.model.exchange_form import (
    CLAIM_KEYS,
    DAYS,
    DERIVED_CLAIM_KEYS,
    DERIVED_QUANTITY_KEYS,
    PLACE_AND_DAY,
    without_defaults,
)
from kg.model.json_types import Json
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.result import brief

EDITION = "edition:"
_TOLD = ("id", "code", "verdict", "severity")
"""The fields of a finding that a difference reports."""


class NoState(UsageError):
    """What was given leads to no state of the claims."""

    code = "diff.state"


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """One judgement on a claim."""

    code: str
    verdict: str
    severity: str


@dataclass(frozen=True, slots=True)
class State:
    """The claims and entities of one side, and the verdicts on them."""

    name: str
    claims: Mapping[str, Json]
    things: Mapping[str, Json]
    verdicts: Mapping[tuple[str, str, str], frozenset[VerdictChange]]
    """By claim, area (the first word of a code) and key."""
    kept: bool
    """Whether the verdicts were kept with the state; else they were reached now, by the rules of this version."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a claim before and after; None where it was or is not there."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Corrected:
    """A claim that has another revision."""

    claim: str
    changes: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class Flipped:
    """A claim that is judged otherwise; no verdict on one side where the claim or the judgement is new or gone."""

    claim: str
    area: str
    before: tuple[VerdictChange, ...]
    after: tuple[VerdictChange, ...]


@brief
@dataclass(frozen=True, slots=True)
class StateDifference:
    """Everything that changed from one state to another."""

    before: str
    after: str
    new: tuple[Json, ...]
    corrected: tuple[Corrected, ...]
    """Claims that say something else, with the fields in which they do."""
    withdrawn: tuple[Json, ...]
    flipped: tuple[Flipped, ...]
    things: tuple[int, int, int]
    """Entities and sources: new, changed, gone."""
    verdicts: str
    """Where the verdicts come from."""
    moved: int = 0
    """Claims that say the same at another place or on another day."""

    def to_json(self) -> Json:
        """Plain values, stable and sorted."""
        return {
            "before": self.before,
            "after": self.after,
            "new": [_short(one) for one in self.new],
            "withdrawn": [_short(one) for one in self.withdrawn],
            "corrected": [
                {
                    "claim": one.claim,
                    "changes": [{"field": c.field, "before": c.before, "after": c.after} for c in one.changes],
                }
                for one in self.corrected
            ],
            "flipped": [
                {
                    "claim": one.claim,
                    "area": one.area,
                    "before": [_verdict_json(v) for v in one.before],
                    "after": [_verdict_json(v) for v in one.after],
                }
                for one in self.flipped
            ],
            "things": dict(zip(("new", "changed", "gone"), self.things, strict=True)),
            "verdicts": self.verdicts,
            "moved": self.moved,
        }


def _verdict_json(one: VerdictChange) -> Json:
    return {"code": one.code, "verdict": one.verdict, "severity": one.severity}


def _short(record: Json) -> Json:
    quantity = record.get("quantity") or {}
    printed = quantity.get("printed") or record.get("cue")
    return {
        "claim": record["id"],
        "subject": record["subject"],
        "metric": record["metric"],
        "printed": printed,
        "source": record["source"],
    }


def difference(before: State, after: State) -> StateDifference:
    """Compare two states. The ids of claims decide what is the same claim; what is derived does not count as a change."""
    common = before.claims.keys() & after.claims.keys()
    other = [
        Corrected(name, tuple(changes))
        for name in sorted(common)
        if revision_of(before.claims[name]) != revision_of(after.claims[name])
        and (changes := list(_changes(before.claims[name], after.claims[name])))
    ]
    # a file that was put in another order moves every row of it: that is one line of news, not thousands
    corrected = [one for each in other if (one := _said(each)).changes]
    now = [one.name for one in (before, after) if not one.kept]
    return StateDifference(
        before.name,
        after.name,
        tuple(after.claims[name] for name in sorted(after.claims.keys() - common)),
        tuple(corrected),
        tuple(before.claims[name] for name in sorted(before.claims.keys() - common)),
        tuple(_flips(before, after, common)),
        _things(before.things, after.things),
        "as kept" + (f", but {' and '.join(now)} judged now" if now else ""),
        len(other) - len(corrected),
    )


def _said(one: Corrected) -> Corrected:
    """The changes in what a claim says; where it stands is none, nor the day if it stands elsewhere than before."""
    roots = {each.field.partition(".")[0] for each in one.changes}
    # the day of a claim that stayed where it was is a correction; that of a later file is its own
    hidden = PLACE_AND_DAY if "anchor" in roots else PLACE_AND_DAY - DAYS
    return Corrected(one.claim, tuple(each for each in one.changes if each.field.partition(".")[0] not in hidden))


def _things(
    before: Mapping[str, Mapping[str, object]], after: Mapping[str, Mapping[str, object]]
) -> tuple[int, int, int]:
    common = before.keys() & after.keys()
    changed = sum(1 for name in common if revision_of(before[name]) != revision_of(after[name]))
    return len(after.keys() - common), changed, len(before.keys() - common)


def _changes(before: object, after: object, field: str = "") -> Iterator[FieldChange]:
    """Every leaf that differs; lists are compared as a whole unless they are of one length."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted(before.keys() | after.keys(), key=_place):
            yield from _changes(before.get(key), after.get(key), f"{field}.{key}" if field else key)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changes(one, other, f"{field}.{place}")
    elif before != after:
        yield FieldChange(field, before, after)


def _place(key: str) -> tuple[int, str]:
    return (CLAIM_KEYS.index(key) if key in CLAIM_KEYS else len(CLAIM_KEYS)), key


def _flips(before: State, after: State, common: "set[str]") -> Iterator[Flipped]:
    """Slots whose verdicts differ; where a side is new or gone only what is more than information is listed."""
    for slot in sorted(before.verdicts.keys() | after.verdicts.keys()):
        claim, area, _ = slot
        old, new = before.verdicts.get(slot, frozenset()), after.verdicts.get(slot, frozenset())
        lost, won = _sorted(old - new), _sorted(new - old)
        both = bool(lost and won) and claim in common
        listed = lost + won if both else tuple(one for one in lost + won if one.severity != "info")
        if listed:
            yield Flipped(claim, area, lost, won)


def _sorted(verdicts: "frozenset[VerdictChange]") -> tuple[VerdictChange, ...]:
    return tuple(sorted(verdicts, key=lambda one: (one.code, one.verdict)))


def read_state(given: str, *, store: Path, judging: "Judging") -> State:
    """A state from its name; `store` is where an edition is looked up."""
    if given.startswith(EDITION):
        return _of_edition(given, store, judging)
    path = Path(given)
    if path.is_dir():
        ledger = Ledger(path / "ledger")
        manifest = ledger.manifest()
        if not manifest.segments:
            raise NoState(
                field="state",
                given=given,
                expected="a store folder with a ledger",
                next_step="run kg build --store there first",
            )
        return _of_ledger(given, path, ledger, manifest, judging)
    if path.is_file():
        return _of_file(given, path, judging)
    raise NoState(field="state", given=given, expected="a store folder, an exported JSON Lines file, or edition:DATE")


def _of_edition(given: str, store: Path, judging: "Judging") -> State:
    ledger, wanted = Ledger(store / "ledger"), given.removeprefix(EDITION)
    manifest = ledger.manifest()
    editions = sorted({one.edition for one in manifest.segments})
    if wanted not in editions:
        known = ", ".join(EDITION + one for one in editions) or "no edition: the store is empty"
        raise NoState("is not an edition of this store.", field="state", given=given, expected=known)
    kept = Manifest(tuple(one for one in manifest.segments if one.edition <= wanted))
    return _of_ledger(given, store, ledger, kept, judging)


def _of_ledger(name: str, store: Path, ledger: Ledger, manifest: Manifest, judging: "Judging") -> State:
    claims: dict[str, Json] = {}
    things: dict[str, Json] = {}
    for record in ledger.current(manifest):
        (claims if record["record"] == "claim" else things)[record["id"]] = without_defaults(_bare(record))
    findings = list(read_derived(store / "ledger" / "derived", manifest.head, RULES_VERSION))
    return _state(
        name,
        claims,
        things,
        [cast(Json, one) for one in findings if one["record"] == "finding"],
        judging,
        kept=bool(findings),
    )


def _of_file(name: str, path: Path, judging: "Judging") -> State:
    claims: dict[str, Json] = {}
    things: dict[str, Json] = {}
    findings: list[Json] = []
    mistakes: list[KgError] = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = orjson.loads(line)
                if record["record"] == "finding":
                    findings.append(_finding(record))
                    continue
                bare = _bare(record)
                recorded(bare)  # what the audit and the rows shown rely on
                if bare["record"] == "claim":
                    claims[bare["id"]] = without_defaults(bare)
                else:
                    things[bare["id"]] = bare
            except (ValueError, KeyError, TypeError, IndexError, AttributeError):
                given = line[:80].decode("utf-8", "replace").strip()
                mistakes.append(
                    NoState(path=name, line=number, given=given, expected="a line that kg export jsonl writes")
                )
    # Twenty mistakes tell what is wrong with a file that is none of ours; it may have a million
    # lines.
    Mistakes.raise_any(mistakes[:20])
    return _state(name, claims, things, findings, judging, kept=bool(findings))


def _finding(record: Json) -> Json:
    """A finding of a file, with the fields that a difference reports; TypeError where one is no text."""
    finding = {"claim": record["claims"][0]["claim"], **record}
    for value in (finding["claim"], record["claims"][0]["claim"], *map(finding.get, _TOLD)):
        if not isinstance(value, str):
            raise TypeError(value)
    return finding


def _state(
    name: str, claims: dict[str, Json], things: dict[str, Json], findings: list[Json], judging: "Judging", *, kept: bool
) -> State:
    """With the verdicts that came along, else with those that the rules reach now."""
    found: dict[tuple[str, str, str], set[VerdictChange]] = {}
    for one in findings if kept else judging.findings(claims, things):
        claim, code = one["claims"][0]["claim"], one["code"]
        # The id of a finding ends in the key of its slot: the same key with another verdict is a
        # flip, not two findings.
        key = one["id"].removeprefix(f"finding/{claim}/{code}-")
        found.setdefault((claim, code.partition(".")[0], key), set()).add(
            VerdictChange(code, one["verdict"], one["severity"])
        )
    return State(name, claims, things, {slot: frozenset(some) for slot, some in found.items()}, kept)


@dataclass(frozen=True, slots=True)
class Judging:
    """What it takes to judge a state that came without verdicts."""

    content: Content

    def findings(
        self, claims: Mapping[str, Mapping[str, object]], things: Mapping[str, Mapping[str, object]]
    ) -> Iterator[Json]:
        """All findings; a file without entities is judged with those of the content."""
        vocabulary, registry = read_vocabulary(self.content), read_registry(self.content)
        background = read_background(self.content, vocabulary, registry)
        given = AuditInput(
            cast(Mapping[str, ClaimRecord], claims),
            {**registry.records, **cast(Mapping[str, ThingRecord], things)},
            vocabulary.units,
            Deriver(vocabulary.units),
            background.references,
            background.links,
        )
        yield from (dict(one.to_json()) for one in audit(given))


def _bare(record: Mapping[str, object]) -> Json:
    """The recorded fields of a record or of a line of the exchange form; null and absent mean the same."""
    derived = DERIVED_CLAIM_KEYS if record["record"] == "claim" else frozenset({"revision", "supersedes"})
    kept: Json = {key: one for key, one in record.items() if one is not None and key not in derived}
    if "quantity" in kept:
        kept["quantity"] = {
            key: one for key, one in kept["quantity"].items() if one is not None and key not in DERIVED_QUANTITY_KEYS
        }
    if "derivations" in kept:
        kept["derivations"] = [
            {key: one for key, one in given.items() if one is not None and key not in ("result", "verdict")}
            for given in kept["derivations"]
        ]
    return kept


def compare_states(a: str, b: str, *, folder: Path, content: str | None) -> StateDifference:
    """Read two states by name and compare them; editions are those of the store in use."""
    judging = Judging(find_content(Path(content) if content else None))
    return difference(read_state(a, store=folder, judging=judging), read_state(b, store=folder, judging=judging))
