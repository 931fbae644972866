"""Errors as readers over HTTP see them: with the file, but not the folders of the machine that serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.errors import KgError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kg.session import Graph

_FIELDS = ("message", "path", "given", "expected", "next_step")


def sentence(error: KgError, graph: Graph) -> str:
    """What an error says to whom the graph is served."""
    return without_folders(error, graph).words


def without_folders(error: KgError, graph: Graph) -> KgError:
    """The same error; paths below the store and the content begin there."""
    cut_folders(error, (one for one in (graph.folder, graph.content.own, graph.content.root) if one is not None))
    return error


def cut_folders(error: KgError, folders: Iterable[Path]) -> None:
    """Leave out of an error the folders that its words name.

    >>> from pathlib import Path
    >>> error = KgError(path="/data/store/rdf/current", next_step="look into /data/store")
    >>> cut_folders(error, [Path("/data/store")])
    >>> error.path, error.next_step
    ('rdf/current', 'look into store')
    """
    for folder in folders:
        for name in _FIELDS:
            text = getattr(error, name)
            if text:
                # With its slash first, so that a path below begins at the folder; alone, the name
                # of the folder stays.
                setattr(error, name, text.replace(f"{folder}/", "").replace(str(folder), folder.name))
