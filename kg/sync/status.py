"""The state of a store, read without changing it."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.__about__ import RULES_VERSION, __version__
from kg.build.documents import list_documents
from kg.build.locate import is_made_by, root_and_folder
from kg.build.reresolve import state_of
from kg.content.folders import Content, find_content
from kg.ledger.ledger import Ledger
from kg.model.view_stamp import ViewStamp
from kg.stores.oxigraph import Generations
from kg.stores.places import checked_address, is_server, named_store

if TYPE_CHECKING:
    from kg.sync.servers import AskLogin


def store_status(
    store: str | os.PathLike[str] | None, *, content: str | None, ask_login: "AskLogin | None" = None
) -> dict[str, Any]:
    """What lies in the store folder, and whether the view follows the ledger and the content; or what a server says."""
    named = named_store(store)
    if named is not None and is_server(named):
        return _server_status(named, content, ask_login)
    root, folder = root_and_folder(store, content)
    manifest = Ledger(folder / "ledger").manifest()
    live = Generations(folder / "rdf").current()
    stamp = live[1] if live else {}
    documents = list_documents(folder, content=str(root.place))
    again = state_of(Ledger(folder / "ledger"))
    of_this_ledger = bool(live) and stamp.get("head") == manifest.head
    return {
        "store": str(folder),
        "content": str(root.place),
        "version": __version__,
        "view": _view_state(stamp, root, of_this_ledger=of_this_ledger) if live else "not built",
        "generation": stamp.get("generation"),
        "triples": stamp.get("triples"),
        "findings": "current" if of_this_ledger and stamp.get("rules") == RULES_VERSION else "stale",
        "head": manifest.head if manifest.segments else None,
        "records": sum(one.records for one in manifest.segments),
        "documents attached": f"{sum(1 for one in documents if one.path)} of {len(documents)}",
        "names moved": [asdict(one) for one in again.moved],
        "load again": [asdict(one) for one in again.waiting],
        "segments": [one.to_json() for one in manifest.segments],
    }


def _view_state(stamp: ViewStamp, root: Content, *, of_this_ledger: bool) -> str:
    return "up to date" if is_made_by(stamp, root) and of_this_ledger else "stale: built again at the next question"


def _server_status(address: str, content: str | None, ask_login: "AskLogin | None") -> dict[str, Any]:
    """The state of a server: what was pushed last, and whether it is whole."""
    from kg.sync.servers import open_target, server_folder

    root, folder = find_content(Path(content) if content else None), server_folder(checked_address(address))
    target = open_target(address, ask_login=ask_login)
    try:
        state, files = target.state(), target.files()
        counts = tuple(target.counts()) if state is not None else ()
    finally:
        target.close()
    documents = list_documents(folder, content=content)
    stamp = state.stamp if state is not None else {}
    return {
        "store": target.shown,
        "content": str(root.place),
        "version": __version__,
        "view": "nothing pushed"
        if state is None
        else "whole"
        if state.state == "ready"
        else "a push is under way or was cut off",
        "pushed by": stamp.get("version"),
        "size": " and ".join(f"{one:,}" for one in counts) or None,
        "findings": "current"
        if state is not None and state.state == "ready" and stamp.get("rules") == RULES_VERSION
        else "stale",
        "head": stamp.get("head"),
        "ledger": f"{len(files)} files, {sum(one.size for one in files.values()):,} bytes",
        "documents attached": f"{sum(1 for one in documents if one.path)} of {len(documents)}",
        "segments": [],
    }
