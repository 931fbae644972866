"""From the options of a command to the content in use and a store folder that can be written."""

import os
from pathlib import Path

from kg.content.folders import Content, find_content
from kg.stores.places import default_store, is_server, named_store, refuse_writing


def root_and_folder(
    store: str | os.PathLike[str] | None, content: str | os.PathLike[str] | None
) -> tuple[Content, Path]:
    """The content in use and the folder of a store that can be written; a server is refused, with what to do instead."""
    root = find_content(Path(content) if content is not None else None)
    named = named_store(store)
    if named is not None and is_server(named):
        refuse_writing(named)
    return root, Path(named) if named else default_store(root.root if content is not None else None)


def local_folder(store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None) -> Path:
    """The folder of a store that can be written; a server is refused, with what to do instead."""
    return root_and_folder(store, content)[1]
