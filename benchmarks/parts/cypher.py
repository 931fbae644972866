"""Compare and trace in Cypher: embedded Ladybug, Ladybug without kg, and Neo4j Community."""

from benchmarks.parts import questions
from benchmarks.parts.part import Goal, Measured, Meter, Part, Step, Work, compared, quotient

ALL = ("compare", "trace", "number")
WARM_UP_SECONDS = 15.0
"""A server that compiles while it runs is asked for so long before it is timed."""


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
        graph.close()


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
            for peer, what in (("neo4j", "on Neo4j"), ("raw", "texts on Ladybug without kg"))
        ),
    ),
    tuple((f"cypher.{peer}", name) for peer in ("ladybug", "neo4j") for name in ALL),
)
