"""One claim that a person states field by field, checked and written into a folder of one's own in the curated form.

Everything is read and checked before anything is written; the audit then says what the claim contradicts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, cast

from rapidfuzz import process

from kg.build.added_fields import (
    FIELDS,
    NEXT_CONDITION,
    REQUIRED,
    figure_or_text,
    listed_values,
    missing_fields,
    place_in_words,
    read_day,
    read_hedge,
    read_number,
)
from kg.build.alone import alone_in
from kg.build.own_files import claims_at, own_folder, put_entities, write_claims
from kg.build.review_audit import AuditDifference, ReviewAudit
from kg.build.typed_values import condition_value, metric_value, named_conditions
from kg.build.usual_values import free_name, level_of, slug, usual_kinds
from kg.content.claim_expander import Expander
from kg.content.claims import read_claims
from kg.content.claims_file import ClaimsFile
from kg.content.entities import Registry, UnknownEntity, read_registry
from kg.content.folders import Content
from kg.content.located import Located
from kg.content.resolution import Resolver
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.errors import KgError, UsageError
from kg.model.hedges import HEDGES
from kg.model.identifiers import is_entity_id
from kg.model.json_types import Json
from kg.model.printed import read_printed
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.vocabulary import CONDITION_NAMES

_ABOUT: Final = "claims added one by one"
_THINGS: Final = ("accelerator", "system", "cluster", "model", "software", "cpu", "interconnect", "technology")


class AddedClaim(NamedTuple):
    """What was written: the id of the claim, its record, its file, and what the audit says of it."""

    id: str
    record: ClaimRecord
    path: Path
    difference: AuditDifference


@dataclass(slots=True)
class ClaimAdder:
    """Adds claims to a folder of one's own. Make it with `open_adder`."""

    content: Content
    folder: Path
    registry: Registry
    vocabulary: Vocabulary
    audit: ReviewAudit
    kinds: Mapping[tuple[str, bool], str]
    resolver: Resolver = field(init=False)

    def __post_init__(self) -> None:
        """Index the names once."""
        self.resolver = Resolver(self.registry)

    # --- one field

    def words(self, name: str) -> list[str]:
        """What a field can be completed to."""
        records = self.registry.records.values()
        match name:
            case "subject" | "baseline":
                return sorted({one["label"] for one in records if one["kind"] not in ("source", "organisation")})
            case "asserted_by":
                return sorted({one["label"] for one in records if one["kind"] in ("organisation", "vendor")})
            case "source":
                return sorted(one["id"] for one in records if one["record"] == "source")
            case "level":
                return sorted({one["level"] for one in self.audit.claims.values()})
            case "conditions":
                return [*(f"{one}=" for one in sorted(CONDITION_NAMES)), *named_conditions(self.resolver)]
        return list(self._fixed_words().get(name, ()))

    def _fixed_words(self) -> Mapping[str, Iterable[str]]:
        units = (one.id for one in self.vocabulary.units.units)
        return {"metric": self.vocabulary.metrics, "hedge": sorted(HEDGES), "unit": units}

    def read(self, name: str, given: str) -> str:
        """What was given for a field as it is recorded; raises what is wrong with it."""
        readers: Mapping[str, Callable[[str, str], str]] = {
            "subject": self._thing,
            "baseline": self._thing,
            "asserted_by": self._thing,
            "metric": partial(metric_value, self.vocabulary),
            "source": self._source,
            "unit": lambda _, text: self.vocabulary.units.get(text).id,
            "hedge": read_hedge,
            "conditions": lambda _, text: ", ".join(f"{key}={value}" for key, value in self._conditions(text)),
            "said_on": read_day,
            "as_of": read_day,
            "page": read_number,
            "line": read_number,
        }
        text = given.strip()
        if not text and name in REQUIRED:
            raise UsageError(field=name, given="nothing", expected=FIELDS[name])
        return readers[name](name, text) if text and name in readers else text

    def level_of(self, thing: str) -> str | None:
        """The level of a thing; None where a claim has to say it."""
        return level_of(self.registry, thing)

    def is_new_source(self, identifier: str) -> bool:
        """Whether nothing is known of a source."""
        return identifier not in self.registry.records

    def unit_of(self, printed: str) -> str | None:
        """The unit that is printed with a figure."""
        try:
            return read_printed(printed, table=self.vocabulary.units).unit
        except KgError:
            return None

    def _thing(self, name: str, given: str) -> str:
        kinds = ("organisation",) if name == "asserted_by" else _THINGS
        if given in self.registry.records:
            return given
        found = next((one for kind in kinds if (one := self.resolver.resolve(kind, given).id)), None)
        if found is None:
            near = [text for text, _, _ in process.extract(given, self.words(name), limit=3)]
            raise UnknownEntity(
                field=name,
                given=given,
                expected="a name or id that is known",
                next_step=f'Did you mean {", ".join(near)}? kg find "{given}" looks further',
            )
        return found

    def _conditions(self, given: str) -> Iterator[tuple[str, str]]:
        """Each condition with its value; names of things as their ids."""
        for part in NEXT_CONDITION.split(given):
            name, _, text = (one.strip() for one in part.partition("="))
            if name not in CONDITION_NAMES or not text:
                near = [one for one, _, _ in process.extract(name, sorted(CONDITION_NAMES), limit=3)]
                raise UsageError(
                    field="conditions",
                    given=part.strip(),
                    expected="name=value, such as model=Llama 2 70B, precision=FP8",
                    next_step=f"the names most like it: {', '.join(near)}",
                )
            yield name, ", ".join(condition_value(self.resolver, name, one) for one in listed_values(text))

    def _source(self, name: str, given: str) -> str:
        identifier = given if "/" in given else f"source/{given}"
        known = self.registry.records.get(identifier)
        is_other = known is not None and known["record"] != "source"
        if is_other or not identifier.startswith("source/") or not is_entity_id(identifier):
            raise UsageError(field=name, given=given, expected="the id of a source, such as 002 or my-bench")
        return identifier

    # --- the claim

    def add(self, given: Mapping[str, str]) -> AddedClaim:
        """Check the claim and write it, with its source where that is new; nothing is written where anything is wrong."""
        if missing := missing_fields(given):
            raise UsageError(
                field=", ".join(missing), given="nothing", expected="; ".join(FIELDS[name] for name in missing)
            )
        values = {name: self.read(name, text) for name, text in given.items() if text.strip()}
        source, new = values["source"], list(self._new_entities(values))
        records = {**self.registry.records, **{one["id"]: cast(ThingRecord, one) for one in new}}
        registry = Registry(records, self.registry.redirects, self.registry.rules)
        entry = self._entry(values, registry)
        file = ClaimsFile(Located(self._path(source), {}, {}), "", source, None)
        record = Expander(registry, self.vocabulary, {}).claim(file, entry)
        self._refuse_twice(record)
        # The registry is read again before the claim is written, so that an entity that is refused leaves no
        # claim behind.
        if new:
            self._write_entities(new)
            self.registry = read_registry(self.content)
            self.audit = self.audit.under(self.content, self.registry, self.vocabulary)
        self._write(source, entry)
        return AddedClaim(record["id"], record, self._path(source), self.audit.put(record))

    def _entry(self, values: Mapping[str, str], registry: Registry) -> Json:
        """The claim as it appears in a claims file."""
        metric, baseline = values["metric"], values.get("baseline")
        unit = values.get("unit") or self.unit_of(values["printed"])
        if unit is None:
            raise UsageError(
                field="printed",
                given=values["printed"],
                expected="a figure with its unit, such as 4.8 TB/s or 2.5x",
                next_step="give the unit with --unit where none is printed",
            )
        compares = baseline is not None
        speaker = values.get("asserted_by") or registry.records[values["source"]].get("publisher")
        level = self._level(values, registry)
        entry: Json = {
            "id": self._name(values),
            "kind": self.kinds.get((metric, compares)) or ("comparison" if compares else "measurement"),
            "subject": values["subject"],
            "level": level,
            "metric": metric,
            "printed": values["printed"],
            "unit": unit,
            "hedge": values.get("hedge"),
            "conditions": self._recorded_conditions(values.get("conditions", "")),
            "asserted_by": speaker or _author(values["source"]),
            "said_on": {"date": values["said_on"], "basis": "printed"} if "said_on" in values else None,
            "as_of": values.get("as_of"),
            "locator": place_in_words(values),
        }
        if compares:
            other = level_of(registry, values["baseline"]) or level
            entry |= {"baseline": baseline, "baseline_status": "named", "baseline_level": other}
            # a factor against something is a ratio of the two; any other unit is a figure of the subject itself
            entry |= {"relation": "ratio"} if unit == "1" else {}
        return {key: value for key, value in entry.items() if value is not None}

    def _recorded_conditions(self, given: str) -> Json | None:
        """The conditions as a record has them: numbers as numbers, several values as a list."""
        found = {}
        for name, text in self._conditions(given) if given else ():
            values = [figure_or_text(one) for one in listed_values(text)]
            found[name] = values if len(values) > 1 else values[0]
        return found or None

    def _level(self, values: Mapping[str, str], registry: Registry) -> str:
        level = values.get("level") or level_of(registry, values["subject"])
        if level is None:
            raise UsageError(
                field="level",
                given="nothing",
                expected=f"the level of {values['subject']}: {', '.join(self.words('level'))}",
                next_step="give --level, or name the chip, node or rack itself",
            )
        return level

    def _name(self, values: Mapping[str, str]) -> str:
        words = (values["metric"], values["subject"].partition("/")[2])
        prefix = f"{values['source'].partition('/')[2]}/"
        return free_name(".".join(map(slug, words)), self.audit.claims, prefix=prefix)

    def _refuse_twice(self, record: ClaimRecord) -> None:
        keys = ("source", "subject", "metric", "baseline", "conditions", "anchor", "quantity")
        for one in self.audit.claims.values():
            if one.get("source") == record["source"] and _same(one, record, keys):
                raise UsageError(
                    given=record["quantity"]["printed"],
                    expected=f"a claim that is not there yet; it is {one['id']}",
                    next_step=f"kg trace {one['id']}",
                )

    def _new_entities(self, values: Mapping[str, str]) -> Iterator[Json]:
        """A source that is not known yet, and its unknown author where nobody is named."""
        source, title = values["source"], values.get("title")
        if not self.is_new_source(source):
            return
        if not title:
            raise UsageError(
                field="title",
                given="nothing",
                expected=f"the title of {source}, which is new",
                next_step="give --title, or a known source: kg ask sources",
            )
        speaker = values.get("asserted_by")
        yield {
            "id": source,
            "kind": "source",
            "record": "source",
            "label": title,
            "form": "report",
            "published_basis": "unstated",
        }
        if speaker is None and _author(source) not in self.registry.records:
            author = {"id": _author(source), "kind": "organisation", "label": f"Author of {title}"}
            yield {**author, "record": "entity"}

    # --- files

    def _path(self, source: str) -> Path:
        return self.folder / "claims" / f"{source.partition('/')[2]}-added.yaml"

    def _write(self, source: str, entry: Mapping[str, object]) -> None:
        fresh = {"source": source, "groups": [{"about": _ABOUT, "claims": []}]}
        located = claims_at(self.content, self._path(source), fresh=fresh)
        located.value["groups"][-1].setdefault("claims", []).append(entry)
        write_claims(self.content, located)

    def _write_entities(self, new: list[Json]) -> None:
        made = ({key: value for key, value in one.items() if key != "record"} for one in new)
        put_entities(self.folder / "entities" / "sources.yaml", made)


def _author(source: str) -> str:
    """Who wrote a source of which no author is known."""
    return f"org/{source.partition('/')[2]}-author"


def _same(one: ClaimRecord, other: ClaimRecord, names: tuple[str, ...]) -> bool:
    printed = [(each.get("quantity") or {}).get("printed") for each in (one, other)]
    return printed[0] == printed[1] and all(one.get(name) == other.get(name) for name in names if name != "quantity")


def add_claim(content: Content, values: Mapping[str, str]) -> AddedClaim:
    """Add one claim under the lock of the folder, to what is in it then."""
    with alone_in(own_folder(content, "added")):
        return open_adder(content).add(values)


def open_adder(content: Content) -> ClaimAdder:
    """Read the content once; refused where there is no folder of one's own to write into."""
    own = own_folder(content, "added")
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    claims = list(read_claims(content, registry, vocabulary))
    audit = ReviewAudit.of(content, registry, vocabulary, claims)
    return ClaimAdder(content, own, registry, vocabulary, audit, usual_kinds(claims))
