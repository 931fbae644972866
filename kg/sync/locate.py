"""From a store option to a folder of this machine."""

import os
from pathlib import Path

from kg.build.locate import root_and_folder
from kg.stores.places import checked_address, is_server, named_store
from kg.sync.pull import fetch_ledger
from kg.sync.servers import AskLogin, open_target, server_folder


def store_folder(store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None) -> Path:
    """The folder a store option leads to; for a server the one where this machine keeps what belongs to it."""
    named = named_store(store)
    if named is not None and is_server(named):
        return server_folder(checked_address(named))
    return root_and_folder(store, content)[1]


def ledger_folder(
    store: str | os.PathLike[str] | None,
    *,
    content: str | os.PathLike[str] | None,
    ask_login: AskLogin | None = None,
) -> Path:
    """The folder of the ledger a store option leads to; that of a server is fetched first, if need be with a login."""
    folder = store_folder(store, content=content) / "ledger"
    named = named_store(store)
    if named is not None and is_server(named):
        server = open_target(named, ask_login=ask_login)
        try:
            fetch_ledger(server, folder)
        finally:
            server.close()
    return folder
