"""The closed unit table: kinds, factors, printed names, and exact conversion inside one kind.

Built from the parsed ``ontology/units.yaml``; reading that file is left to ``kg.content``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from kg.errors import ContentError, KgError, Mistakes, ModelError
from kg.model.exact import exact_number
from kg.model.similar_names import similar_names

COUNT = "count"
COUNT_PREFIX = "count:"
MONEY_PREFIX = "money-"


class UnknownUnit(ModelError):
    """A unit that is neither in the unit table nor a ``count:<thing>``."""

    code = "model.unknown-unit"


class UnitMismatch(ModelError):
    """Two units whose quantities are of different kinds, so that no factor leads from one to the other."""

    code = "model.unit-mismatch"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the table; ``factor`` times a value gives the canonical unit of its kind."""

    id: str
    kind: str
    factor: Fraction
    names: tuple[str, ...] = ()
    qudt: str | None = None

    @property
    def thing(self) -> str | None:
        """What a ``count:<thing>`` counts, else None."""
        return self.id.removeprefix(COUNT_PREFIX) if self.id.startswith(COUNT_PREFIX) else None


def currency_of(kind: str) -> str | None:
    """The currency of a kind of units, in small letters, where they are of money or of a price.

    >>> currency_of("money-usd-rate"), currency_of("power")
    ('usd', None)
    """
    return kind.split("-")[1] if kind.startswith(MONEY_PREFIX) else None


@dataclass(frozen=True)
class UnitTable:
    """All units by id and by printed name.

    >>> table = UnitTable.from_mapping({
    ...     "kinds": {"power": {"canonical": "W"}, "count": {"canonical": "count"}},
    ...     "units": {"W": {"kind": "power", "factor": "1", "names": ["watts"]},
    ...               "kW": {"kind": "power", "factor": "1e3", "names": ["kilowatts"]},
    ...               "count": {"kind": "count", "factor": "1"}}})
    >>> table.get("kilowatts").id, table.canonical("kW").id, table.convert(Fraction("1.2"), "kW", "W")
    ('kW', 'W', Fraction(1200, 1))
    >>> table.get("count:gpu").kind, table.canonical("count:gpu").id
    ('count', 'count')
    """

    units: tuple[Unit, ...]
    canonical_ids: tuple[tuple[str, str], ...]
    _by_id: Mapping[str, Unit] = field(repr=False, compare=False)
    _by_name: Mapping[str, Unit] = field(repr=False, compare=False)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Mapping[str, Mapping[str, object]]]) -> UnitTable:
        """Check the parsed unit table and index it; all mistakes are reported together."""
        mistakes: list[KgError] = []
        canonical = {kind: str(spec.get("canonical")) for kind, spec in mapping["kinds"].items()}
        by_id: dict[str, Unit] = {}
        for unit_id, spec in mapping["units"].items():
            try:
                by_id[unit_id] = _read_unit(unit_id, spec, canonical)
            except ContentError as mistake:
                mistakes.append(mistake)
        by_name = dict(by_id)
        for unit in by_id.values():
            for name in unit.names:
                # One printed name leads to one unit: a text could otherwise be read in two.
                if by_name.setdefault(name, unit) is not unit:
                    mistakes.append(
                        ContentError(
                            f"is a name of {by_name[name].id} too.",
                            field=f"units.{unit.id}.names",
                            given=name,
                            next_step="Keep it at one of the two.",
                        )
                    )
        for kind, unit_id in canonical.items():
            unit_or_none = by_id.get(unit_id)
            if unit_or_none is None or unit_or_none.kind != kind or unit_or_none.factor != 1:
                mistakes.append(
                    ContentError(
                        "is not a unit of this kind with factor 1.",
                        field=f"kinds.{kind}.canonical",
                        given=unit_id,
                        next_step="Give the canonical unit of the kind, in quotes.",
                    )
                )
        Mistakes.raise_any(mistakes)
        return cls(tuple(by_id.values()), tuple(canonical.items()), by_id, by_name)

    @cached_property
    def _canonical(self) -> Mapping[str, Unit]:
        """The canonical unit by kind."""
        return {kind: self._by_id[unit_id] for kind, unit_id in self.canonical_ids}

    def find(self, name: str) -> Unit | None:
        """The unit with this id or printed name, or None. Case counts: MB and Mb differ."""
        found = self._by_name.get(name)
        if found is None and name.startswith(COUNT_PREFIX) and len(name) > len(COUNT_PREFIX):
            # Anything that is counted, by name: no list of units could hold every thing.
            return Unit(name, COUNT, Fraction(1))
        return found

    def get(self, name: str) -> Unit:
        """The unit with this id or printed name; raises UnknownUnit with the nearest name."""
        found = self.find(name)
        if found is None:
            near = self.nearest(name)
            raise UnknownUnit(
                "is not a known unit.",
                given=name,
                expected=None if near else "a unit of ontology/units.yaml, or count:<thing>",
                next_step=f'Did you mean "{near}"?' if near else None,
            )
        return found

    def nearest(self, name: str) -> str | None:
        """The known id or printed name most like this one, or None if none is like it."""
        exact_but_case = [known for known in self._by_name if known.lower() == name.lower()]
        return next(iter(exact_but_case or similar_names(name, self._by_name, most=1, likeness=0.5)), None)

    def kind(self, name: str) -> str:
        """The quantity kind of a unit."""
        return self.get(name).kind

    def canonical(self, name: str) -> Unit:
        """The canonical unit of the kind of a unit; of every count it is ``count``."""
        return self._canonical[self.get(name).kind]

    def factor(self, source: str, target: str) -> Fraction:
        """What a value in ``source`` is multiplied with to be in ``target``.

        Units of one dimension but of different kinds do not convert, nor do counts of different things.
        """
        a, b = self.get(source), self.get(target)
        if a.kind != b.kind:
            raise UnitMismatch(
                f"is a unit of {a.kind}, {b.id} one of {b.kind}: they do not convert.",
                given=a.id,
                expected=f"a unit of {b.kind}",
            )
        if a.thing and b.thing and a.thing != b.thing:
            raise UnitMismatch(f"and {b.id} count different things: they do not convert.", given=a.id, expected=b.id)
        return a.factor / b.factor

    def convert(self, value: Fraction, source: str, target: str) -> Fraction:
        """A value in another unit of the same kind, exactly."""
        return value * self.factor(source, target)

    def to_canonical(self, value: Fraction, name: str) -> Fraction:
        """A value in the canonical unit of its kind."""
        return value * self.get(name).factor


def _read_unit(unit_id: str, spec: Mapping[str, object], canonical: Mapping[str, str]) -> Unit:
    kind, factor, names = spec.get("kind"), spec.get("factor"), spec.get("names") or []
    where = f"units.{unit_id}"
    if not isinstance(kind, str) or kind not in canonical:
        raise ContentError(
            "is not a kind of the table.", field=f"{where}.kind", given=str(kind), expected=", ".join(sorted(canonical))
        )
    if not isinstance(factor, (str, int)) or isinstance(factor, bool):
        raise ContentError(
            "is not exact.", field=f"{where}.factor", given=str(factor), expected='a number in quotes: "1e3", "1/8"'
        )
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ContentError("is not a list of names.", field=f"{where}.names", given=str(names))
    try:
        exact = exact_number(factor)
    except ValueError as error:
        raise ContentError("is not a number.", field=f"{where}.factor", given=str(factor)) from error
    if exact <= 0:
        raise ContentError("is not above zero.", field=f"{where}.factor", given=str(factor))
    qudt = spec.get("qudt")
    return Unit(unit_id, kind, exact, tuple(names), qudt if isinstance(qudt, str) else None)
