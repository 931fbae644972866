"""The derived set as N-Triples, from the records it is kept in: the same triples that a build writes."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from kg.audit.advice import Advice, advice_lines
from kg.audit.chains import Step, step_lines
from kg.audit.finding import Finding, Reason, finding_lines
from kg.audit.measured_rows import measured_lines
from kg.model.vocabulary import claim_iri, expand, thing_iri
from kg.projection.literals import quoted

Json = dict[str, Any]
_INTEGER = f"^^<{expand('xsd:integer')}>"


def derived_lines(records: Iterable[Json]) -> Iterator[str]:
    """The triples of findings, steps, clusters, counts and advice."""
    for record in records:
        kind = record["record"]
        if kind == "finding":
            yield finding_lines(read_finding(record))
        elif kind == "step":
            names = ("claim", "hop", "reaches", "is_claim", "via", "fidelity", "end_state")
            yield from step_lines([Step(*(record[name] for name in names))])
        elif kind == "advice":
            yield advice_lines(record["claim"], Advice(record["use"], record["reason"], record["value"]))
        elif kind == "echo":
            yield _cluster(record)
        elif kind == "origins":
            yield _counts(record)
        elif kind == "measured":
            yield measured_lines(record)


def read_finding(record: Json) -> Finding:
    """A finding from its record; figures come back as the floats that were written."""

    def exact(value: float | None) -> Fraction | None:
        return None if value is None else Fraction(value)

    amounts = {name: record[name] or {} for name in ("computed", "corrected")}
    return Finding(
        code=record["code"], verdict=record["verdict"], severity=record["severity"], message=record["message"],
        claims=tuple((one["claim"], one["role"]) for one in record["claims"]),
        key=record["id"].removeprefix(f"finding/{record['claims'][0]['claim']}/{record['code']}-"),
        computed=exact(amounts["computed"].get("value")), corrected=exact(amounts["corrected"].get("value")),
        approximate=bool(amounts["corrected"].get("approximate")),
        unit=amounts["computed"].get("unit") or amounts["corrected"].get("unit"),
        reasons=tuple(Reason(one["code"], one["text"], exact(one["corrected"])) for one in record["explanations"]),
        missing=tuple(record["missing"]), derivation=record["derivation"], basis=record["basis"], reference=record["reference"],
    )  # fmt: skip


def _cluster(record: Json) -> str:
    node = f"<{thing_iri(record['id'])}>"
    out = [f"{node} <{expand('rdf:type')}> <{expand('k:EchoCluster')}> .\n"]
    out.append(f"{node} <{expand('k:echoOf')}> <{claim_iri(record['echo_of'])}> .\n")
    out.extend(f'{node} <{expand("k:" + name)}> "{record[name]}"{_INTEGER} .\n' for name in ("mentions", "origins"))
    out.extend(f"<{claim_iri(one)}> <{expand('k:inCluster')}> {node} .\n" for one in record["members"])
    return "".join(out)


def _counts(record: Json) -> str:
    node = f"<{claim_iri(record['claim'])}>"
    out = [f'{node} <{expand("k:" + name)}> "{record[name]}"{_INTEGER} .\n' for name in ("mentions", "origins")]
    out.extend(f"{node} <{expand('k:endState')}> {quoted(one)} .\n" for one in record["end_states"])
    return "".join(out)
