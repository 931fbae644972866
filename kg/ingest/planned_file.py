"""A file before its rows are read: its shape, its edition, and the records of its source."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from kg.ingest.compiled_mapping import CompiledEdition
from kg.ingest.compute import filled
from kg.ingest.decode import digest_of
from kg.ingest.entities import Things
from kg.ingest.errors import FileDamaged, MappingError
from kg.ingest.file_edition import edition_of
from kg.ingest.mapping import Shape
from kg.ingest.mapping_reader import JsonReader
from kg.ingest.naming import file_stem
from kg.ingest.opened_file import open_shape
from kg.ingest.sources import Loader
from kg.model.identifiers import is_entity_id
from kg.model.json_types import Json
from kg.model.record import Entity, Source, recorded_form
from kg.model.record_parts import MOST_OF_AN_ID
from kg.model.recorded import ThingRecord


@dataclass(frozen=True, slots=True)
class Planned:
    """A file with the shape, edition and source found for it."""

    path: Path
    shape: str
    edition: CompiledEdition
    source: str
    sha256: str
    scope: str
    single: bool = False
    """Whether the file is one record."""
    written: tuple[int, int] | None = None
    """Size and time of the file as it was digested; None for one that is not at hand."""

    def check_unchanged(self) -> None:
        """Raise FileDamaged where the file is no longer the one that was digested: its claims would name another one."""
        if self.written is not None and _written(self.path) != self.written:
            raise FileDamaged(
                path=str(self.path),
                given="a file that changed while it was read",
                expected="one that stays as it is",
                next_step="load it again; nothing of it was kept",
            )

    @property
    def rank(self) -> str:
        """What decides between editions: the day, else the name below all days."""
        return self.edition.date or f"0000 {self.edition.name}"


def _written(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def plan_file(loader: Loader, path: Path, given: str | None) -> Planned:
    """Find out what a file is, from its name and its first row."""
    written = _written(path)
    with ExitStack() as stack:
        opened = open_shape(path, loader.mapping, stack)
        shape = loader.mapping.shapes[opened.shape]
        edition, _ = edition_of(path, loader.mapping, shape, opened, given)
    single = isinstance(shape.reader, JsonReader) and shape.reader.rows == "single"
    source, digest = source_id(loader, shape, edition, path), digest_of(path)
    return Planned(path, opened.shape, edition, source, digest, shape.scope, single, written)


def source_id(loader: Loader, shape: Shape, edition: CompiledEdition, path: Path) -> str:
    """The id of the source record of a file. Raises MappingError where what is filled in makes none."""
    template = shape.source or loader.mapping.source
    made = filled(template)(_source_fields(edition, path))
    # what nothing fills keeps its braces, which no id has: the id of all such files would be one
    name = f"source/{template if made is None else made}"
    if not is_entity_id(name) or len(name) > MOST_OF_AN_ID:
        raise MappingError(
            path=str(path),
            field="source",
            given=name[:80],
            expected=f"letters, digits, - and . after source/, {MOST_OF_AN_ID} characters at most",
            next_step="write source: so in the mapping, or rename the file where its name is filled in; "
            "{edition}, {edition_date} and {file} are filled in, a date only where it is known",
        )
    return name


def _source_fields(edition: CompiledEdition, path: Path) -> Json:
    return {"edition": edition.name, "edition_date": edition.date, "file": file_stem(path)}


def source_records(loader: Loader, planned: Planned, things: Things) -> list[ThingRecord]:
    """The source of a file and, where nobody holds it, its publisher."""
    mapping, shape = loader.mapping, loader.mapping.shapes[planned.shape]
    fields = _source_fields(planned.edition, planned.path)
    records: list[ThingRecord] = []
    publisher = mapping.publisher
    if not things.knows(publisher.id):
        made = recorded_form(
            Entity.model_validate({"id": publisher.id, "kind": "organisation", "label": publisher.label})
        )
        things.held[publisher.id] = made
        records.append(made)
    label = filled(shape.source_label or mapping.source_label)(fields) or shape.source_label or mapping.source_label
    citation = filled(mapping.citation)(fields) or mapping.citation
    value: Json = {
        "id": planned.source,
        "kind": "source",
        "form": "dataset",
        "label": label,
        **({"publisher": publisher.id} if shape.published else {}),
        "licence": mapping.licence,
        "note": " ".join(part for part in (citation, mapping.url, mapping.caution) if part)[:2000],
    }
    snapshot = (shape.edition or mapping.edition).kind == "snapshot"
    if planned.edition.date is not None:
        value |= {
            "published": planned.edition.date,
            "published_basis": "day of the newest edition loaded" if snapshot else "day of the edition",
        }
    if planned.source not in things.registry.records:  # a curated source stays as it is
        records.append(recorded_form(Source.model_validate(value)))
        things.held[planned.source] = records[-1]
    return records
