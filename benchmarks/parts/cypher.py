"""Compare and trace in Cypher: embedded Ladybug, Ladybug without kg, Neo4j Community, and ArcadeDB embedded."""

from typing import TYPE_CHECKING

from benchmarks.parts import arcadedb, best, conflicts, questions
from benchmarks.parts.part import Goal, Measured, Meter, Part, Step, Work, compared, megabytes, quotient

if TYPE_CHECKING:
    from kg.answers.asking import Ask

ALL = ("compare", "trace", "number")
PEERS = (("neo4j", "on Neo4j"), ("raw", "texts on Ladybug without kg"), ("arcadedb", "on ArcadeDB, embedded"))
WARM_UP_SECONDS = 15.0
"""A server that compiles while it runs is asked for so long before it is timed."""
LISTS_WARM_UP_SECONDS = 5.0
"""Lists have the machine compile sooner: each of their rows is one more turn."""


def ask_ladybug(work: Work, meter: Meter) -> None:
    """The embedded property graph, through kg."""
    from benchmarks.peers import cypher_ask, opened

    with opened(work) as graph:
        ask = cypher_ask(graph)
        for name, question in questions.questions(work.told()["claim"], graph.lexicon.units).items():
            meter.ask(name, lambda question=question: question(ask))  # type: ignore[misc]


def ask_raw(work: Work, meter: Meter) -> None:
    """The texts that kg runs, on Ladybug without kg."""
    import ladybug

    from benchmarks.peers import opened, recorded, run_ladybug
    from kg.build.property_graph import graph_generations
    from kg.stores.ladybug import FILE

    with opened(work) as graph:
        asked = questions.questions(work.told()["claim"], graph.lexicon.units)
        texts = {name: recorded(graph, question, "cypher") for name, question in asked.items()}
    live = graph_generations(work.store).current()
    assert live is not None
    database = ladybug.Database(live[0] / FILE, read_only=True)
    connection = ladybug.Connection(database)
    for name, some in texts.items():
        meter.ask(name, lambda some=some: [(run_ladybug(connection, some),)])  # type: ignore[misc]
    meter.answers.clear()
    connection.close()
    database.close()


def ask_neo4j(work: Work, meter: Meter) -> None:
    """A Neo4j that the store was pushed to, through kg."""
    from benchmarks.peers import neo4j
    from kg.session import open_graph, push

    meter.served = True
    with neo4j(work) as address:
        with meter.timed("push"):
            pushed = push(address, store=work.store)
        if pushed.up_to_date:
            del meter.seconds["push"], meter.cpu["push"]
        graph = open_graph(address)
        for name, question in questions.questions(work.told()["claim"], graph.lexicon.units).items():
            meter.ask(name, lambda question=question: question(graph.ask), warm_up_seconds=WARM_UP_SECONDS)  # type: ignore[misc]
        ask_lists(graph.ask, meter)
        graph.close()
    meter.counts["disk"] = megabytes(work.folder / "neo4j" / "data")


def ask_lists(ask: "Ask", meter: Meter) -> None:
    """The stored conflicts and the best results, of an engine that has no part of its own for them."""
    meter.ask("conflicts", lambda: ask(conflicts.QUESTION).rows, warm_up_seconds=LISTS_WARM_UP_SECONDS)
    meter.ask("best", lambda: best.rows_of(ask(best.QUESTION)), warm_up_seconds=LISTS_WARM_UP_SECONDS)


def _slower(measured: Measured, size: int) -> float | None:
    found = [
        quotient(measured.seconds(size, "cypher.ladybug", name), measured.seconds(size, "cypher.neo4j", name))
        for name in ALL
    ]
    known = [one for one in found if one is not None]
    return max(known) if len(known) == len(ALL) else None


PART = Part(
    "cypher",
    "Compare and trace in Cypher",
    (
        Step("cypher.ladybug", ask_ladybug, ("store", "graph")),
        Step("cypher.raw", ask_raw, ("store", "graph")),
        Step("cypher.neo4j", ask_neo4j, ("store", "graph"), most=100_000, why="a push of a million claims takes hours"),
        Step(
            "cypher.arcadedb",
            arcadedb.ask_all,
            ("store", "arcadedb"),
            most=100_000,
            why="all rows are held in memory to time the load of the engine alone",
        ),
    ),
    (
        Goal(
            "compare and trace on Ladybug",
            "the same questions on Neo4j, warm",
            1,
            0.5,
            100_000,
            _slower,
            steps=("cypher.ladybug", "cypher.neo4j"),
            names=ALL,
            remark="the worst of compare, trace of a claim, trace of a number",
        ),
        *(
            compared(
                f"{name} alone",
                f"the same {what}",
                ("cypher.ladybug", name),
                (f"cypher.{peer}", name),
                goal=None,
                stretch=None,
                size=100_000,
            )
            for name in (*ALL, "value")
            for peer, what in PEERS
        ),
    ),
    tuple((f"cypher.{peer}", name) for peer in ("ladybug", "neo4j", "arcadedb") for name in ALL),
)
