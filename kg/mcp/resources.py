"""Claims, things and sources by id, and the catalogue of questions, as JSON documents that a program can read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kg.errors import UsageError
from kg.mcp.answers import number_answer, thing_answer
from kg.mcp.shortened import DETAILED_ROWS
from kg.model.vocabulary import thing_iri

if TYPE_CHECKING:
    from kg.session import Graph


class UnknownResource(UsageError):
    """No claim, thing or source has this id."""

    code = "cite.nothing"


def _unknown(kind: str, identifier: str) -> UnknownResource:
    return UnknownResource(f"is the id of no {kind}.", given=identifier, next_step="the tool find lists what matches")


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)


def claim_resource(graph: Graph, identifier: str) -> str:
    """A claim with its verdict, source and formula. Raises UnknownResource."""
    shown = graph.show(identifier)
    # `show` takes names too; a resource has one address, so that only the id itself leads to it.
    if shown.kind != "claim" or shown.id != identifier:
        raise _unknown("claim", identifier)
    return _written(number_answer(graph, identifier, 1).model_dump(mode="json", exclude_none=True))


def thing_resource(graph: Graph, identifier: str) -> str:
    """A thing with all that is stated of it. Raises UnknownResource."""
    shown = graph.show(identifier)
    if shown.id != identifier or shown.kind not in ("entity", "metric"):
        raise _unknown("thing", identifier)
    return _written(thing_answer(graph, identifier, DETAILED_ROWS).model_dump(mode="json", exclude_none=True))


def source_resource(graph: Graph, identifier: str) -> str:
    """What is known of a source, and how many claims it has. Raises UnknownResource."""
    shown = graph.show(identifier)
    if shown.id != identifier or shown.kind != "source":
        raise _unknown("source", identifier)
    counts = [one._asdict() for one in shown.counts]
    return _written({"id": identifier, "permalink": thing_iri(identifier), **_known(shown.facts), "claims": counts})


def _known(facts: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}


def questions_resource(graph: Graph) -> str:
    """The saved questions by name, with their parameters, for the tool `ask`."""
    return _written(
        {
            name: {
                "question": one.question,
                "parameters": {
                    parameter.name: {"type": parameter.type, "required": parameter.required, "about": parameter.about}
                    for parameter in one.parameters
                },
            }
            for name, one in sorted(graph.questions().items())
        }
    )
