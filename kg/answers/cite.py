"""How to cite a claim, a source, an entity or the whole graph: BibTeX or CSL JSON, with the version of the content."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from kg.answers.show import show
from kg.errors import UsageError
from kg.model.vocabulary import claim_iri, thing_iri

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.answers.show import Shown
    from kg.ask.opened import Opened

ADDRESS: Final = "https://w3id.org/accelkg"
TITLE: Final = "accelkg: claims about AI accelerators, with their provenance"
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_FORMS: Final = {
    "news": "article-newspaper",
    "blog": "post-weblog",
    "paper": "article",
    "dataset": "dataset",
    "report": "report",
}
"""CSL types of the forms of sources; others are documents."""


class NothingToCite(UsageError):
    """No claim, source or entity has this id."""

    code = "cite.nothing"


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation, in words that both forms are written from."""

    key: str
    type: str
    title: str
    authors: tuple[str, ...]
    issued: str | None
    address: str
    version: str
    note: str
    within: str | None = None
    """The work it is part of."""

    def to_csl(self) -> list[dict[str, Any]]:
        """CSL JSON: a list with one item."""
        item: dict[str, Any] = {
            "id": self.key,
            "type": self.type,
            "title": self.title,
            "author": [{"literal": one} for one in self.authors],
            "URL": self.address,
            "version": self.version,
            "note": self.note,
        }
        parts = _date_parts(self.issued)
        if parts:
            item["issued"] = {"date-parts": [parts]}
        if self.within:
            item["container-title"] = self.within
        return [item]

    def to_bibtex(self) -> str:
        """One entry of type `misc`, which every style knows."""
        # in braces of its own, as most styles write a bare title in small letters: "nvidia h200"
        fields = [
            ("title", f"{{{latex(self.title)}}}"),
            # in braces, so that an organisation is one name, not a first and a last one
            ("author", " and ".join(f"{{{latex(one)}}}" for one in self.authors)),
        ]
        parts = _date_parts(self.issued)
        if parts:
            fields.append(("year", str(parts[0])))
            if len(parts) > 1:
                fields.append(("month", str(parts[1])))
        if self.within:
            fields.append(("howpublished", latex(self.within)))
        fields += [("url", self.address), ("version", latex(self.version)), ("note", latex(self.note))]
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields if value)
        return f"@misc{{{self.key},\n{lines}\n}}\n"


def latex(text: str) -> str:
    r"""A text with the signs that LaTeX would take as its own.

    >>> latex("50% of R&D")
    '50\\% of R\\&D'
    """
    return "".join(_LATEX.get(sign, sign) for sign in _CONTROL.sub(" ", text))


def cite(graph: "Opened", identifier: str | None = None) -> Citation:
    """The citation of an id; of the graph itself without one."""
    stamp = graph.stamp
    content = str(stamp.get("content", "unknown"))[:16]
    version = f"{stamp.get('version', 'unknown')}+content.{content}"
    if identifier is None:
        head = str(stamp.get("head", ""))[:16]
        return Citation(
            "accelkg", "dataset", TITLE, ("accelkg",), None, ADDRESS, version, f"content {content}, ledger {head}"
        )
    shown = show(graph.ask, identifier)
    if shown.trace is not None:
        return _of_claim(shown.trace.claims[0].claim, version)
    if shown.id is None:
        raise NothingToCite(
            "is no id.",
            given=identifier,
            expected="the id of a claim, source or entity",
            next_step="Did you mean " + ", ".join([one.id for one in shown.candidates][:3] or shown.near[:3]) + "?"
            if shown.candidates or shown.near
            else "kg find TEXT lists what matches",
        )
    return _of_source(graph, shown, version) if shown.kind == "source" else _of_thing(shown, version)


def _of_claim(card: "ClaimCard", version: str) -> Citation:
    subject = " and ".join(one.name for one in card.subjects)
    against = f" against {card.baseline.name}" if card.baseline else ""
    said = card.worded or card.statement or ""
    place = card.place
    where = [place.document or card.source.name]
    if place.start is not None:
        where.append(f"characters {place.start} to {place.end}")
    elif place.inside:
        where.append(place.inside)
    if place.sha256:
        where.append(f"SHA-256 {place.sha256}")
    speaker = card.asserted_by.name
    how = (
        f"computed by accelkg from what {speaker} submitted, no official figure; from" if card.is_ours else "printed in"
    )
    note = f"claim {card.id}, verdict: {card.verdict}; {how} {', '.join(where)}"
    return Citation(
        _key(card.id),
        "entry",
        f"{card.metric} of {subject}{against}: {said}",
        ("accelkg" if card.is_ours else speaker,),
        card.said_on,
        claim_iri(card.id),
        version,
        note,
        within=TITLE,
    )


def _of_source(graph: "Opened", shown: "Shown", version: str) -> Citation:
    facts, name = shown.facts, str(shown.id)
    publisher = facts.get("publisher")
    labels = (
        {row["thing"]: row["label"] for row in graph.ask("entities/labels", thing=[publisher]).dicts()}
        if publisher
        else {}
    )
    author = str(labels.get(publisher) or publisher or "unknown publisher")
    known = [f"source {name}"]
    for key, words in (("document", "text"), ("sha256", "SHA-256"), ("machine_written", "written by a machine:")):
        if facts.get(key) not in (None, "no"):
            known.append(f"{words} {facts[key]}")
    issued = facts.get("published")
    return Citation(
        _key(name),
        _FORMS.get(str(facts.get("form")), "document"),
        str(facts.get("label", name)),
        (author,),
        str(issued) if issued is not None else None,
        thing_iri(name),
        version,
        f"{'; '.join(known)}; as recorded in {TITLE}",
    )


def _of_thing(shown: "Shown", version: str) -> Citation:
    name = str(shown.id)
    return Citation(
        _key(name),
        "entry",
        str(shown.facts.get("label", name)),
        ("accelkg",),
        None,
        thing_iri(name),
        version,
        f"{shown.kind} {name}",
        within=TITLE,
    )


def _key(identifier: str) -> str:
    """A citation key: letters, digits and hyphens."""
    return "accelkg-" + re.sub(r"[^A-Za-z0-9]+", "-", identifier).strip("-")


def _date_parts(day: str | None) -> list[int]:
    found = _DAY.match(day or "")
    return [int(one) for one in found.groups() if one is not None] if found else []


def citation_text(citation: Citation, form: Literal["bibtex", "csl"]) -> str:
    """The citation as it is written to a file."""
    import json

    if form == "bibtex":
        return citation.to_bibtex()
    return json.dumps(citation.to_csl(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
