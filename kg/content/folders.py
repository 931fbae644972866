"""Where the content folders are: next to the checkout or packaged in `kg/_content`, with a folder of one's own laid over it.

A folder of one's own holds what `seeds/` holds (`entities/`, `claims/`, `coverage/`, `citations/`) and is named with
--content or KG_CONTENT, or remembered by a store. A folder with `ontology/` and `seeds/` takes the place of the shipped one.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import NamedTuple, Self

from kg.errors import ContentError, UsageError
from kg.model.special_file import is_special

FOLDERS = ("ontology", "loaders", "queries", "seeds")
OWN_FOLDERS = ("entities", "claims", "coverage", "citations")
"""The parts of `seeds/` that a folder of one's own can hold."""
VARIABLE = "KG_CONTENT"


class ContentMissing(ContentError):
    """No content folder was found."""

    code = "content.missing"


class ContentState(NamedTuple):
    """What tells one state of the content from another."""

    fingerprint: str
    digest: str


@dataclass(frozen=True, slots=True)
class Content:
    """The root that holds `ontology/`, `loaders/`, `queries/` and `seeds/`, and the folder of one's own that lies over it."""

    root: Path
    own: Path | None = None
    state: ContentState | None = field(default=None, compare=False, repr=False)
    """The state that was noted, which what is made from it bears; None for the one that it has when it is asked."""

    def noted(self, state: ContentState | None = None) -> Self:
        """The same content under the state it has now, or under a known one.

        Noted before the files are read: where they change meanwhile, what is made bears the older state, and is made again.
        """
        return replace(self, state=state or ContentState(self.fingerprint(), self.digest()))

    @property
    def place(self) -> Path:
        """What --content has to name to get this content: the folder of one's own, else the root."""
        return self.own or self.root

    @property
    def ontology(self) -> Path:
        """Vocabulary, shapes, metrics and units."""
        return self.root / "ontology"

    @property
    def seeds(self) -> Path:
        """Entities, sources and curated claims."""
        return self.root / "seeds"

    @property
    def queries(self) -> Path:
        """Saved questions."""
        return self.root / "queries"

    @property
    def loaders(self) -> Path:
        """Mappings of published data."""
        return self.root / "loaders"

    @property
    def writable_seeds(self) -> Path:
        """The folder with `entities/` and `claims/` that a command may write into: one's own where there is one."""
        return self.own or self.seeds

    def seed_files(self, part: str) -> list[Path]:
        """The YAML files of one part of the seeds: the shipped ones, sorted, then one's own, sorted."""
        found = sorted((self.seeds / part).rglob("*.yaml"))
        if self.own is not None:
            found += sorted((self.own / part).rglob("*.yaml"))
        for path in filter(is_special, found):
            raise ContentError(
                path=self.shown(path), given="a device or a pipe", expected="a YAML file", next_step="move it away"
            )
        return found

    def is_own(self, path: Path) -> bool:
        """Whether a file belongs to the folder of one's own."""
        return self.own is not None and self.own in path.parents

    def shown(self, path: Path) -> str:
        """The name of a content file in errors: from the root, or from where the folder of one's own lies."""
        if self.own is not None and self.own in path.parents:
            return path.relative_to(self.own.parent).as_posix()
        return path.relative_to(self.root).as_posix()

    def files(self) -> list[Path]:
        """Every shipped content file, sorted."""
        found = [
            p for name in FOLDERS for p in (self.root / name).rglob("*") if p.is_file() and not p.name.startswith(".")
        ]
        return sorted(p for p in found if "__pycache__" not in p.parts)

    def own_files(self) -> list[Path]:
        """Every YAML file of the folder of one's own, sorted."""
        if self.own is None:
            return []
        found = sorted(path for part in OWN_FOLDERS for path in (self.own / part).rglob("*.yaml") if path.is_file())
        return [path for path in found if path.read_bytes().strip()]  # what was taken back leaves an empty file

    def _named_files(self) -> list[tuple[str, Path]]:
        """Every file with a name that is the same on every machine."""
        named = [(path.relative_to(self.root).as_posix(), path) for path in self.files()]
        own = self.own
        return (
            named if own is None else [*named, *((f"own/{p.relative_to(own).as_posix()}", p) for p in self.own_files())]
        )

    def fingerprint(self) -> str:
        """A cheap digest of names, sizes and times: changes when a file may have changed."""
        if self.state is not None:
            return self.state.fingerprint
        parts = []
        for name, path in self._named_files():
            with suppress(FileNotFoundError):  # gone since it was listed: an editor writes a new file and renames it
                stat = path.stat()
                parts.append(f"{name}\t{stat.st_size}\t{stat.st_mtime_ns}")
        return sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]  # a name may be no text

    def digest(self) -> str:
        """A digest of the content itself, the same on every machine."""
        if self.state is not None:
            return self.state.digest
        total = sha256()
        for name, path in self._named_files():
            with suppress(FileNotFoundError):
                data = path.read_bytes()
                total.update(f"{name}\n".encode("utf-8", "surrogateescape"))
                total.update(sha256(data).digest())
        return total.hexdigest()[:32]


def is_content(folder: Path) -> bool:
    """Whether a folder can be named as content: a whole root, or a folder of one's own."""
    return _is_root(folder) or _is_own_folder(folder)


def _is_root(folder: Path) -> bool:
    return (folder / "seeds").is_dir() and (folder / "ontology").is_dir()


def _is_own_folder(folder: Path) -> bool:
    return (folder / "entities").is_dir() and (folder / "claims").is_dir()


def shipped_content() -> Content:
    """The content that came with the package, no matter what else is named or remembered."""
    package = Path(__file__).resolve().parent.parent
    # An installed package has its content inside; in a checkout it lies next to the package.
    for root in (package / "_content", package.parent):
        if _is_root(root):
            return Content(root.resolve())
    raise ContentMissing(
        path=str(package),
        given="no seeds/ and ontology/ folder there",
        expected=f"a folder with {', '.join(FOLDERS)}",
        next_step="install the package again",
    )


def named_content(given: str | os.PathLike[str] | None) -> Path | None:
    """What --content names, else what KG_CONTENT names, if anything."""
    named = given if given is not None else os.environ.get(VARIABLE) or None
    try:
        return None if named is None else Path(named).expanduser()
    except RuntimeError as cause:  # `~` of a user that there is none of
        raise UsageError(
            field="--content" if given is not None else VARIABLE, given=os.fspath(named or ""), expected="a folder"
        ) from cause


def file_name(path: Path) -> str:
    """The name of a file as text that every format takes; bytes that are no UTF-8 are written as escapes.

    >>> file_name(Path("prices.csv")), len(file_name(Path(os.fsdecode(bytes([255])))))
    ('prices.csv', 4)
    """
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


def refuse_unwritable(folder: Path) -> None:
    """Raise UsageError for a folder whose path a store cannot note as text."""
    try:
        str(folder.resolve()).encode()
    except UnicodeEncodeError as cause:
        raise UsageError(
            path=str(folder), given="a path with bytes that are no UTF-8", expected="a path in UTF-8"
        ) from cause


def find_content(given: Path | None = None) -> Content:
    """The content in use: a root that was named, a folder of one's own over the shipped root, or the shipped root."""
    named = named_content(given)
    if named is None:
        return shipped_content()
    refuse_unwritable(named)
    if _is_root(named):
        return Content(named.resolve())
    if _is_own_folder(named):
        return Content(shipped_content().root, named.resolve())
    raise ContentMissing(
        path=str(named),
        field=VARIABLE if given is None else None,
        given="no seeds/ and ontology/ folder there, and no entities/ and claims/",
        expected=f"a folder of your own, or a root with {', '.join(FOLDERS)}",
        next_step=f"make a folder of your own with kg init {named}",
    )


def copy_content(content: Content, to: Path) -> Content:
    """A copy of the content folders that may be changed, in a folder that is new or empty."""
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(path=str(to), given="a folder that is not empty", expected="a new or an empty folder")
    for name in FOLDERS:
        if (content.root / name).is_dir():
            copytree(content.root / name, to / name, ignore=ignore_patterns("__pycache__", ".*"), dirs_exist_ok=True)
    return Content(to.resolve())
