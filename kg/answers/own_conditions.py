"""Number format, sparsity and form factor as the words around one figure give them, where a text names several.

"1,979 TFLOPS in FP16 with sparsity and 989 TFLOPS dense": each figure has its own, which usually stands behind it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

# meets "989 TFLOPS dense" and "without sparsity"; not "a dense model", which says nothing of arithmetic
_DENSE: Final = r"\bdense(?! \w*models?)|\b(?:without|no|w/o|excluding|ohne)\s+(?:structured )?sparsity\b|\b(?:without|ohne)(?=\s*(?:[.,;)]|$))|\bnon-sparse\b"
_SPARSE: Final = r"\bsparse\b(?! \w*models?)|\bsparsity\b|\bwith (?:it|both)(?=\s*(?:[.,;)]|$))"
# the dense words first: "without sparsity" contains a sparse one
_SPARSITY: Final = re.compile(rf"(?P<dense>{_DENSE})|(?P<sparse>{_SPARSE})", re.IGNORECASE)
_OF_ALL: Final = re.compile(
    r"\ball (?:the )?(?:\w+ )?(?:figures|rates|numbers|values|peaks)\b[^.;]*\b(?:sparsity|sparse|dense)\b",
    re.IGNORECASE,
)
_FORMAT: Final = re.compile(r"\b(?:(?:nv|mx)?fp\d{1,2}|bf16|tf32|int\d)\b", re.IGNORECASE)
# ends what belongs to a figure; not the comma within a number
_NEXT: Final = re.compile(r",(?!\d)|[;:()]|\b(?:and|but|while|or|versus|vs\.?|und)\b")
# not the digits of "FP16"
_NEXT_FIGURE: Final = re.compile(r"(?<![A-Za-z\d])\d|;|\b(?:and|but|while|or|und)\b")
_FORM: Final = re.compile(
    r"\b(pcie|sxm\d?|nvl|oam)[- ](?:cards?|versions?|variants?|modules?|boards?|models?|ones?|form[- ]factors?)\b",
    re.IGNORECASE,
)
_FORMS: Final = re.compile(r"-(pcie|sxm|nvl|oam)\b")


def is_of_other_form(subject: str, before: str) -> bool:
    """Whether the words before a figure are about the card of another form factor than that of its subject.

    >>> is_of_other_form("accelerator/nvidia-h100-sxm-80gb", "The H100 SXM draws 700 W; the PCIe card ")
    True
    """
    named, own = _FORM.search(part_before(before)), _FORMS.search(subject)
    return named is not None and own is not None and not named[1].lower().startswith(own[1])


def with_own_conditions(
    conditions: Mapping[str, str], before: str, after: str, headers: str, text: str
) -> dict[str, str]:
    """The conditions that reading found of a figure, its number format and sparsity as its own words have them.

    `before` and `after` are the rest of its sentence.
    """
    found = dict(conditions)
    stated = _sparsity(before, after, headers) or _of_all(text)
    if stated is not None:
        found["sparsity"] = stated
    elif any(_kinds(f"{before} {after}")) or len(set(_kinds(text))) > 1:
        # what its sentence says of another figure, or a text of both kinds, says nothing of this one
        found.pop("sparsity", None)
    named = _FORMAT.search(part_behind(after))
    if named is not None and not headers:
        found["precision"] = f"precision/{named[0].lower()}"
    formats = {one.lower() for one in _FORMAT.findall(headers)}
    if len(formats) == 1:
        found.setdefault("precision", f"precision/{formats.pop()}")
    return found


def _of_all(text: str) -> str | None:
    """Dense or sparse, where a text says so of all its figures."""
    said = _OF_ALL.search(text)
    return None if said is None else next(_kinds(said[0]), None)


def _sparsity(before: str, after: str, headers: str) -> str | None:
    """Dense or sparse, by the words behind a figure up to the next one, those before it, its headers, or what opens the sentence."""
    for part in (part_behind(after), _NEXT_FIGURE.split(after, maxsplit=1)[0], part_before(before), headers, before):
        kinds = set(_kinds(part))
        if len(kinds) == 1:
            return kinds.pop()
    return None


def part_behind(after: str) -> str:
    """The words behind a figure that belong to it."""
    ends = _NEXT.search(after)
    return after[: ends.start()] if ends is not None else after


def part_before(before: str) -> str:
    """The words before a figure that belong to it."""
    return before[max((one.end() for one in _NEXT.finditer(before)), default=0) :]


def _kinds(text: str) -> Iterator[str]:
    return (one.lastgroup or "" for one in _SPARSITY.finditer(text))
