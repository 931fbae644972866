"""All triples of a store as pieces of N-Triples text with the named graph of each: what the RDF exports write.

They are the triples of the view, made again from ledger and derived set in an order that people can read, and one more
for each record: its recorded form, so that a file can be loaded without loss.
"""

import tempfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

import orjson

from kg.content.vocabulary import read_vocabulary
from kg.export.exchange import Progress, Records, silent
from kg.export.part import EVERYTHING, Selection
from kg.export.rdf import Piece
from kg.model.ledger_records import CurrentRecord
from kg.model.names import all_names
from kg.model.units import COUNT_PREFIX
from kg.model.view_stamp import ViewStamp
from kg.model.vocabulary import ONTOLOGY, claim_iri, expand, thing_iri
from kg.projection.classes import class_lines
from kg.projection.derived import derived_lines, meta_lines
from kg.projection.keys import key_lines
from kg.projection.measures import count_unit_lines, vocabulary_lines
from kg.projection.names import name_lines
from kg.projection.triples import TripleWriter

if TYPE_CHECKING:
    from kg.ask.opened import Opened

REGISTRY, DERIVED, VOCABULARY = "registry", "derived", "vocabulary"
_REMEMBERED = 4096
_JOINED = 256
_IMPORTS = (
    f"<{thing_iri('meta')}> <{expand('rdf:type')}> <{expand('owl:Ontology')}> .\n"
    f"<{thing_iri('meta')}> <{expand('owl:imports')}> <{ONTOLOGY.removesuffix('#')}> .\n"
)
"""What classes and properties mean is in the vocabulary, which a reader of the file is sent to."""
_FORM, _JSON = f" <{expand('k:recordedForm')}> ", f"^^<{expand('rdf:JSON')}>"


def triple_pieces(
    graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING, *, grouped: bool = True
) -> Iterator[Piece]:
    """Claims by id, what is derived, the registry, the vocabulary, the state of the store.

    With `grouped`, keys come after the claims, with the rest of what is derived, so that each named graph is in one
    place; without, they stand below their claim.
    """
    counts = set[str]()
    with Records(graph, progress, part) as records:
        if grouped:
            with tempfile.TemporaryFile(prefix="accelkg-") as spool:
                for source, record, keys in _claims(records, counts):
                    yield f"claims/{source}", record
                    spool.write(keys.encode())
                spool.seek(0)
                while lines := spool.readlines(1 << 20):
                    yield DERIVED, b"".join(lines).decode()
        else:
            for source, record, keys in _claims(records, counts):
                yield f"claims/{source}", record + keys
        yield from ((DERIVED, text) for text in _joined(derived_lines(records.derived())))
        writer = TripleWriter()
        yield from (
            (REGISTRY, text)
            for text in _joined(writer.record(one) + recorded_form_line(one) for one in records.things())
        )
        yield from ((REGISTRY, text) for text in _joined(name_lines(all_names(records.registry))))
        number = records.number
    vocabulary = read_vocabulary(graph.content)
    measures = vocabulary_lines(vocabulary.metric_mapping, vocabulary.unit_mapping)
    yield VOCABULARY, _IMPORTS + "".join((*measures, *map(count_unit_lines, sorted(counts)), *class_lines()))
    state = graph.ask("meta/store")
    for row in state.dicts():
        yield None, meta_lines(cast(ViewStamp, row), number)


def _claims(records: Records, counts: set[str]) -> Iterator[tuple[str, str, str]]:
    """Source, triples and key triples of each claim; shared nodes are written once a source, in the graph of the source.

    Units that count something are added to `counts`: the table of units has no row for them.
    """
    writer, of = TripleWriter(remember=_REMEMBERED), ""
    for record, keys in records.keyed():
        source = record["source"].partition("/")[2]
        if source != of:
            writer, of = TripleWriter(remember=_REMEMBERED), source
        if (unit := str((record.get("quantity") or {}).get("unit"))).startswith(COUNT_PREFIX):
            counts.add(unit)
        yield source, writer.claim(record) + recorded_form_line(record), key_lines(record, keys)


def recorded_form_line(record: CurrentRecord) -> str:
    """The recorded form of a record as one JSON literal."""
    kept = {key: value for key, value in record.items() if key not in ("revision", "supersedes")}
    text = orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()
    iri = claim_iri(record["id"]) if record["record"] == "claim" else thing_iri(record["id"])
    # JSON has no raw control characters, so that these two are all that N-Triples must escape.
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'<{iri}>{_FORM}"{escaped}"{_JSON} .\n'


def _joined(texts: Iterable[str]) -> Iterator[str]:
    buffer: list[str] = []
    for text in texts:
        buffer.append(text)
        if len(buffer) >= _JOINED:
            yield "".join(buffer)
            buffer.clear()
    if buffer:
        yield "".join(buffer)
