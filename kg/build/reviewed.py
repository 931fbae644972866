"""What a review decides, written into a folder of one's own in the curated form, and what the audit says of it at once.

Every write is whole or not done, and doing it twice is as good as once. The audit judges the sets that an accepted claim
joins, against the curated claims in memory; published rows join in when the store is built again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from kg.build.alone import alone
from kg.build.figure_value import value_of_figure
from kg.build.own_files import claims_at, ignored_at, own_folder, put_entities, write_claims, write_ignored
from kg.build.review_audit import NO_DIFFERENCE, AuditDifference, ReviewAudit
from kg.build.source_details import SourceDetails, checked_details
from kg.build.typed_values import condition_value, plain_value
from kg.build.usual_values import KINDS, NEW_KINDS, free_name, level_of, new_thing, slug, usual_kinds
from kg.content.claim_expander import Expander
from kg.content.claims import read_claims
from kg.content.claims_file import ClaimsFile
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.format import changed_entities
from kg.content.located import Located, read_located
from kg.content.resolution import Resolver
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.errors import KgError, UsageError
from kg.ledger import durable
from kg.model.json_types import Json
from kg.model.names import name_key
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.reading.known_names import NEW
from kg.reading.proposals_file import CONDITION, Proposals, ProposedFigure, is_ratio

_IDENTIFIER: Final = re.compile(r"[a-z][a-z-]*/\S+")


class FigurePassage(NamedTuple):
    """A figure as it is printed, with the words before and after it on one line."""

    before: str
    printed: str
    after: str


@dataclass(slots=True)
class OwnFolderKeeper:
    """Keeps what a review decides in a folder of one's own. Make it with `open_keeper`."""

    content: Content
    folder: Path
    proposals: Proposals
    text: str
    registry: Registry
    vocabulary: Vocabulary
    audit: ReviewAudit
    details: SourceDetails
    kinds: Mapping[tuple[str, bool], str]
    difference: AuditDifference = NO_DIFFERENCE
    """What the audit said of the last claim that was kept or taken back."""
    made: tuple[str, ...] = ()
    """The entities that the last accepted claim made of unknown names: id, kind and name."""

    # --- what a review asks for

    def claim_id(self, figure: ProposedFigure, values: Mapping[str, str]) -> str:
        """The id of the claim: metric and subject, and a number where that is taken; raises what is wrong with it."""
        values, things = self._named(values)
        words = [values.get("metric", ""), values.get("subject", "").partition("/")[2], values.get("statistic", "")]
        stem = ".".join(filter(None, map(slug, words))) or "claim"
        name = free_name(stem, self.audit.claims, prefix=f"{self._prefix}/")
        # Made and thrown away: what is wrong with the claim is said before anything is written.
        self._record(self._entry(figure, values, name), things)
        return f"{self._prefix}/{name}"

    @alone
    def keep(self, figure: ProposedFigure, values: Mapping[str, str], claim: str) -> None:
        """Write the claim, and with the first one the source and its text."""
        values, things = self._named(values)
        entry = self._entry(figure, values, claim.split("/", 1)[1])
        # What a claim names is written before it: a kill leaves at most an entity without a claim, never a
        # claim without its entity.
        self._ensure_source()
        if things:
            self._put(self._names_path(), things)
        self.made = tuple(f"made {one['id']} ({one['kind']}): {one['label']}" for one in things)
        located = self._claims_file()
        value = located.value
        group = next((one for one in value["groups"] if one.get("about") == _ABOUT), None)
        if group is None:
            group = {"about": _ABOUT, "claims": []}
            value["groups"].append(group)
        others = [one for one in group["claims"] if one.get("id") != entry["id"]]
        group["claims"] = sorted([*others, entry], key=lambda one: (one.get("at", 0), str(one.get("id"))))
        write_claims(self.content, located)
        self.difference = self.audit.put(self._record(entry))

    @alone
    def keep_rejected(self, figure: ProposedFigure, reason: str) -> None:
        """List the figure as no claim, with its reason."""
        self._ensure_source()
        self._write_coverage(
            [*self._rejected_without(figure), {"reason": reason, "at": figure.start, "to": figure.end}]
        )
        self.difference = NO_DIFFERENCE

    @alone
    def take_back(self, figure: ProposedFigure, claim: str | None) -> None:
        """Take the claim, or the rejected figure, out of the folder again."""
        if claim is None:
            self._write_coverage(self._rejected_without(figure))
            self.difference = NO_DIFFERENCE
            return
        located, local = self._claims_file(), claim.split("/", 1)[1]
        for group in list(located.value["groups"]):
            known = group.get("claims") or []
            group["claims"] = [one for one in known if one.get("id") != local]
            if known and not group["claims"]:
                located.value["groups"].remove(group)
        write_claims(self.content, located)
        self.difference = self.audit.take(claim)
        self._forget_names()

    @alone
    def keep_name(self, identifier: str, label: str, kind: str) -> None:
        """Make an entity for what is no known one; it can be the subject of a claim from then on.

        Raises what is wrong with it; the folder is as it was then.
        """
        if not name_key(label):
            raise UsageError(field="label", given=repr(label), expected="a name that a reader could look for")
        thing = new_thing(self.registry, identifier, kind, label)
        self._put(self.folder / "entities" / "accepted.yaml", [thing])

    def _put(self, path: Path, entities: list[Json]) -> None:
        """Write entities and read all of them again; what is wrong with one leaves the file as it was, or nothing would read."""
        before = path.read_bytes() if path.is_file() else None
        try:
            put_entities(path, entities)
            self._read_again()
        except KgError:
            if before is None:
                path.unlink(missing_ok=True)
            else:
                durable.write_whole(path, [before])
            raise

    def meant(self, name: str, given: str) -> str:
        """What was typed for a field, as it is recorded: `ID = Label` makes a thing, and a name means what it resolves to."""
        if not given or given in self.registry.records:
            return given
        if name not in _NAMING and not name.startswith(CONDITION):
            return plain_value(self.vocabulary, name, given)
        identifier, makes, label = (part.strip() for part in given.partition("="))
        # a value such as TP=8 makes nothing: the id of a thing has its kind before it
        if makes and label and (name in _NAMING or _IDENTIFIER.fullmatch(identifier)):
            self.keep_name(identifier, label, KINDS.get(identifier.partition("/")[0], "accelerator"))
            return identifier
        resolver = Resolver(self.registry)
        if name.startswith(CONDITION):
            return condition_value(resolver, name.removeprefix(CONDITION), given)
        return self._named_thing(resolver, name, given)

    @staticmethod
    def _named_thing(resolver: Resolver, name: str, given: str) -> str:
        kinds = ("organisation",) if name == "asserted_by" else ("accelerator", "system", "model", "software")
        known = next((one for kind in kinds if (one := resolver.resolve(kind, given).id)), None)
        if known is None and not given.startswith(NEW) and _IDENTIFIER.fullmatch(given) is None:
            raise UsageError(
                field=name,
                given=given,
                expected="a name or id that is known",
                next_step=f"make it with its kind: accelerator/{slug(given)} = {given}",
            )
        return known or given

    def passage(self, figure: ProposedFigure) -> FigurePassage:
        """The figure with what stands before and after it."""
        left, right = max(0, figure.start - _AROUND), min(len(self.text), figure.end + _AROUND)
        before, after = _one_line(self.text[left : figure.start]), _one_line(self.text[figure.end : right])
        return FigurePassage("…" * bool(left) + before, figure.printed, after + "…" * (right < len(self.text)))

    def report(self) -> list[str]:
        """The things that the last claim made, and what the audit said of it, in lines."""
        new, gone = self.difference.new, self.difference.gone
        lines = [f"audit: {one.severity}, {one.message}" for one in new[:3]]
        lines += [f"and {len(new) - 3} more findings"] if len(new) > 3 else []
        lines += [f"no longer found: {one.message}" for one in gone[:2]]
        return [*self.made, *(lines or ["audit: nothing new"])]

    # --- names that nobody knew

    def _named(self, values: Mapping[str, str]) -> tuple[dict[str, str], list[Json]]:
        """The values with ids where a candidate is a name that nobody knew, and the things that are made for them."""
        settled, made = dict(values), dict[str, Json]()
        for name in _NAMING & settled.keys():
            if settled[name].startswith(NEW):
                level = "organisation" if name == "asserted_by" else settled.get("level", "accelerator")
                thing = self._thing(settled[name].removeprefix(NEW).strip(), level, {**self.registry.records, **made})
                settled[name] = thing["id"]
                if thing["id"] not in self.registry.records:
                    made[thing["id"]] = thing
        return settled, list(made.values())

    def _thing(self, label: str, level: str, known: Mapping[str, Mapping[str, Any]]) -> Json:
        """The thing that has exactly this name, else one of the level that is not made yet."""
        key = name_key(label)
        for record in known.values():
            if any(name_key(one) == key for one in (record.get("label", ""), *record.get("aliases", ()))):
                return dict(record)
        prefix, kind = NEW_KINDS.get(level, ("accelerator", "accelerator"))
        return new_thing(self.registry, free_name(f"{prefix}/{slug(label) or 'thing'}", known), kind, label)

    def _names_path(self) -> Path:
        return self.folder / "entities" / f"new-in-{self._prefix}.yaml"

    def _forget_names(self) -> None:
        """Delete entities that were made for accepted claims, where nothing refers to them any more."""
        path = self._names_path()
        if not path.is_file():
            return
        made = read_located(path)
        gone = {one["id"] for one in made.value if not self._is_named(one)}
        if not gone:
            return
        if text := changed_entities(path.read_text(encoding="utf-8"), made, without=gone):
            durable.write_whole(path, [text.encode()])
        else:
            path.unlink()
        self._read_again()

    def _is_named(self, thing: Json) -> bool:
        """Whether somebody said more of a thing than its name, or a claim or another thing names it."""
        now = self.registry.records.get(thing["id"], {})
        # What was written by hand since is the user's, and stays.
        if thing != new_thing(self.registry, thing["id"], thing["kind"], thing["label"]) or now.get("aliases"):
            return True
        others = (one for one in self.registry.records.values() if one["id"] != thing["id"])
        return any(_names(one, thing["id"]) for one in (*self.audit.claims.values(), *others))

    # --- the claim

    @property
    def _prefix(self) -> str:
        return self.proposals.source.split("/", 1)[1]

    def _entry(self, figure: ProposedFigure, values: Mapping[str, str], name: str) -> Json:
        """The claim as it appears in a claims file."""
        entry: Json = {"id": name, "kind": self._kind(values)}
        entry |= {key: value for key, value in values.items() if not key.startswith(CONDITION) and key != "kind"}
        if entry.get("relation") == "absolute":
            del entry["relation"]
        entry |= {"printed": figure.whole_print, "at": figure.start}
        if figure.hedge:
            entry["hedge"] = figure.hedge
        entry |= figure.place.stated()
        conditions = {key.removeprefix(CONDITION): v for key, v in values.items() if key.startswith(CONDITION)}
        if conditions:
            entry["conditions"] = conditions
        entry.setdefault("level", self._level(entry.get("subject")))
        entry.setdefault("asserted_by", self._speaker())
        if "baseline" in entry:
            entry.setdefault("baseline_status", "named")
        elif entry["kind"] == "comparison":
            entry.setdefault("baseline_status", "unstated")
        entry |= value_of_figure(figure, entry.get("unit"), self.vocabulary.units)
        return {key: value for key, value in entry.items() if value is not None}

    def _kind(self, values: Mapping[str, str]) -> str:
        """What the claim was filed as wherever this metric was curated before."""
        if "kind" in values:
            return values["kind"]
        compares = "baseline" in values or is_ratio(values.get("relation"))
        known = self.kinds.get((values.get("metric", ""), compares))
        return known or ("comparison" if compares else "measurement")

    def _level(self, subject: str | None) -> str | None:
        return level_of(self.registry, subject)

    def _speaker(self) -> str | None:
        record = self.registry.records.get(self.proposals.source, {})
        return self.details.publisher or record.get("publisher") or f"org/{self._prefix}-author"

    def _record(self, entry: Json, things: Iterable[Json] = ()) -> ClaimRecord:
        """The claim as it is recorded, with things that are to be made; raises all that is wrong with it."""
        for key in ("subject", "metric", "unit"):
            if key not in entry:
                raise UsageError(field=key, given="nothing", expected=f"a {key}", next_step="choose or type one")
        file = ClaimsFile(
            Located(self._claims_path(), {}, {}), "", self.proposals.source, self.proposals.report.document
        )
        return Expander(self._with_source(things), self.vocabulary, {}).claim(file, entry)

    def _with_source(self, things: Iterable[Mapping[str, object]]) -> Registry:
        """The registry as it is once the source and some things are written."""
        new = {one["id"]: {**one, "record": "entity"} for one in things}
        for record in self._source_entities():
            new.setdefault(record["id"], {**record, "record": "source" if record["kind"] == "source" else "entity"})
        records = cast(dict[str, ThingRecord], new) | dict(self.registry.records)
        return Registry(records, self.registry.redirects, self.registry.rules)

    # --- the source

    def _source_entities(self) -> Iterator[Json]:
        """The report and, where nobody is named, its unknown author."""
        report, known = self.proposals.report, self.registry.records
        title = report.title or Path(report.file).name
        if self.proposals.source not in known:
            yield {
                "id": self.proposals.source,
                "kind": "source",
                "label": title,
                "form": self.details.form,
                "document": report.document,
                "sha256": report.sha256,
                "bytes": len(self.text.encode()),
                "code_points": len(self.text),
                "publisher": self.details.publisher,
                "published": self.details.published,
                "published_basis": "printed" if self.details.published else "unstated",
            }
        author = f"org/{self._prefix}-author"
        if self._speaker() == author and author not in known:
            yield {"id": author, "kind": "organisation", "label": f"Author of {title}"}

    def _ensure_source(self) -> None:
        """The source, its author and its text lie in the folder."""
        path = self.folder / "documents" / self.proposals.report.document
        if not path.is_file():
            durable.write_whole(path, [self.text.encode()])
        new = list(self._source_entities())
        if new:
            self._put(self.folder / "entities" / "sources.yaml", new)

    def _read_again(self) -> None:
        self.registry = read_registry(self.content)
        self.audit = self.audit.under(self.content, self.registry, self.vocabulary)

    # --- files

    def _claims_path(self) -> Path:
        return self.folder / "claims" / f"{self._prefix}.yaml"

    def _claims_file(self) -> Located:
        fresh = {"source": self.proposals.source, "document": self.proposals.report.document, "groups": []}
        return claims_at(self.content, self._claims_path(), fresh=fresh)

    def _coverage_path(self) -> Path:
        return self.folder / "coverage" / f"{self._prefix}.yaml"

    def _rejected_without(self, figure: ProposedFigure) -> list[Json]:
        ignored = ignored_at(self._coverage_path())
        return [one for one in ignored if (one.get("at"), one.get("to")) != (figure.start, figure.end)]

    def _write_coverage(self, ignored: list[Json]) -> None:
        write_ignored(self._coverage_path(), self.proposals.source, ignored)


_ABOUT: Final = "figures taken over in a review"
_AROUND: Final = 220
_NAMING: Final = frozenset({"subject", "baseline", "asserted_by"})


def _one_line(text: str) -> str:
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())


def _names(value: object, identifier: str) -> bool:
    """Whether an id stands anywhere in a record."""
    if isinstance(value, Mapping):
        return any(_names(one, identifier) for one in value.values())
    if isinstance(value, list | tuple):
        return any(_names(one, identifier) for one in value)
    return value == identifier


def open_keeper(content: Content, proposals: Proposals, *, details: SourceDetails | None = None) -> OwnFolderKeeper:
    """Read content and text once; a review then writes and audits within moments."""
    own = own_folder(content, "accepted")
    text = proposals.text(own / "documents")
    for one in proposals.figures:
        # Proposals hold positions, which in another text lead to other figures.
        if text[one.start : one.end] != one.printed:
            raise UsageError(
                path=str(proposals.path),
                given=f'"{one.printed}" at {one.start}, where the text has "{text[one.start : one.end]}"',
                expected="proposals for this text",
                next_step="read the report again with kg read",
            )
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    details = checked_details(details or SourceDetails(), registry)
    claims = read_claims(content, registry, vocabulary)
    audit = ReviewAudit.of(content, registry, vocabulary, claims)
    return OwnFolderKeeper(content, own, proposals, text, registry, vocabulary, audit, details, usual_kinds(claims))
