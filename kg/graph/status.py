"""The state of a store, read without changing it."""

import os
from pathlib import Path
from typing import Any

from kg.__about__ import __version__
from kg.audit.finding import RULES_VERSION
from kg.content.folders import find_content
from kg.graph.documents import list_documents
from kg.graph.graph import store_folder
from kg.ledger.ledger import Ledger
from kg.stores.oxigraph import Generations


def store_status(store: str | os.PathLike[str] | None, *, content: str | None) -> dict[str, Any]:
    """What lies in the store folder, and whether the view follows the ledger and the content."""
    root, folder = find_content(Path(content) if content else None), store_folder(store, content=content)
    manifest = Ledger(folder / "ledger").manifest()
    live = Generations(folder / "rdf").current()
    stamp = live[1] if live else {}
    state = "not built"
    if live:
        fresh = stamp.get("fingerprint") == root.fingerprint() and stamp.get("version") == __version__
        state = (
            "up to date" if fresh and stamp.get("head") == manifest.head else "stale: built again at the next question"
        )
    documents = list_documents(folder, content=content)
    return {
        "store": str(folder),
        "content": str(root.root),
        "version": __version__,
        "view": state,
        "generation": stamp.get("generation"),
        "triples": stamp.get("triples"),
        "findings": "current"
        if live and stamp.get("rules") == RULES_VERSION and stamp.get("head") == manifest.head
        else "stale",
        "head": manifest.head if manifest.segments else None,
        "records": sum(one.records for one in manifest.segments),
        "documents attached": f"{sum(1 for one in documents if one.path)} of {len(documents)}",
        "segments": [one.to_json() for one in manifest.segments],
    }
