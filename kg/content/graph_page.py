"""The page of the property graph, `docs/property-graph.md`, made from the schema in `kg.projection.graph_schema`."""

from collections.abc import Iterator

from kg.projection.graph_schema import NODE_LABEL, GraphSchema, Property

_INTRO = f"""# The property graph

<!-- Made from kg/projection/graph_schema.py by kg content format; change the declarations there and in kg/model/record.py. -->

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


def _lines(schema: GraphSchema) -> Iterator[str]:
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
    return _INTRO + "\n" + "\n".join(_lines(schema)) + "\n"
