"""Builds the documentation site: `python docs/make_site.py [FOLDER]` (extra `docs`). No network is needed or used.

Pages are copied to .build/site-pages, where each block of `kg` commands is run and gets its output, the reference is made
from the code, the gallery is drawn, and links that leave docs/ become plain text. mkdocs then builds them strictly: a link
or an anchor that leads nowhere ends the run.
"""

import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS, PAGES = ROOT / "docs", ROOT / ".build" / "site-pages"
sys.path.insert(0, str(ROOT))

from filelock import FileLock  # noqa: E402

from kg.cli.app import COMMANDS  # noqa: E402
from kg.render.svg_file import svg_file  # noqa: E402
from kg.session import Graph, open_graph  # noqa: E402

MOST_LINES = 24
"""Lines of a transcript that are shown; a reader of a page wants the shape of an answer, not all of it."""
_BLOCK = re.compile(r"^```kg\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LEAVES = re.compile(r"\[([^\]]+)\]\(\.\./(?!\w+\.md)([^)]*)\)")
Shown = tuple[str, tuple[str, ...], str]
"""A name, the words of `kg view`, and what the drawing shows."""
PICTURES: tuple[Shown, ...] = (
    ("trace", ("72428",), "A number: from where it was printed to what it was computed from"),
    ("compare", ("compare", "GB200", "H200"), "Two chips: the claims that compare them"),
    ("claim", ("000/mistral.impact.training-speed.h200",), "A claim that another one repeats"),
)


def main(target: Path | None = None) -> Path:
    """Make the pages and build the site; gives the folder of the site."""
    PAGES.parent.mkdir(exist_ok=True)
    with FileLock(f"{PAGES}.lock"):  # mkdocs is told of one folder of pages, and tests side by side make the site too
        return _built(target)


def _built(target: Path | None) -> Path:
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.py", "*.json", "*.yml", "__pycache__"))
    with tempfile.TemporaryDirectory(prefix="accelkg-site-") as work:
        graph = open_graph(Path(work) / "store")
        try:
            (PAGES / "reference").mkdir()
            _put("reference/commands.md", _commands(Path(work)))
            _put("reference/python.md", _python())
            _put("reference/questions.md", _questions(graph))
            _put("gallery.md", _gallery(graph))
            _put("decisions.md", _decisions())
        finally:
            graph.close()
        for page in sorted(PAGES.rglob("*.md")):
            text = page.read_text(encoding="utf-8")
            text = _BLOCK.sub(lambda found: _transcript(found[1], Path(work)), text)
            if page.parent == PAGES:
                text = _LEAVES.sub(r"\1 (`\2`)", text)
            page.write_text(text, encoding="utf-8")
    site = target or ROOT / ".build" / "site"
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--config-file",
        str(DOCS / "mkdocs.yml"),
    ]
    # The banner of the theme about a later version of mkdocs is no warning about these pages.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    subprocess.run([*command, "--site-dir", str(site)], check=True, env=environment)
    return site


def _put(name: str, text: str) -> None:
    (PAGES / name).write_text(text, encoding="utf-8")


def _run(command: list[str], work: Path) -> str:
    """What a command prints, talk included, as on a terminal of 100 columns without colour."""
    environment = {**os.environ, "KG_STORE": str(work / "store"), "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    program = [sys.executable, "-m", "kg", *command[1:]] if command[0] == "kg" else command
    done = subprocess.run(
        program, cwd=work, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300
    )
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def _transcript(commands: str, work: Path) -> str:
    """The commands of a block with what they print; a page with a command that fails is not built."""
    parts = []
    for line in commands.strip().splitlines():
        lines = _run(shlex.split(line) if line.startswith("kg ") else ["sh", "-c", line], work).rstrip().splitlines()
        cut = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES + 2 else []
        shown = lines[:MOST_LINES] if cut else lines
        parts.append("\n".join([f"$ {line}", *shown, *cut]))
    return "```text\n" + "\n\n".join(parts) + "\n```"


def _commands(work: Path) -> str:
    """Every command with its help, as `kg COMMAND --help` prints it."""
    parts = ["# Commands", "", "Made from the code: each section is what `kg COMMAND --help` prints.", ""]
    for name, (_, about) in sorted(COMMANDS.items()):
        parts += [
            f"## kg {name}",
            "",
            f"{about}.",
            "",
            "```text",
            _run(["kg", name, "--help"], work).strip("\n"),
            "```",
            "",
        ]
    return "\n".join(parts)


def _python() -> str:
    """The public methods of a graph, with their signatures and docstrings."""
    parts = [
        "# Python",
        "",
        "`kg.open()` gives a `Graph`; what it can do, made from the code. Examples: [Python](../python.md).",
        "",
    ]
    for name, method in inspect.getmembers(Graph):  # those that it has from the classes above it too
        function = method.fget if isinstance(method, property) else method
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        signature = (
            ""
            if isinstance(method, property)
            else str(inspect.signature(function)).replace("(self, ", "(").replace("(self)", "()")
        )
        signature = signature.replace("kg.", "").replace("'", "").replace('"', "")
        parts += [f"## {name}", "", "```text", f"{name}{signature}", "```", ""]
        parts += [inspect.cleandoc(function.__doc__ or "").replace("<", "&lt;"), ""]
    return "\n".join(parts)


def _questions(graph: Graph) -> str:
    """The catalogue of saved questions with their parameters and an example that runs."""
    parts = [
        "# Saved questions",
        "",
        "`kg ask NAME --PARAM VALUE`, or `graph.ask(NAME, PARAM=VALUE)`. Made from the catalogue.",
        "",
    ]
    topic = ""
    for name, question in sorted(graph.questions().items()):
        if name.partition("/")[0] != topic:
            topic = name.partition("/")[0]
            parts += [f"## {topic.capitalize()}", "", "| Name | Question | Parameters |", "|---|---|---|"]
        given = ", ".join(f"`{one.name}`" for one in question.parameters) or "none"
        parts.append(f"| `{name}` | {question.question.replace('|', '/')} | {given} |")
        following = [other for other in sorted(graph.questions()) if other > name]
        if not following or following[0].partition("/")[0] != topic:
            parts.append("")
    return "\n".join(parts)


def _gallery(graph: Graph) -> str:
    """Pictures as SVG, drawn while the site is built; the pages of `kg serve` are in docs/make_gallery.py."""
    folder = PAGES / "gallery"
    folder.mkdir()
    parts = [
        "# Gallery",
        "",
        "Drawn from the shipped content while this site was built; `kg view` makes the same, to be used in a browser.",
        "",
    ]
    for name, words, about in PICTURES:
        (folder / f"{name}.svg").write_text(svg_file(graph.view(*words)), encoding="utf-8")
        shown = " ".join(words)
        parts += [f"## {about}", "", f"`kg view {shown} -o {name}.html`", "", f"![{about}](gallery/{name}.svg)", ""]
    for name, words, about in CHARTS:
        (folder / f"{name}.svg").write_bytes(graph.chart(name, *words).file)
        parts += [f"## {about}", "", f"`kg view --chart {' '.join((name, *words))} -o {name}.html`", ""]
        parts += [f"![{about}](gallery/{name}.svg)", ""]
    parts += [
        "## Pages",
        "",
        "`kg serve` shows the same in a browser, with search; `python docs/make_gallery.py FOLDER` takes screenshots of ten of its pages.",
        "",
    ]
    return "\n".join(parts)


CHARTS: tuple[Shown, ...] = (
    ("number-line", ("H200", "memory-bandwidth"), "All values that are claimed of one thing"),
    ("gain", (), "How far one chip is ahead of another"),
    ("timeline", (), "When what was said, and by whom"),
)


def _decisions() -> str:
    """The list of decision records with their titles."""
    return "\n".join(["# Decisions", "", *(f"- [{title}](decisions/{name})" for name, title in _records()), ""])


def _records() -> Iterator[tuple[str, str]]:
    for path in sorted((DOCS / "decisions").glob("*.md")):
        yield path.name, path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


if __name__ == "__main__":
    print(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None))
