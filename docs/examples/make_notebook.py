"""Writes and runs `evidence.ipynb`: from a number to its origins, in a notebook.

    python docs/examples/make_notebook.py [--check]

The outputs are kept, so that it can be read without running it; they hold no paths. `--check` fails when the notebook is
not what its cells give now.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat as untyped_nbformat
from nbclient import NotebookClient

nbformat: Any = untyped_nbformat

NOTEBOOK = Path(__file__).parent / "evidence.ipynb"
TEXT = """
# %% [markdown]
# From a number to its origins

A report says that a GB200 reaches 72,428 samples a second. Can that be used, where does it come from, and who says otherwise?
# %%
import kg

graph = kg.open()
graph.trace("72428")
# %% [markdown]
The first line is the verdict. The value to use is what the inputs give; they are a table of their own:
# %%
trace = graph.trace("72428")
print(trace.to_pandas("inputs")[["name", "printed", "unit"]].to_string(index=False))
for note in trace.claims[0].findings:
    if note.severity == "violation":
        print(note.code, note.message, sep=": ")
# %% [markdown]
## Who compares GB200 with H200?

Each row is a claim, with its speaker and its own verdict.
# %%
frame = graph.compare("GB200", "H200").to_pandas()
frame[["claim", "metric", "printed", "asserted_by", "verdict"]]
# %% [markdown]
## Who disagrees?
# %%
graph.conflicts("H200").to_pandas("groups")[["verdict", "metric", "claims"]].head(8)
# %% [markdown]
## How often is it said, and by how many on their own?

Claims that repeat one another form echo clusters. `mentions` counts all, `origins` those who did not have it from another.
# %%
import networkx as nx

repeats = kg.to_networkx(graph, types=("RESTATES", "SAME_AS"))
claims = repeats.subgraph([name for name, data in repeats.nodes(data=True) if data["record"] == "claim"])
clusters = sorted(nx.weakly_connected_components(claims), key=lambda one: (-len(one), min(one)))
for one in clusters[:3]:
    print(len(one), min(one), *graph.origins(min(one)).headline()[1:])
# %% [markdown]
## What carries the most?

In the network of evidence a claim leads to what it repeats, to its inputs and to where it is printed.
# %%
evidence = kg.to_networkx(graph, types=("RESTATES", "USED", "STATED_IN"))
unopened = [name for name, data in evidence.nodes(data=True) if data.get("kind") == "unresolved-source"]
carried = {name: len(nx.ancestors(evidence, name)) for name in unopened}
for name in sorted(carried, key=lambda one: (-carried[one], one))[:3]:
    print(carried[name], "claims rest on", evidence.nodes[name]["label"])
# %%
graph.close()
"""
"""The cells; each begins with a line of its own."""


def cells() -> Iterable[tuple[str, str]]:
    """Kind and text of each cell."""
    for part in TEXT.split("\n# %%")[1:]:
        head, _, text = part.partition("\n")
        yield "markdown" if "markdown" in head else "code", text.strip("\n")


def notebook() -> Any:
    """The notebook without outputs; cells are numbered, not named by chance."""
    made_cells = [
        (nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell)(
            text, id=f"cell-{number:02d}"
        )
        for number, (kind, text) in enumerate(cells(), 1)
    ]
    made = nbformat.v4.new_notebook(cells=made_cells)
    made.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return made


def run(made: Any) -> Any:
    """The notebook with its outputs, and nothing in it that changes from run to run."""
    NotebookClient(made, timeout=300, kernel_name="python3", record_timing=False).execute()
    made.metadata = {"kernelspec": made.metadata["kernelspec"]}
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs = list(_settled(cell.outputs))
    return made


def _settled(outputs: Iterable[Any]) -> Iterable[Any]:
    """Outputs without what is not shown, and what was printed in one piece: it comes in pieces as time will have it."""
    printed: Any = None
    for output in outputs:
        if output.output_type == "stream" and printed is not None and printed.name == output.name:
            printed.text += output.text
            continue
        printed = output if output.output_type == "stream" else None
        if "text/html" in output.get("data", {}):
            output.data.pop("text/plain", None)
        yield output


def texts(made: Any) -> Iterable[tuple[str, Any]]:
    """What each cell says and shows."""
    for cell in made.cells:
        shown = [
            {key: one for key, one in output.items() if key in ("output_type", "name", "text", "data")}
            for output in cell.get("outputs", ())
        ]
        yield cell.source, shown


def main() -> int:
    made = run(notebook())
    if "--check" in sys.argv[1:]:
        kept = nbformat.read(NOTEBOOK, as_version=4)
        if list(texts(kept)) == list(texts(made)):
            return 0
        print(
            "docs/examples/evidence.ipynb is not what its cells give now; run: python docs/examples/make_notebook.py",
            file=sys.stderr,
        )
        return 1
    nbformat.write(made, NOTEBOOK)
    return 0


if __name__ == "__main__":
    sys.exit(main())
