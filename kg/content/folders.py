"""Where the content folders are: given with --content, else beside the checkout, else packaged in `kg/_content`."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import copytree, ignore_patterns

from kg.errors import ContentError, UsageError

FOLDERS = ("ontology", "loaders", "queries", "seeds")


class ContentMissing(ContentError):
    """No content folder was found."""

    code = "content.missing"


@dataclass(frozen=True, slots=True)
class Content:
    """The root that holds `ontology/`, `loaders/`, `queries/` and `seeds/`."""

    root: Path

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

    def files(self) -> list[Path]:
        """Every content file, sorted."""
        found = [
            p for name in FOLDERS for p in (self.root / name).rglob("*") if p.is_file() and not p.name.startswith(".")
        ]
        return sorted(p for p in found if "__pycache__" not in p.parts)

    def fingerprint(self) -> str:
        """A cheap digest of names, sizes and times: changes when a file may have changed."""
        parts = []
        for path in self.files():
            stat = path.stat()
            parts.append(f"{path.relative_to(self.root).as_posix()}\t{stat.st_size}\t{stat.st_mtime_ns}")
        return sha256("\n".join(parts).encode()).hexdigest()[:32]

    def digest(self) -> str:
        """A digest of the content itself, the same on every machine."""
        total = sha256()
        for path in self.files():
            total.update(f"{path.relative_to(self.root).as_posix()}\n".encode())
            total.update(sha256(path.read_bytes()).digest())
        return total.hexdigest()[:32]


def find_content(given: Path | None = None) -> Content:
    """The content root in use; an explicit one must hold a `seeds` folder."""
    package = Path(__file__).resolve().parent.parent
    candidates = [given] if given is not None else [package / "_content", package.parent]
    for root in candidates:
        if (root / "seeds").is_dir() and (root / "ontology").is_dir():
            return Content(root.resolve())
    raise ContentMissing(
        path=str(given or package),
        given="no seeds/ and ontology/ folder there",
        expected=f"a folder with {', '.join(FOLDERS)}",
        next_step="give the content root with --content DIR, or install the package again",
    )


def copy_content(content: Content, to: Path) -> Content:
    """A copy of the content folders that may be changed, in a folder that is new or empty."""
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(path=str(to), given="a folder that is not empty", expected="a new or an empty folder")
    for name in FOLDERS:
        if (content.root / name).is_dir():
            copytree(content.root / name, to / name, ignore=ignore_patterns("__pycache__", ".*"), dirs_exist_ok=True)
    return Content(to.resolve())
