"""What a service needs of an opened graph, so that no service knows the session that opened it."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kg.model.view_stamp import ViewStamp
from kg.stores.protocol import Answer, Language, Store

if TYPE_CHECKING:
    from kg.ask.lexicon import Lexicon
    from kg.content.documents import Document
    from kg.content.folders import Content


class Asks(Protocol):
    """Answers saved questions by name."""

    def ask(
        self,
        name: str,
        /,
        *,
        limit: int | None = None,
        language: Language | None = None,
        timeout_seconds: float | None = None,
        **values: object,
    ) -> Answer:
        """The rows of a saved question."""
        ...


class Opened(Asks, Protocol):
    """One opened generation of the view, with the compiled content that goes with it."""

    @property
    def folder(self) -> Path:
        """The folder of the store; for a server, where this machine keeps what belongs to it."""
        ...

    @property
    def content(self) -> "Content":
        """The content folders in use."""
        ...

    @property
    def store(self) -> Store:
        """The engine that answers."""
        ...

    @property
    def stamp(self) -> ViewStamp:
        """What the view was made from: head of the ledger, fingerprint of the content, version, rules."""
        ...

    @property
    def lexicon(self) -> "Lexicon":
        """The compiled questions and units."""
        ...

    def ledger_folder(self) -> Path:
        """The folder of the ledger; that of a server is fetched first."""
        ...

    def is_whole(self) -> bool:
        """Whether the view was made from the ledger as it is."""
        ...

    def document(self, name: str | None, sha256: str | None) -> "Document | None":
        """The attached source text of a digest; None when the reader does not have it."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...
