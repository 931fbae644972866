"""Turns the claim templates of a mapping into functions from the fields of a row to claim records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from kg.content.vocabulary import Vocabulary
from kg.ingest.cells import as_text
from kg.ingest.claim_conditions import condition_makers
from kg.ingest.compute import Compute, holds_all, taken
from kg.ingest.derivations import check_derivation, compiled_derivations
from kg.ingest.entities import Things
from kg.ingest.errors import CELL, RECORD, MappingError, RowFault, shown
from kg.ingest.mapping import ClaimRule, Detailed
from kg.ingest.mapping_part import FILLED, reference
from kg.ingest.record_check import RecordCheck
from kg.ingest.row_view import RowView
from kg.model.hedges import hedge_of
from kg.model.identifiers import is_entity_id
from kg.model.json_types import Json
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import RATIO_RELATIONS

_SUPERCHIP_AMONG_CHIPS = ("superchip", "specification", "per-chip")
"""Level, kind and normaliser of a superchip in a column of chips: what is printed of one is per superchip."""


Make = Callable[[RowView], ClaimRecord | None]


@dataclass(frozen=True, slots=True)
class _Template:
    """One template of claims: what all of its claims share, and the functions that take the rest from a row."""

    suffix: str
    fixed: Json
    subject: Compute
    texts: tuple[tuple[str, Compute], ...]
    basis: Compute
    levels: Mapping[Any, Any]
    level_of: Callable[[Any], Any]
    printed_name: Compute
    named_by: str
    places: tuple[tuple[str, str, tuple[tuple[str, Compute], ...]], ...]
    """Conditions and baseline conditions: the key, a text that identifies the rule, and a function a condition."""
    asserted: Compute
    publisher: str
    path: tuple[Compute, ...]
    place: str
    """The field whose cell is the anchor."""

    def record(self, row: RowView, thing: object, quantity: Mapping[str, object] | None) -> Json:
        """The claim of a row, with empty keys where the row says nothing."""
        fields, record = row.fields, self.fixed.copy()
        record["id"] = row.prefix + self.suffix
        record["subject"] = thing
        if quantity is not None:
            record["quantity"] = quantity
        for key, take in self.texts:
            one = take(fields)
            if one is not None:
                record[key] = one
        if "said_on" in record:
            record["said_on_basis"] = self.basis(fields)
        if "level" not in record:
            own = self.level_of(thing)
            record["level"] = self.levels.get(own, own)
            if (record["level"], record["kind"], record.get("normaliser")) == _SUPERCHIP_AMONG_CHIPS:
                record["normaliser"] = "per-superchip"
        record["subject_printed"] = self.printed_name(fields) or row.printed.get(self.named_by)
        for key, template, makers in self.places:
            record[key] = row.conditions(template, makers)
        record["asserted_by"] = self.asserted(fields) or self.publisher
        record["source"] = fields["source"]
        record["path"] = [fields["source"], *(one for take in self.path if (one := take(fields)) is not None)]
        record["anchor"] = row.anchor(self.place)
        return record


class FigureMaker:
    """Makes claim functions against one vocabulary; what was checked once is not checked again."""

    def __init__(self, things: Things, vocabulary: Vocabulary, publisher: str) -> None:
        self._things, self._vocabulary, self._publisher = things, vocabulary, publisher
        self._units: dict[tuple[Any, Any, str], str | RowFault] = {}
        self._soundness = RecordCheck(things)

    def maker(self, name: str, rule: ClaimRule, earlier: set[str], key_field: str) -> Make:
        """The function of one template; it gives None where the row has no figure for it."""
        where = f"claims.{name}"
        self._check(where, rule, earlier)
        when, derive = holds_all(rule.when), compiled_derivations(rule)
        quantity = _term(rule) if rule.term is not None else _quantity(where, rule)
        template = self._template(name, rule, key_field)
        subject, needs_figure = template.subject, rule.statement is None

        def make(row: RowView) -> ClaimRecord | None:
            fields = row.fields
            if when is not None and not when(fields):
                return None
            thing = subject(fields)
            derivation = None if thing is None else derive(row)
            if derivation is None:
                return None
            derived, value = derivation
            given = quantity(row, value)
            if given is None and needs_figure:
                return None
            record = template.record(row, thing, given)
            record["derivations"] = derived
            if given is not None and "unit" in given:
                self._fitting(record, given)
            # what the row does not say is left out; a 0 says something
            record = {key: one for key, one in record.items() if one or one == 0}
            self._soundness.check(record)
            return cast(ClaimRecord, record)

        return make

    def _template(self, name: str, rule: ClaimRule, key_field: str) -> "_Template":
        basis = rule.said_on_basis or ("day of the edition {edition}" if rule.said_on is None else "the row")
        return _Template(
            suffix=name,
            fixed=_fixed(rule),
            subject=taken(rule.subject),
            texts=tuple(_texts(rule)),
            basis=taken(basis),
            levels=rule.level if isinstance(rule.level, dict) else {},
            level_of=self._things.level,
            printed_name=taken(rule.subject_printed),
            named_by=reference(rule.subject) or "",
            places=tuple(
                (key, repr(given), condition_makers(given))
                for key, given in (("conditions", rule.conditions), ("baseline_conditions", rule.baseline_conditions))
                if given
            ),
            asserted=taken(rule.asserted_by or self._publisher),
            publisher=self._publisher,
            path=tuple(taken(one) for one in rule.path),
            place=rule.anchor or reference(rule.value) or reference(rule.term) or _first_field(rule) or key_field,
        )

    def _fitting(self, record: Json, quantity: Json) -> None:
        """The id of the printed unit; refuses one that nobody knows or that the metric cannot have."""
        key = (record["metric"], quantity["unit"], record.get("relation", "absolute"))
        known = self._units.get(key)
        if known is None:
            known = self._units[key] = self._fit(*key)
        if isinstance(known, RowFault):
            raise known
        quantity["unit"] = known

    def _fit(self, metric: Any, unit: Any, relation: str) -> str | RowFault:
        known = self._vocabulary.metrics.get(metric)
        if known is None:
            return RowFault(RECORD, "metric", shown(metric), "a metric of ontology/metrics.yaml")
        found = self._vocabulary.units.find(str(unit))
        if found is None:
            return RowFault(RECORD, "unit", shown(unit), "a unit of ontology/units.yaml, or count:<thing>")
        if relation == "absolute" and found.kind not in known.kinds:
            return RowFault(RECORD, "unit", f"{unit} ({found.kind})", f"{metric} in {', '.join(known.kinds)}")
        if relation in RATIO_RELATIONS and found.id not in ("1", "%"):
            return RowFault(RECORD, "unit", str(unit), f"1 or %, for the relation {relation}")
        return found.id

    def _check(self, where: str, rule: ClaimRule, earlier: set[str]) -> None:
        """What is wrong with a template regardless of the rows."""
        for key, value in (
            ("subject", rule.subject),
            ("asserted_by", rule.asserted_by),
            ("baseline", rule.baseline),
            ("term", rule.term),
        ):
            self._known(f"{where}.{key}", value)
        for name, given in (*rule.conditions.items(), *rule.baseline_conditions.items()):
            inner = given.value if isinstance(given, Detailed) else given
            for one in inner if isinstance(inner, list) else [inner]:
                self._known(f"{where}.conditions.{name}", one, only_ids=True)
        self._check_metric(where, rule)
        for derivation in rule.derivations:
            check_derivation(where, derivation, earlier)

    def _check_metric(self, where: str, rule: ClaimRule) -> None:
        """Refuse a metric that is not known, or a unit that it cannot have; one that a row gives is checked with the row."""
        if reference(rule.metric) or FILLED.search(rule.metric):
            return
        if rule.metric not in self._vocabulary.metrics:
            raise MappingError(field=f"{where}.metric", given=rule.metric, expected="a metric of ontology/metrics.yaml")
        if rule.unit is not None and not reference(rule.unit):
            fit = self._fit(rule.metric, rule.unit, rule.relation)
            if isinstance(fit, RowFault):
                raise MappingError(field=f"{where}.{fit.field}", given=fit.given, expected=fit.expected)

    def _known(self, where: str, value: object, *, only_ids: bool = False) -> None:
        if (
            not isinstance(value, str)
            or reference(value)
            or FILLED.search(value)
            or (only_ids and not is_entity_id(value))
        ):
            return
        if not self._things.knows(value):
            near = self._things.registry.nearest(value)
            raise MappingError(
                field=where,
                given=value,
                expected="the id of a known entity, or $name",
                next_step=f'Did you mean "{near}"?' if near else None,
            )


def _term(rule: ClaimRule) -> Callable[[RowView, Any], Json | None]:
    """The quantity of a template whose figure is a word."""
    term_of, field = taken(rule.term), reference(rule.term) or ""

    def quantity(row: RowView, _: object) -> Json | None:
        term = term_of(row.fields)
        return None if term is None else {"term": term, **_printed(row, field)}

    return quantity


def _quantity(where: str, rule: ClaimRule) -> Callable[[RowView, Any], Json | None]:
    """The quantity of a template: a number with its unit, a set, a date, or that the source has none."""
    value_of, unit_of, own_hedge = (taken(one) for one in (rule.value, rule.unit, rule.hedge))
    value_field = reference(rule.value) or ""
    missing: Json | None = {"absent": True} if rule.absent == "when-missing" and rule.value is not None else None

    def quantity(row: RowView, computed: object) -> Json | None:
        fields = row.fields
        value = computed if computed is not None else value_of(fields)
        if value is None:
            return missing and missing.copy()
        made: Json = {"exact": True} if rule.exact else {}
        if computed is None:
            made.update(_printed(row, value_field))
        made.update(_as_recorded(value, unit_of(fields), rule, value_field or where, where))
        hedge = own_hedge(fields) if rule.hedge is not None else _printed_hedge(made)
        if hedge is not None:
            made["hedge"] = hedge
        return made

    return quantity


def _printed_hedge(quantity: Json) -> str | None:
    """What a print says of its own number: "~350" is about 350."""
    printed = quantity.get("printed")
    return None if printed is None or "value" not in quantity or printed[0].isdigit() else hedge_of(printed)


def _as_recorded(value: object, unit: object, rule: ClaimRule, field: str, where: str) -> Json:
    """A set, a date, or a number with its unit."""
    if isinstance(value, list):
        return {"set": [as_text(one) for one in value]}
    if isinstance(value, str):
        return {"date": value}
    if rule.relation == "absolute":
        _refuse_below_zero(value, field)
    return {"value": value, "unit": _needed_unit(unit, where)}


def _refuse_below_zero(value: object, field: str) -> None:
    # a rate, time, size, power or price below zero is a slip of the file, and no figure of anything
    if isinstance(value, int | float) and value < 0:
        raise RowFault(CELL, field, shown(value), "a figure of at least zero")


def _needed_unit(unit: object, where: str) -> Any:
    if unit is None:
        # a number without a unit is no claim: nobody could say later what was counted
        raise RowFault(RECORD, "unit", "nothing", f"a unit for {where}")
    return unit


def _fixed(rule: ClaimRule) -> Json:
    """What is the same in all claims of a template."""
    fixed: Json = {"record": "claim", "kind": rule.kind}
    if rule.relation != "absolute":
        fixed["relation"] = rule.relation
    if rule.direction is not None:
        fixed["direction"] = rule.direction
    if isinstance(rule.normaliser, list):
        fixed["normaliser"] = list(rule.normaliser)
    return fixed


def _texts(rule: ClaimRule) -> list[tuple[str, Compute]]:
    """The keys that are one text each, left out where they say what is taken for granted."""
    plain_level = None if isinstance(rule.level, dict) else rule.level
    modality = None if rule.modality == "stated" else rule.modality
    normaliser = None if isinstance(rule.normaliser, list) or rule.normaliser == "unstated" else rule.normaliser
    given = (
        ("baseline", rule.baseline),
        ("metric", rule.metric),
        ("statistic", rule.statistic),
        ("level", plain_level),
        ("statement", rule.statement),
        ("note", rule.note),
        ("as_of", rule.as_of),
        ("as_of_basis", rule.as_of_basis),
        ("said_on", rule.said_on or "$edition_date"),
        ("modality", modality),
        ("normaliser", normaliser),
    )
    return [(key, taken(value)) for key, value in given if value is not None]


def _first_field(rule: ClaimRule) -> str | None:
    """The field that a computed figure starts from."""
    for one in rule.derivations:
        for used in one.inputs.values():
            if (name := reference(used.constant)) is not None:
                return name
    return None


def _printed(row: RowView, name: str) -> Json:
    text = row.printed.get(name)
    return {} if text is None or not text or len(text) > 2000 else {"printed": text}
