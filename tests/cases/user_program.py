"""A program of a user who checks types strictly: every value of the public names has a type, none of them is `Any`."""

from collections.abc import Sequence
from typing import assert_type

import kg
from kg.answers.compare import Comparison
from kg.answers.conflicts import Conflicts
from kg.answers.trace import Trace
from kg.stores.protocol import Answer


def sheet(graph: kg.Graph, names: Sequence[str]) -> list[str]:
    """Lines about several things."""
    lines = []
    for name in names:
        found = graph.find(name)
        compared = assert_type(graph.compare(name, "H200"), Comparison)
        lines.append(f"{found!r}: {len(compared.claims)}")
        for claim in compared.claims:
            lines.append(f"{claim.id} {claim.printed or ''} {claim.metric} {claim.asserted_by.label} {claim.verdict}")
    return lines


def main() -> int:
    """What the page on Python shows."""
    try:
        with kg.open() as graph:
            trace = assert_type(graph.trace("72428"), Trace)
            print(trace.verdict, trace.value, trace.reason)
            rows = assert_type(graph.ask("specifications/of-thing", thing="H200"), Answer)
            print(rows.columns, len(rows.rows), rows.complete)
            answer = graph.query("SELECT ?c WHERE { ?c k:kind 'comparison' } LIMIT 5")
            if isinstance(answer, bytes):
                print(answer.decode())
            else:
                print([str(cell) for row in answer.rows for cell in row])
            conflicts = assert_type(graph.conflicts(), Conflicts)
            print(len(conflicts.groups))
            print(graph.impact("002/r1.gb200.offline.total"), graph.origins("002/r1.gb200.offline.total"))
            print(graph.audit(), graph.show("source/002"), graph.cite("source/002"))
            print(graph.check("H200 has 141 GB of memory."))
            print("\n".join(sheet(graph, ("GB200", "B200"))))
            print(graph.export("jsonl", "all.jsonl").bytes, graph.describe("source/002"), graph.is_whole())
            print(graph.report("comparisons/compare", a="GB200", b="H200"))
    except kg.KgError as error:
        print(error.code, error.path, error.line, error.field, error.given, error.expected, error.next_step)
        return error.exit_code
    print(kg.__version__)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
