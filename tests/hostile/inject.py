"""Hostile values for every parameter of every saved question: the same rows from each engine, and nothing changed by them."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kg.ask.question import Parameter, Question
from kg.errors import KgError
from kg.session import Graph, open_graph

PIECES = (
    "' OR 1=1 //",
    '" } DELETE { ?s ?p ?o } #',
    "') DETACH DELETE n //",
    "; DROP TABLE Claim; --",
    "?x } UNION { ?s ?p ?o",
    "\\u0027\\u0022",
    "\\",
    "'''",
    '"""',
    "`",
    "$a",
    "{{a}}",
    "${jndi:x}",
    "#VALUES",
    "#FRAGMENT claim_fields",
    "<urn:x>",
    "> <",
    "\n} #",
    "\r",
    "\t",
    "\x01",
    "\u2028",
    "\u202e",
    "\U0001f680",
    "\ufeff",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "%27",
    "&#39;",
    "*",
    ".*",
    "(",
    "[",
    "x" * 3000,
    "SERVICE <http://127.0.0.1/>",
    "LOAD CSV FROM 'file:///etc/passwd' AS x",
    "h200",
    "H100",
    "GB200",
)
ODD_NUMBERS = ("1e400", "-0", "nan", "inf", "0x10", "1_000", "９", "1e-400", "12,5", " 5 ", "9" * 400)
COUNT = {
    "sparql": "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "cypher": "MATCH (n) RETURN count(n) AS n",
}


def value(one: Parameter, chance: random.Random) -> Any:
    """A hostile value of a parameter, or several where it takes a list."""
    if one.is_list:
        return [_text(one, chance) for _ in range(chance.randint(0, 3))]
    return _text(one, chance)


def _text(one: Parameter, chance: random.Random) -> str:
    if one.base_type in ("number", "integer") and chance.random() < 0.6:
        return chance.choice(ODD_NUMBERS)
    made = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 3)))
    return f"accelerator/{made}" if one.base_type not in ("text", "name") and chance.random() < 0.4 else made


def asked(graph: Graph, question: Question, values: dict[str, Any], language: str) -> object:
    """The rows, sorted; or the code of the error that refused the values."""
    try:
        rows = graph.ask(question.name, language=language, timeout_seconds=120, **values).rows  # type: ignore[arg-type]
    except KgError as error:
        return f"refused: {error.code}"
    return Counter(map(_plain, rows))


def _plain(row: Sequence[object]) -> tuple[object, ...]:
    return tuple(float(one) if isinstance(one, int | float) and not isinstance(one, bool) else one for one in row)


def _draws(graph: Graph, count: int, seed: int) -> Iterator[tuple[Question, dict[str, Any]]]:
    questions = [one for _, one in sorted(graph.questions().items()) if one.parameters and one.cypher is not None]
    for number in range(count):
        chance = random.Random(seed * 1_000_003 + number)
        question = questions[number % len(questions)]
        given = {one.name: value(one, chance) for one in question.parameters if one.required or chance.random() < 0.5}
        yield question, given


def inject(
    folder: Path, *, count: int, seed: int, servers: Sequence[str], content: Path | None = None
) -> tuple[Counter[str], list[str]]:
    """Ask so many times; counts of answers and refusals, and where engines differ or anything else was raised."""
    here = open_graph(folder / "store", content=content)
    engines = [("sparql", here, "sparql"), ("cypher", here, "cypher")]
    engines += [(one.partition(":")[0], graph, graph.store.language) for one in servers for graph in [open_graph(one)]]
    before = {name: _size(graph, language) for name, graph, language in engines}
    counts: Counter[str] = Counter()
    failed: list[str] = []
    for question, values in _draws(here, count, seed):
        found: dict[str, object] = {}
        for name, graph, language in engines:
            try:
                found[name] = asked(graph, question, values, language)
            except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
                found[name] = error
                failed.append(f"{question.name} {values!r:.300} on {name}: {type(error).__name__}: {error!s:.200}")
        counts.update(
            {
                "asked": len(found),
                "refused": sum(str(one).startswith("refused") for one in found.values()),
                "with rows": sum(isinstance(one, Counter) and bool(one) for one in found.values()),
            }
        )
        if any(one != found["sparql"] for one in found.values()):
            shown = {name: f"{len(one)} rows" if isinstance(one, Counter) else str(one) for name, one in found.items()}
            failed.append(f"{question.name} {values!r:.300}: {shown}")
    if before != {name: _size(graph, language) for name, graph, language in engines}:
        failed.append("something was written")
    for _, graph, _ in engines:
        graph.close()
    return counts, failed


def _size(graph: Graph, language: str) -> object:
    answer = graph.query(COUNT[language], language=language, timeout_seconds=None)  # type: ignore[arg-type]
    assert not isinstance(answer, bytes)
    return answer.rows
