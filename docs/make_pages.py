"""Writes the texts that are made from declarations: docs/codes.md, docs/glossary.md, docs/property-graph.md, docs/command-line.md and the help of `kg --help`.

`python docs/make_pages.py [--check]`; `make format` writes them, `make content` checks them.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kg.cli.app import COMMANDS
from kg.cli.grammar import TAKES
from kg.content.located import read_located
from kg.projection.graph_schema import NODE_LABEL, GraphSchema, Property, graph_schema
from kg.render.lines import wrapped

ROOT = Path(__file__).resolve().parents[1]

_INPUTS: Final = {
    "claim": "claim id",
    "number": "`72428`, `4.8 TB/s`",
    "source": "`002`",
    "thing": "`GB200 NVL72`",
    "metric": "`memory-bandwidth`",
    "pair": "`GB200 NVL72 H200`",
}
_TAKEN: Final = {
    **{(name, "number"): "one" for name in ("impact", "cite")},
    **{("compare", kind): "its two sides" for kind in ("claim", "number")},
    ("compare", "thing"): "what it is compared with",
    ("impact", "thing"): "its wrong figures",
    ("impact", "metric"): "its wrong figures",
    **{("trace", kind): "as `show`" for kind in ("source", "thing", "metric", "pair")},
    **{("show", kind): "as `trace`" for kind in ("claim", "number")},
    ("show", "pair"): "as `compare`",
    **{("verify", kind): "claims about it" for kind in ("source", "thing", "metric", "pair")},
    **{("conflicts", kind): "groups that hold it" for kind in ("claim", "number", "source", "pair")},
}
"""What a command does with a kind where it is more than to answer."""

_PARTS: Final = (
    (
        "finding",
        "Findings",
        "What an audit says about claims and texts. `kg audit --rule CODE` shows the findings of a code or of its first part.",
    ),
    (
        "explanation",
        "Explanations",
        "What may have gone wrong where a result does not recompute; each stands beside a finding, best first.",
    ),
    ("error", "Errors", "What a command refuses, and what to do next. Every message names its code."),
)


def codes_page(codes: Mapping[str, Mapping[str, Any]]) -> str:
    """The page as Markdown.

    >>> print(codes_page({"kg": {"of": "error", "title": "a failure", "meaning": "It failed.", "do": "Report it."}}).splitlines()[-5])
    ### kg
    """
    return "\n".join(_code_lines(codes)) + "\n"


def _code_lines(codes: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "# Codes"
    yield ""
    yield "<!-- Made from ontology/codes.yaml by docs/make_pages.py; change that file. -->"
    yield ""
    yield "Codes are stable. `kg explain CODE` shows the same text."
    for kind, title, about in _PARTS:
        names = sorted(name for name, one in codes.items() if one["of"] == kind)
        if names:
            yield ""
            yield f"## {title}"
            yield ""
            yield about
        for name in names:
            one = codes[name]
            yield ""
            yield f"### {name}"
            yield ""
            yield (
                f"**{one['title']}**"
                + (f" ({one['severity']}). " if one.get("severity") else ". ")
                + f"{one['meaning']}"
            )
            yield ""
            yield f"What to do: {one['do']}"


_INTRO = f"""# The property graph

<!-- Made from kg/projection/graph_schema.py by docs/make_pages.py; change the declarations there and in kg/model/record.py. -->

The same claims as in RDF, for Cypher: embedded in Ladybug, on Neo4j and other Bolt servers, and in the exports `cypher` and
`neo4j-import`. Nothing is converted from RDF; both views are written from the records and the derived set.

- A node has the label of its table and a `uid`, the short id that all commands show (`002/r1.gb200.offline.total`, `org/nvidia`,
  `metric/throughput`). On a server it has the label `{NODE_LABEL}` too, one constraint makes `uid` unique under it, and further labels
  from its class (`:Claim:ComparisonClaim`, `:Entity:RackSystem`) help people who browse. Saved questions use tables and `kind` only.
- A property has the name of the field in the exchange form. What is not known is not there: a property is null, never an empty text.
- A link is a relationship. Where it leads to one node only, a property of the same name holds that node's `uid`, so that an id needs no hop:
  `c.source` and `(c)-[:STATED_IN]->(s)` say the same. Lists keep their order, and a list that is shown in one cell has a twin `…_text`.
- The figure of a claim lies on the claim. `value` is the printed figure in `unit` (the lower end of a pair, both in `values`), `quantity_form` says what
  the figure is (`value`, `term`, `date`, `set`, `absent`; null where the claim gives no figure), `canonical_value` and its bounds are in `canonical_unit`.
- `Statement` and `Bucket` are ways in without a search: claims about one thing, figures of one size. `Name` has the id `name/` and the name as it is
  compared; `=` before it asks for the thing without its family.
- A node that is named and not described (a claim nobody holds, a thing outside the registry) has a `uid` and nothing else: ask for `kind IS NOT NULL`.
- Chains are `TraceStep` nodes, one a hop, worked out beforehand. No question needs a path of unknown length.
"""


def _shown(one: Property) -> str:
    kind = "" if one.kind == "string" and not one.many else f" {'text' if one.kind == 'string' else one.kind}"
    return f"`{one.name}`{kind}{' list' if one.many else ''}"


def _graph_lines(schema: GraphSchema) -> Iterator[str]:
    yield "## Nodes"
    yield ""
    yield "Properties are texts unless another type is named."
    yield ""
    yield "| Table | Holds | Properties beside `uid` |"
    yield "|---|---|---|"
    for table in schema.nodes:
        yield f"| `{table.name}` | {table.about} | {', '.join(map(_shown, table.properties))} |"
    yield ""
    yield "## Relationships"
    yield ""
    yield "| Type | From | To | Properties |"
    yield "|---|---|---|---|"
    for link in schema.relationships:
        ends = [list(dict.fromkeys(pair[side] for pair in link.pairs)) for side in (0, 1)]
        shown = [", ".join(f"`{one}`" for one in end) for end in ends]
        yield f"| `{link.type}` | {shown[0]} | {shown[1]} | {', '.join(map(_shown, link.properties))} |".replace(
            "|  |", "| |"
        )


def graph_page(schema: GraphSchema) -> str:
    """The page as Markdown.

    >>> from kg.projection.graph_schema import graph_schema
    >>> graph_page(graph_schema()).splitlines()[0]
    '# The property graph'
    """
    return _INTRO + "\n" + "\n".join(_graph_lines(schema)) + "\n"


_HELP_COLUMNS: Final = 80
_BEFORE_HEADING: Final = {
    "trace": "Look up",
    "audit": "Judge",
    "view": "Show and pass on",
    "read": "Bring in",
    "build": "Look after the store",
}
"""The headings over the commands of the reference, each by the command that it stands before."""


def reference() -> str:
    """The command reference, for a terminal of 80 columns."""
    about = (
        "What they are about: a name (H200, GB200 NVL72), an id, a number (72428, 4.8 TB/s), a claim id, a source (002), a metric "
        "(memory-bandwidth), or two things (GB200 NVL72 H200). Names of several words need no quotes. trace, show, compare, "
        "view, report, origins, impact, cite, verify, audit and conflicts read them alike; docs/command-line.md has the table."
    )
    codes = (
        "Exit codes: 0 done, 1 refused rows, 2 wrong usage or content, 3 store out of reach or out of time. Reading ends with 0 "
        "whatever is read; --fail-on (audit) and --exit-code (verify, conflicts) ask for 1 where something is wrong. "
        "What is looked for and not found (a number in trace; compare, find, show, conflicts, ask) is 0, with names like it on "
        "standard error; what a command is to work on (cite, view, origins, impact, verify, report) must be there, else 2."
    )
    more = "kg COMMAND --help tells more of a command; kg explain CODE what an error or finding means, kg explain WORD a word."
    lines = [
        *wrapped(
            "kg: a knowledge graph of AI accelerators in which every number leads back to where it was printed",
            columns=_HELP_COLUMNS,
        ),
        "",
        "Usage: kg COMMAND [ARGUMENTS] [OPTIONS]",
        "",
        "Begin with:",
        "  kg trace 72428",
        "  kg compare GB200 H200",
        "  kg ask",
        *_command_lines(),
        "",
        *wrapped(about, columns=_HELP_COLUMNS),
        "",
        "Options of most commands:",
        "  --format table|json|jsonl|csv|markdown   form of the rows on standard output",
        "  --store DIR      folder of the store (default: KG_STORE, else the user's data",
        "                   directory)",
        "  --content DIR    content folders to use instead of the shipped ones",
        "  --limit N        at most N rows; a result that was cut says so",
        "  --timeout S      give up after S seconds (exit code 3)",
        "  --quiet          nothing on standard error but errors",
        "",
        *wrapped(codes, columns=_HELP_COLUMNS),
        "",
        *wrapped(more, columns=_HELP_COLUMNS),
    ]
    return "\n".join(lines) + "\n"


def _command_lines() -> Iterator[str]:
    """The commands under their headings, what each does beside it."""
    room = max(len(name) for name in COMMANDS) + 4
    for name, (_, about) in COMMANDS.items():
        if name in _BEFORE_HEADING:
            yield from ("", f"{_BEFORE_HEADING[name]}:")
        first = f"  {name}".ljust(room)
        yield from wrapped(about, " " * room, first=first, columns=_HELP_COLUMNS)


def glossary_page(words: Mapping[str, Mapping[str, str]]) -> str:
    """The glossary as Markdown, a table a section."""
    lines = [
        "# Glossary",
        "",
        "<!-- Made from ontology/glossary.yaml by docs/make_pages.py; change that file. -->",
        "",
        "One word per idea, in code, content and text. The right column lists words that are not used for it, because they mean",
        "something else here or nothing exact. `kg explain WORD` shows the same text.",
    ]
    section = ""
    for word, entry in words.items():
        if entry["section"] != section:
            section = entry["section"]
            lines += ["", f"## {section}", "", "| Word | Means | Not |", "|---|---|---|"]
        lines.append(f"| {word} | {entry['means']} | {entry['not']} |")
    lines += [
        "",
        "*Origin* has two uses that never meet: of a claim, the end of its chain; of a segment, where its records were read.",
    ]
    return "\n".join(lines) + "\n"


def command_line_page() -> str:
    """What each command takes, as Markdown."""
    from kg.answers.referent import NOUNS

    kinds = [kind for kind in NOUNS if kind != "nothing"]
    lines = [
        "# On the command line",
        "",
        "<!-- Made from kg/cli/grammar.py by docs/make_pages.py; change that file. -->",
        "",
        "Commands that are about something read it alike. Names of several words need no quotes unless they hold a sign of the",
        "shell, such as `$` or `(`. What a command cannot use is refused with what it takes and what to type.",
        "",
        f"| Command | {' | '.join(_INPUTS[kind] for kind in kinds)} |",
        f"|---|{'---|' * len(kinds)}",
        *(
            f"| `kg {name}` | {' | '.join(_TAKEN.get((name, kind), 'yes') if kind in takes else '–' for kind in kinds)} |"
            for name, takes in TAKES.items()
        ),
        "",
        "*one*: a number that several claims state is refused with their ids. A number that is a name too is the number for `trace`,",
        "`origins`, `impact` and `report`, and the name for the others.",
    ]
    return "\n".join(lines) + "\n"


def pages() -> dict[Path, str]:
    """Every made text by its file."""
    return {
        ROOT / "docs" / "codes.md": codes_page(read_located(ROOT / "ontology" / "codes.yaml").value),
        ROOT / "docs" / "glossary.md": glossary_page(read_located(ROOT / "ontology" / "glossary.yaml").value),
        ROOT / "docs" / "property-graph.md": graph_page(graph_schema()),
        ROOT / "kg" / "cli" / "help.txt": reference(),
        ROOT / "docs" / "command-line.md": command_line_page(),
    }


def main() -> int:
    """Write what is stale, or with --check name it."""
    stale = [path for path, text in pages().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is stale; run: python docs/make_pages.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
