"""A store with the small content and one loader: a shop that does not exist."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from kg.build.build import StorePlace
from kg.build.published import PublishedLoad, load_published
from kg.content.folders import Content
from kg.ingest.sources import get_loader
from tests.small_content import ROOT, write_small_content

SHOP = ROOT / "tests" / "cases" / "loaders" / "shop"
HEAD = "Name,Chip,Count,Price\n"
ROWS = HEAD + "a,Acme One,4,8.00\nb,Acme Two,8,20.00\nc,,1,1.00\nd,Acme Nine,1,3.00\ne,Acme One,two,3.00\n"


def shop_content(root: Path) -> Content:
    """The small content with the loader of the shop."""
    content = write_small_content(root)
    shutil.copytree(SHOP, root / "loaders" / "shop", dirs_exist_ok=True)
    return content


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Shop":
    """A shop whose loads make no view."""
    monkeypatch.setattr("kg.build.published.refresh_view", lambda *given, **named: None)
    return Shop(shop_content(tmp_path / "content"), StorePlace(tmp_path / "store"), tmp_path)


class Shop:
    """Loads texts as files of the shop."""

    def __init__(self, content: Content, place: StorePlace, folder: Path) -> None:
        self.content, self.place, self.folder = content, place, folder

    def file(self, text: str | bytes, name: str = "prices-2026-01-02.csv") -> Path:
        """A file with this text."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def load(self, text: str | bytes, name: str = "prices-2026-01-02.csv", **options: Any) -> PublishedLoad:
        """Load a text."""
        return self.load_files(self.file(text, name), **options)

    def load_files(self, *paths: Path, **options: Any) -> PublishedLoad:
        """Load files."""
        return load_published(self.place, self.content, get_loader(self.content, "shop"), paths, **options)

    def current(self) -> dict[str, Any]:
        """The current records by id."""
        return {one["id"]: one for one in self.place.ledger.current()}

    def rejected(self) -> list[Any]:
        """The rejections that stand."""
        return list(self.place.ledger.rejected())
