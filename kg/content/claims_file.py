"""One file of `seeds/claims/`: its outer form, and each claim with what its group states.

What a claim says is not looked at here; `kg.content.claim_expander` makes a record of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.content.located import Located, read_located
from kg.content.shape import KEYS
from kg.content.shape import shown as shown_value
from kg.errors import ContentError, KgError, Mistakes
from kg.model.json_types import Json


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """One file of `seeds/claims/`, read but not yet expanded."""

    located: Located
    shown: str
    source: str
    document: str | None

    def text(self) -> str:
        """The file as it stands."""
        return self.located.path.read_text(encoding="utf-8")

    def entries(self) -> Iterator[tuple[int, int, Json]]:
        """Each claim with what its group states, and its place: group and claim number."""
        for g, group in enumerate(self.located.value["groups"]):
            shared = group.get("with") or {}
            for c, own in enumerate(group.get("claims") or ()):
                yield g, c, merged(shared, own)

    def line(self, group: int, claim: int, field: str | None = None) -> int:
        """The line of a key of a claim, in the claim or in its group; of the claim when neither states it."""
        key = (field or "").split(".")[0]
        for place in (("groups", group, "claims", claim, key), ("groups", group, "with", key)):
            if place in self.located.lines:
                return self.located.lines[place]
        return self.located.line("groups", group, "claims", claim)


def merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Json:
    """A claim's own keys over those of its group; conditions merge key by key, null removes.

    >>> merged({"unit": "W", "conditions": {"model": "m", "phase": "p"}}, {"id": "x", "conditions": {"phase": None}})
    {'unit': 'W', 'conditions': {'model': 'm'}, 'id': 'x'}
    """
    whole = {**shared, **own}
    for key in ("conditions", "baseline_conditions"):
        whole_group, claim = shared.get(key), own.get(key)
        if key in own and isinstance(whole_group, Mapping) and isinstance(claim, Mapping | None):
            whole[key] = {**whole_group, **(claim or {})}
        if isinstance(whole.get(key), Mapping):
            whole[key] = {name: given for name, given in whole[key].items() if given is not None}
    # one subject of a claim takes the place of the several of its group, and the other way round
    for one, other in (("subject", "subjects"), ("subjects", "subject")):
        if one in own and other not in own:
            whole.pop(other, None)
    # a null under a key that nobody knows stays, so that the key is refused and not lost
    return {key: value for key, value in whole.items() if value is not None or key not in KEYS}


def read_claims_file(path: Path, *, shown: str) -> ClaimsFile:
    """Read one file and check its outer form."""
    located = read_located(path, shown=shown)
    value = located.value
    if not isinstance(value, dict) or not isinstance(value.get("groups"), list) or "source" not in value:
        given = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
        raise ContentError(path=shown, line=1, given=given, expected="a mapping with source, document and groups")
    mistakes: list[KgError] = []
    for key in sorted(map(str, set(value) - {"source", "document", "groups"})):
        mistakes.append(
            ContentError(path=shown, line=located.line(key), field=key, given=key, expected="source, document, groups")
        )
    for key in ("source", "document"):
        if not isinstance(value.get(key, ""), str):
            mistakes.append(
                ContentError(
                    path=shown, line=located.line(key), field=key, given=shown_value(value[key]), expected="text"
                )
            )
    for g, group in enumerate(value["groups"]):
        mistakes.extend(one.at(path=shown) for one in _group_mistakes(located, g, group))
    Mistakes.raise_any(mistakes)
    return ClaimsFile(located, shown, value["source"], value.get("document"))


def _group_mistakes(located: Located, g: int, group: object) -> Iterator[KgError]:
    """What keeps a group from being read: other keys, or something else where a mapping or list must be."""
    line, field = located.line("groups", g), f"groups[{g}]"
    if not isinstance(group, dict):
        yield ContentError(
            line=line, field=field, given=shown_value(group), expected="a mapping with about, with and claims"
        )
        return
    for key in sorted(map(str, set(group) - {"about", "with", "claims"})):
        yield ContentError(
            line=located.line("groups", g, key), field=f"{field}.{key}", given=key, expected="about, with and claims"
        )
    shared, claims = group.get("with") or {}, group.get("claims") or []
    if not isinstance(shared, dict):
        yield ContentError(
            line=located.line("groups", g, "with"),
            field=f"{field}.with",
            given=shown_value(shared),
            expected="a mapping",
        )
    if not isinstance(claims, list):
        yield ContentError(
            line=located.line("groups", g, "claims"),
            field=f"{field}.claims",
            given=shown_value(claims),
            expected="a list of claims",
        )
        return
    for c, own in enumerate(claims):
        if not isinstance(own, dict):
            yield ContentError(
                line=located.line("groups", g, "claims", c),
                field=f"{field}.claims[{c}]",
                given=shown_value(own),
                expected="a mapping",
            )
