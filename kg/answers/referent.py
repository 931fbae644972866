"""What words on a command line mean: a claim, a number, a source, a thing, a metric, or two things."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple

from kg.answers.asking import Ask, Asker, metric_named, near_names, text
from kg.answers.claim import bare
from kg.answers.number import is_number
from kg.answers.trace import claims_matched
from kg.ask.bind import checked_words, is_entity_id
from kg.errors import KgError
from kg.model.identifiers import CLAIM_ID, is_source_id
from kg.model.units import UnitTable
from kg.model.vocabulary import pasted_id

ReferentKind = Literal["claim", "number", "source", "thing", "metric", "pair", "nothing"]
NOUNS: Final[dict[ReferentKind, str]] = {
    "claim": "a claim",
    "number": "a number",
    "source": "a source",
    "thing": "a thing",
    "metric": "a metric",
    "pair": "two things",
    "nothing": "nothing that is known",
}
_ID: Final = re.compile(CLAIM_ID)
_BETWEEN: Final = frozenset({"against", "vs", "vs.", "versus", "and", "with", "to", ","})


class Referent(NamedTuple):
    """What was meant: the ids of a claim, source, metric or the things of a name; the two names of a pair."""

    kind: ReferentKind
    text: str
    ids: tuple[str, ...] = ()
    pair: tuple[str, str] | None = None
    near: tuple[str, ...] = ()
    """Names like it, of what nobody knows."""

    @property
    def noun(self) -> str:
        """The kind in words."""
        return NOUNS[self.kind]


def read_referent(ask: Ask, words: Sequence[str], units: UnitTable, *, number_first: bool = False) -> Referent:
    """What the words mean, taken as one name or number where they are one, else as two names.

    A number that is a name too ("4090") is the name, unless `number_first`.
    """
    asker, given = Asker(ask), pasted_id(checked_words(" ".join(words).strip(), "name"))
    # ids first: no number and no name has the form of one
    if (found := _by_id(asker, given)) is not None:
        return found
    readers = (_number, _name) if number_first else (_name, _number)
    for reader in readers:
        if (found := reader(asker, given, units)) is not None:
            return found
    if (pair := _pair(asker, words)) is not None:
        return Referent("pair", given, pair=pair)
    # only now, as it costs a search: a print that reads as no number and is no name
    if _is_printed(ask, given, units):
        return Referent("number", given)
    claims = _worded_so(asker, given)
    if len(claims) == 1:
        return Referent("claim", claims[0], claims)
    return Referent("nothing", given, near=claims or near_names(asker, given, metrics=True))


def claims_stating(ask: Ask, number: str, units: UnitTable) -> tuple[str, ...]:
    """The claims that state just this number; where there are none, those that state one near it."""
    found = claims_matched(ask, number, units)
    # meets "002"; not "200", which is a number
    return tuple(one for one, match in found.items() if match.kind != "near") or tuple(found)


class Scope(NamedTuple):
    """The claims that a referent is about: those named, or those that touch each of its things, its metric or its source."""

    claims: frozenset[str] | None = None
    things: tuple[frozenset[str], ...] = ()
    metric: str | None = None
    source: str | None = None
    published: frozenset[str] = frozenset()
    """The sources that the thing published: what is in them is about it too."""

    @property
    def texts(self) -> frozenset[str]:
        """The texts that are named, be it by their publisher."""
        return self.published | ({self.source} if self.source else frozenset())

    def holds(self, claim: str, *, things: Collection[str | None], metric: str | None, source: str | None) -> bool:
        """Whether a claim with this subject and baseline, metric and source is one of them; ids with or without `metric/`."""
        return source in self.published or (
            (self.claims is None or claim in self.claims)
            and all(not each.isdisjoint(things) for each in self.things)
            and self.metric in (None, bare(metric))
            and self.source in (None, source)
        )


def scope_of(ask: Ask, meant: Referent, units: UnitTable) -> Scope:
    """The claims that a referent is about; a name covers its family."""
    if meant.kind in ("claim", "number"):
        return Scope(claims=frozenset(meant.ids or claims_stating(ask, meant.text, units)))
    if meant.kind == "metric":
        return Scope(metric=bare(meant.ids[0]))
    if meant.kind == "source":
        return Scope(source=meant.ids[0])
    asker = Asker(ask)
    names = meant.pair or (meant.text,)
    things = tuple(
        frozenset(text(row, "entity") for row in asker.rows("names/resolve", thing=[name])) for name in names
    )
    publishers = [one for one in meant.ids if one.startswith("org/")]
    links = (row for one in publishers for row in asker.rows("entities/links", thing=one))
    return Scope(
        things=things, published=frozenset(text(row, "other") for row in links if row["link"] == "publisher of")
    )


def _by_id(asker: Asker, given: str) -> Referent | None:
    """A claim, a source or a metric by its id, a source also by its digits: "002" would be the number 2 otherwise."""
    if re.fullmatch(r"0\d+", given):
        given = f"source/{given}"
    if not _ID.fullmatch(given):
        return None
    if given.startswith("metric/"):
        return Referent("metric", given, (given,)) if asker.rows("entities/metric", metric=given) else None
    if asker.rows("claims/card", claim=[given]):
        return Referent("claim", given, (given,))
    rows = asker.rows("entities/card", thing=[given]) if is_entity_id(given) else []
    if not rows:
        return None
    is_source = rows[0]["kind"] in ("source", "unresolved-source")
    return Referent("source" if is_source else "thing", given, (given,))


def _name(asker: Asker, given: str, _: UnitTable) -> Referent | None:
    named = _named(asker, given)
    if named:
        is_source = all(is_source_id(one) for one in named)
        return Referent("source" if is_source else "thing", given, named)
    metric = metric_named(asker, given)
    return None if metric is None else Referent("metric", given, (f"metric/{metric}",))


def _named(asker: Asker, given: str) -> tuple[str, ...]:
    rows = asker.rows("names/resolve", thing=[given]) if given else []
    return tuple(dict.fromkeys(text(row, "entity") for row in rows if row["match"] == "named"))


def _number(_: Asker, given: str, units: UnitTable) -> Referent | None:
    return Referent("number", given) if is_number(given, units) else None


def _is_printed(ask: Ask, given: str, units: UnitTable) -> bool:
    """Whether some claim prints a text that reads as no number, such as "two years"."""
    try:
        return bool(claims_matched(ask, given, units))
    except KgError:
        return False


def _worded_so(asker: Asker, given: str) -> tuple[str, ...]:
    """The claims without a figure that are printed in just these words, such as "far higher than B200"."""
    asked = given.casefold()
    rows = asker.rows("find/claims", text=[asked]) if asked else []
    printed = (row for row in rows if row["found_in"] == "cue" and text(row, "text_found").casefold() == asked)
    return tuple(dict.fromkeys(text(row, "claim") for row in printed))


def _pair(asker: Asker, words: Sequence[str]) -> tuple[str, str] | None:
    """The two names that the words are made of, the first as long as it can be; a word between them may say so."""
    parts = [one for word in words for one in word.split()]
    known: dict[str, bool] = {}

    def is_known(name: str) -> bool:
        if name not in known:
            known[name] = bool(_named(asker, name))
        return known[name]

    if len(words) == 2 and all(map(is_known, words)):
        return words[0], words[1]
    # the longest first name wins: of "H100 SXM H200", the pair is "H100 SXM" and "H200"
    for end in range(len(parts) - 1, 0, -1):
        first, rest = " ".join(parts[:end]).rstrip(","), parts[end:]
        second = " ".join(rest[1:] if rest[0].casefold() in _BETWEEN and len(rest) > 1 else rest)
        if is_known(first) and is_known(second):
            return first, second
    return None
