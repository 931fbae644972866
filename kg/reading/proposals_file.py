"""The file between reading and review: proposals in the form of `seeds/claims`, with the other candidates next to each field.

The text that was read lies next to the file under its digest, so that a position means the same when it is reviewed. Only
figures, positions and candidates are in the file itself, never a sentence of the report.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kg.content.layout import layout
from kg.content.located import read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, DocumentError, Mistakes
from kg.ledger import durable
from kg.model.hedges import HEDGES
from kg.model.inserted_scale import with_inserted_scale
from kg.model.vocabulary import RATIO_RELATIONS
from kg.reading.figure import ReportFigure
from kg.reading.proposal import NOT_PROPOSED, Candidate, ClaimProposal
from kg.reading.text import Block, ReportText

FIELDS: Final = (
    "subject",
    "level",
    "baseline",
    "metric",
    "statistic",
    "normaliser",
    "relation",
    "unit",
    "asserted_by",
    "modality",
)
"""The fields of a claim that are proposed, in the order in which they are reviewed; conditions come after them."""
CONDITION: Final = "conditions."
"""How the name of a proposed condition begins where it stands among the fields."""
_BLOCKS: Final = 3
_MOST_HEADER: Final = 200
_MARKUP: Final = str.maketrans(dict.fromkeys("*`|"))


class ProposalsMistake(ContentError):
    """A file of proposals does not have the form of one."""

    code = "review.proposals"


class _ProposalsModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReportDetails(_ProposalsModel):
    """What was read: its title, its file, and the digests of the file and of its text."""

    title: str | None = None
    file: str
    file_sha256: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    format: str
    code_points: int

    @property
    def document(self) -> str:
        """The name under which the text is kept."""
        return f"{self.sha256[:16]}.txt"


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """Where a figure is on its page and in its table, as the anchor of a claim says it.

    A row and a column go by the words of their header cells, or, where these have none, by their number from 1.
    """

    page: int | None = None
    box: str | None = None
    table: str | None = None
    row: str | None = None
    column: str | None = None

    @classmethod
    def of(cls, block: Block, position: int) -> "FigurePlace":
        """The place of a position in a block of a text."""
        around = block.box_at(position)
        page, box = (None, None) if around is None else (around.page, around.viewrect)
        if block.cell is None:
            return cls(page, box)
        cell = block.cell
        row, column = _header(cell.row_headers, cell.row), _header(cell.column_headers, cell.column)
        return cls(page, box, str(cell.table + 1), row, column)

    def stated(self) -> dict[str, str | int]:
        """What is known of it, by the names of the fields."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}


def _header(texts: Sequence[str], index: int) -> str:
    """Header cells as one line, without signs of a format; a header that is a bare figure would be taken for a number."""
    line = " ".join(" ".join(texts).translate(_MARKUP).split())[:_MOST_HEADER].rstrip()
    return line if any(sign.isalpha() for sign in line) else str(index + 1)


@dataclass(frozen=True, slots=True)
class ProposedFigure:
    """One figure of a report for review: what is proposed for it, the candidates, and the reason where it is no claim.

    `scaled_by` are the words of its table that scale what is printed, `scale` the power of ten that they mean (as `scale`
    of Inline XBRL); where two contradict each other there is neither scale nor value.
    The names of `candidates` are those of `FIELDS`, and `conditions.NAME`; the first candidate is what is proposed.
    """

    start: int
    end: int
    printed: str
    value: float | tuple[float, float] | None = None
    hedge: str | None = None
    reason: str | None = None
    confidence: float = 0.0
    place: FigurePlace = FigurePlace()
    scaled_by: str | None = None
    scale: int | None = None
    candidates: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)

    @property
    def is_claim(self) -> bool:
        """Whether a claim is proposed."""
        return self.reason is None

    @property
    def whole_print(self) -> str:
        """What is printed, with the scale of its table in brackets where that gives the value."""
        return with_inserted_scale(self.printed, self.scale) if self.scale else self.printed

    def proposed(self) -> dict[str, str]:
        """The first candidate of every field that has one, unless that is that the field is not stated."""
        return {name: found[0].value for name, found in self.candidates.items() if found and found[0].value}


@dataclass(frozen=True, slots=True)
class Proposals:
    """A file of proposals: the report and its figures, in the order of the text."""

    path: Path
    source: str
    report: ReportDetails
    figures: tuple[ProposedFigure, ...]

    def text(self, *folders: Path) -> str:
        """The text that was read, from next to the file or one of some folders; refused where it is another one."""
        for folder in (self.path.parent / f"{self.path.stem}.texts", self.path.parent, *folders):
            path = folder / self.report.document
            if path.is_file():
                data = path.read_bytes()
                if sha256(data).hexdigest() == self.report.sha256:
                    return data.decode("utf-8")
        raise DocumentError(
            code="document.none",
            path=str(self.path),
            given="no text of the report next to it",
            expected=f"{self.report.document}, as it was read",
            next_step=f"read it again: kg read {self.report.file} -o {self.path}",
        )


def proposed_figure(proposal: ClaimProposal) -> ProposedFigure:
    """A proposal as it is reviewed."""
    plain = plain_figure(proposal.figure)
    candidates = {name: tuple(found) for name, found in proposal.fields.items() if found}
    candidates |= {f"{CONDITION}{name}": tuple(found) for name, found in proposal.conditions.items() if found}
    candidates |= {f"{CONDITION}{name}": (NOT_PROPOSED, *found) for name, found in proposal.offered.items()}
    for name, value in (("unit", proposal.figure.unit), ("relation", proposal.figure.relation)):
        if name not in candidates and value and value != "absolute":
            candidates[name] = (Candidate(value, value, 1.0, "printed"),)
    return replace(plain, confidence=proposal.confidence, candidates=candidates)


def plain_figure(figure: ReportFigure) -> ProposedFigure:
    """A figure without candidates: one that is no claim, or nothing is proposed for."""
    value = figure.number.value if figure.number is not None else None
    shown: float | tuple[float, float] | None
    if isinstance(value, tuple):
        shown = (float(value[0]), float(value[1]))
    else:
        shown = None if value is None else float(value)
    place = FigurePlace.of(figure.block, figure.start)
    scale = None
    if figure.scaled_by is not None and figure.number is not None:
        # the scale is 10 to some power, which its zeros count exactly and a logarithm does not
        scale = len(str(int(figure.number.scale))) - 1
    return ProposedFigure(
        figure.start,
        figure.end,
        figure.printed,
        shown,
        figure.hedge,
        figure.reason,
        place=place,
        scaled_by=figure.scaled_by,
        scale=scale,
    )


def write_proposals(
    path: Path,
    report: ReportText,
    figures: Iterable[ProposedFigure],
    *,
    file: str,
    source: str,
    keep_text: bool = True,
) -> Proposals:
    """Write a file of proposals and, next to it in `NAME.texts/`, the text that was read."""
    about = ReportDetails(
        title=report.title,
        file=file,
        file_sha256=report.file_sha256,
        sha256=report.sha256,
        format=report.format,
        code_points=len(report.text),
    )
    made = Proposals(path, source, about, tuple(sorted(figures, key=lambda one: (one.start, one.end))))
    if keep_text:
        durable.write_whole(path.parent / f"{path.stem}.texts" / about.document, [report.text.encode()])
    durable.write_whole(path, [proposals_text(made).encode()])
    return made


def proposals_text(proposals: Proposals) -> str:
    """The text of the file."""
    report = proposals.report
    whole = {
        "source": proposals.source,
        "document": report.document,
        "report": report.model_dump(exclude_none=True),
        "proposals": [_entry(one) for one in proposals.figures if one.is_claim],
        "not_claims": [
            {"at": one.start, "printed": one.printed, "reason": one.reason}
            for one in proposals.figures
            if not one.is_claim
        ],
    }
    return layout(whole, blocks=_BLOCKS)


def _entry(figure: ProposedFigure) -> dict[str, Any]:
    claim: dict[str, Any] = {}
    conditions: dict[str, str] = {}
    for name, value in figure.proposed().items():
        if name.startswith(CONDITION):
            conditions[name.removeprefix(CONDITION)] = value
        else:
            claim[name] = value
    claim |= {"printed": figure.printed, "at": figure.start}
    if figure.value is not None:
        pair = figure.value if isinstance(figure.value, tuple) else (figure.value,)
        plain = [int(one) if one.is_integer() else one for one in map(float, pair)]
        claim["value"] = plain if isinstance(figure.value, tuple) else plain[0]
    if figure.scaled_by is not None:
        claim["scaled_by"] = figure.scaled_by
    if figure.scale is not None:
        claim["scale"] = figure.scale
    if figure.hedge is not None:
        claim["hedge"] = figure.hedge
    claim |= figure.place.stated()
    if conditions:
        claim["conditions"] = conditions
    candidates = {
        name: [
            {"value": one.value, "label": one.label, "confidence": round(one.confidence, 3), "reason": one.reason}
            for one in found
        ]
        for name, found in figure.candidates.items()
    }
    return {"claim": claim, "confidence": round(figure.confidence, 3), "candidates": candidates}


class _Candidate(_ProposalsModel):
    value: str
    label: str
    confidence: float = Field(ge=0, le=1)
    reason: str = ""


class _Claim(_ProposalsModel):
    printed: str = Field(min_length=1)
    at: int = Field(ge=0)
    value: float | tuple[float, float] | None = None
    scaled_by: str | None = None
    scale: int | None = Field(default=None, ge=1, le=30)
    hedge: str | None = None
    page: int | None = None
    box: str | None = None
    table: str | None = None
    row: str | None = None
    column: str | None = None
    conditions: dict[str, str] = {}
    subject: str | None = None
    level: str | None = None
    baseline: str | None = None
    metric: str | None = None
    statistic: str | None = None
    normaliser: str | None = None
    relation: str | None = None
    unit: str | None = None
    asserted_by: str | None = None
    modality: str | None = None


class _Proposal(_ProposalsModel):
    claim: _Claim
    confidence: float = 0.0
    candidates: dict[str, list[_Candidate]] = {}


class _NotClaim(_ProposalsModel):
    at: int = Field(ge=0)
    printed: str = Field(min_length=1)
    reason: str = Field(min_length=1)


class _ProposalsForm(_ProposalsModel):
    source: str = Field(pattern=r"^source/[^\s/]+$")
    document: str
    report: ReportDetails
    proposals: list[_Proposal] = []
    not_claims: list[_NotClaim] = []


def read_proposals(path: Path) -> Proposals:
    """Read a file of proposals; all its mistakes are reported together with their lines."""
    shown = str(path)
    if not path.is_file():
        raise ProposalsMistake(
            path=shown, given="no such file", expected="a file of kg read", next_step=f"kg read FILE -o {shown}"
        )
    located = read_located(path, shown=shown)
    try:
        file = _ProposalsForm.model_validate(located.value)
    except ValidationError as cause:
        mistakes = from_pydantic(cause, path=shown, located=located)
        for one in mistakes:
            one.code = ProposalsMistake.code
        raise Mistakes(mistakes) from cause
    figures = [_figure(one) for one in file.proposals]
    figures += [
        ProposedFigure(one.at, one.at + len(one.printed), one.printed, reason=one.reason) for one in file.not_claims
    ]
    return Proposals(path, file.source, file.report, tuple(sorted(figures, key=lambda one: (one.start, one.end))))


def _figure(given: _Proposal) -> ProposedFigure:
    """What the claim holds is what is proposed, in any order of the candidates."""
    claim = given.claim
    candidates = {
        name: tuple(Candidate(one.value, one.label, one.confidence, one.reason) for one in found)
        for name, found in given.candidates.items()
    }
    values = {name: getattr(claim, name) for name in FIELDS}
    values |= {f"{CONDITION}{name}": value for name, value in claim.conditions.items()}
    for name, value in values.items():
        candidates[name] = _with_first(candidates.get(name, ()), value)
    return ProposedFigure(
        claim.at,
        claim.at + len(claim.printed),
        claim.printed,
        claim.value,
        claim.hedge if claim.hedge in HEDGES else None,
        None,
        given.confidence,
        FigurePlace(claim.page, claim.box, claim.table, claim.row, claim.column),
        claim.scaled_by,
        claim.scale,
        {name: found for name, found in candidates.items() if found},
    )


def _with_first(found: Sequence[Candidate], value: str | None) -> tuple[Candidate, ...]:
    if value is None or (found and found[0].value == value):
        return tuple(found)
    known = next((one for one in found if one.value == value), Candidate(value, value, 1.0, "written in the file"))
    return (known, *(one for one in found if one.value != value))


def is_ratio(relation: str | None) -> bool:
    """Whether a relation compares two things, so that a claim of it is a comparison."""
    return relation in RATIO_RELATIONS or relation in ("difference", "points", "order")
