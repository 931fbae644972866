"""Loads files of claims: all of them, or none where a line of one is wrong. Called by `kg.build.writing` for `kg load claims`.

The checked records of `kg.build.claim_lines` that are new become segments, which are made live in one step; the view follows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from kg.build.build import CONTENT_ORIGIN, Built, StorePlace, refresh_view
from kg.build.claim_lines import LineReader, LoadableIds
from kg.build.progress import Progress, silent
from kg.content.citations import read_citation_lists
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.soundness import cycle_mistakes
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.errors import ContentError, KgError, Mistakes
from kg.ledger.edition import behind
from kg.ledger.ledger import Held, with_revision
from kg.ledger.segment import SegmentInfo, write_segment
from kg.model.ledger_records import CurrentRecord
from kg.model.recorded import ClaimRecord


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """What a load did."""

    origin: str
    lines: int
    added: Mapping[str, int]
    unchanged: int
    derived_lines: int
    built: Built | None
    superseded: tuple[str, ...] = ()
    """Records that said something else before, by id."""
    older: tuple[str, ...] = ()
    """Records of which the store still holds a later edition that says something else, by id."""

    fresh: int = 0
    """How many records the store had nothing of."""
    left_out: int = 0
    """Findings on citations that are not made again: this content has no list of the links of their source."""

    @property
    def same(self) -> int:
        """How many records say what the store says, written again for a later day or not."""
        return sum(self.added.values()) + self.unchanged - self.fresh - len(self.superseded) - len(self.older)

    def to_json(self) -> dict[str, object]:
        """The result of the load, for programs."""
        return {
            "origin": self.origin,
            "lines": self.lines,
            "added": dict(self.added),
            "unchanged": self.unchanged,
            "superseded": list(self.superseded),
            "older": list(self.older),
            "derived_lines": self.derived_lines,
            "left_out": self.left_out,
        }


def load_all(
    place: StorePlace,
    content: Content,
    paths: Sequence[Path],
    *,
    edition: str | None,
    form: str = "claims",
    dry_run: bool = False,
    progress: Progress = silent,
) -> list[LoadedFile]:
    """Load files under the writer lock held by the caller: all of them or none. Later editions supersede earlier ones.

    Without an edition that is today. Of one edition what was loaded last counts: a corrected file is loaded again.
    """
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    known, derived = _known_records(place, registry, vocabulary)
    readers: list[LineReader] = []
    mistakes: list[KgError] = []
    for path in paths:
        progress(f"reading {path.name}", 0, 0)
        reader = LineReader(path, known, form, progress=progress)
        mistakes.extend(_read_file(reader, known))
        readers.append(reader)
    if not mistakes:
        # an input may be in any of the files, so that circles are looked for once all are read and sound
        mistakes.extend(_cycle_mistakes(derived, readers))
    Mistakes.raise_any(mistakes)
    # nothing is written before every line of every file is sound, so that a refused load leaves no half of it
    done = _publish(place, readers, edition=edition, registry=registry.digest, dry_run=dry_run)
    if any(one.on_citations for one in readers):
        listed = {one["source"] for one in read_citation_lists(content, registry)}
        left = [sum(n for source, n in one.on_citations.items() if source not in listed) for one in readers]
        done = [replace(one, left_out=count) for one, count in zip(done, left, strict=True)]
    if not dry_run and (any(one.added for one in done) or not place.is_current()):
        built = refresh_view(place, content, vocabulary, registry, progress=progress)
        done[-1] = replace(done[-1], built=built)
    return done


def _known_records(
    place: StorePlace, registry: Registry, vocabulary: Vocabulary
) -> tuple[LoadableIds, dict[str, ClaimRecord]]:
    """What a line may name: the records of content and ledger; and the claims of the ledger that are computed."""
    known = LoadableIds(registry, vocabulary, {}, dict(registry.records), place.folder)
    derived: dict[str, ClaimRecord] = {}
    for one in place.ledger.current():
        known.add(one)
        if one["record"] == "claim" and one.get("derivations"):
            derived[one["id"]] = one
    return known, derived


def _read_file(reader: LineReader, known: LoadableIds) -> list[KgError]:
    """Read a file, add its records to what the next one may name, and give its mistakes by line."""
    reader.read()
    mistakes = sorted(reader.mistakes, key=lambda one: one.line or 0)
    for record in reader.records.values():
        known.add(record)
    if mistakes:
        # an input that is missing because its line is wrong would be reported twice
        return mistakes
    return [
        error.at(path=reader.shown, line=reader.given[name][0])
        for name, error in _unknown_inputs(list(reader.records.values()), set(known.kinds))
    ]


def _publish(
    place: StorePlace, readers: Sequence[LineReader], *, edition: str | None, registry: str, dry_run: bool
) -> list[LoadedFile]:
    """Write what the checked files say that is new, and make it live in one step; the view is not touched."""
    held = place.ledger.held()
    written = [_written(place, one, held, edition=edition, registry=registry, dry_run=dry_run) for one in readers]
    segments = [segment for _, segment in written if segment is not None]
    if segments:
        place.ledger.publish(segments)
    return [loaded for loaded, _ in written]


def _written(
    place: StorePlace,
    reader: LineReader,
    held: dict[str, Held],
    *,
    edition: str | None,
    registry: str,
    dry_run: bool,
) -> tuple[LoadedFile, SegmentInfo | None]:
    """What a checked file says that is new, as a segment that no manifest names yet; `held` has it from then on."""
    day = edition or date.today().isoformat()
    new = _new_records(reader, held, day)
    added = dict(Counter[str](record["record"] for record in new))
    # Only behind what is held of these records: the number decides between revisions of one id and nothing
    # else.
    day = behind(day, (held[one["id"]].edition for one in new if one["id"] in held))
    superseded = tuple(one["id"] for one in new if _gives_way(held.get(one["id"]), one, day))
    older = tuple(one["id"] for one in new if _stays_behind(held.get(one["id"]), one, day))
    origin = f"claims/{reader.stem}"
    segment = None
    if new and not dry_run:
        segment = write_segment(
            place.ledger.segments_folder, new, origin=origin, edition=day, scope="partial", registry=registry
        )
    fresh = sum(one["id"] not in held for one in new)
    same = len(reader.records) - len(new)
    held |= {one["id"]: Held(one["revision"], day, origin) for one in new if one["id"] not in older}
    return LoadedFile(origin, reader.lines, added, same, reader.derived_lines, None, superseded, older, fresh), segment


def _new_records(reader: LineReader, held: Mapping[str, Held], day: str) -> list[CurrentRecord]:
    """The records that say something else than what is held, by kind: claims, entities, sources."""
    revised = (with_revision(reader.records[name]) for name in sorted(reader.records))
    new = [record for record in revised if not _is_held(held.get(record["id"]), record, day)]
    return sorted(new, key=lambda one: (one["record"], one["id"]))


def _gives_way(held: Held | None, record: CurrentRecord, edition: str) -> bool:
    """Whether the ledger says something else of it until now, and what is loaded counts from now on."""
    differs = held is not None and held.revision != record["revision"]
    return differs and not _stays_behind(held, record, edition)


def _stays_behind(held: Held | None, record: CurrentRecord, edition: str) -> bool:
    """Whether the ledger holds another revision of it from a later edition, which stays current."""
    return held is not None and held.edition > edition and held.revision != record["revision"]


def _is_held(held: Held | None, record: CurrentRecord, edition: str) -> bool:
    """Whether the ledger has this revision from this edition on, or from the content, which has no edition by date.

    A later edition that says the same again is news: it keeps what an edition between the two said from winning.
    """
    return (
        held is not None
        and held.revision == record["revision"]
        and (held.edition >= edition or held.origin == CONTENT_ORIGIN)
    )


def _cycle_mistakes(held: Mapping[str, ClaimRecord], readers: Sequence[LineReader]) -> list[KgError]:
    """Circles that the new claims would close, together with what the ledger holds."""
    places = {name: (reader.shown, reader.given[name][0]) for reader in readers for name in reader.records}
    records = [one for reader in readers for one in reader.records.values()]
    new = {one["id"]: one for one in records if one["record"] == "claim" and one.get("derivations")}
    if not new:
        return []
    return [one for one in cycle_mistakes({**held, **new}, places) if one.path is not None]


def _unknown_inputs(records: list[CurrentRecord], known: set[str]) -> list[tuple[str, KgError]]:
    found: list[tuple[str, KgError]] = []
    for record in records:
        if record["record"] != "claim":
            continue
        named = [("same_as", record["same_as"])] if "same_as" in record else []
        named += [("restates", one["claim"]) for one in record.get("restates", ()) if "claim" in one]
        for derivation in record.get("derivations", ()):
            named += [
                (f"derivations.{key}", used["claim"]) for key, used in derivation["inputs"].items() if "claim" in used
            ]
        for field, other in named:
            if other not in known:
                found.append(
                    (
                        record["id"],
                        ContentError(
                            code="claim.unknown-claim",
                            field=field,
                            given=other,
                            expected="the id of a claim of the file or the ledger",
                        ),
                    )
                )
    return found
