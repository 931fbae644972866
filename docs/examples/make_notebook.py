"""Writes and runs `evidence.ipynb`: from a number to its origins, in a notebook.

    python docs/examples/make_notebook.py [--check]

The outputs are kept, so that it can be read without running it; they hold no paths. `--check` fails when the notebook is
not what its cells give now.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat as untyped_nbformat
from nbclient import NotebookClient

nbformat: Any = untyped_nbformat

_STATE = re.compile(r"(ledger state )\w+")
NOTEBOOK = Path(__file__).parent / "evidence.ipynb"
TEXT = """
# %% [markdown]
# From a number to its origins

A report says that a GB200 reaches 72,428 samples a second on each accelerator. Before that number goes into a slide: where does it come from, can it
be used, and what rests on it?
# %%
import kg

graph = kg.open()
trace = graph.trace("72428")
trace
# %% [markdown]
The verdict comes first, with the value to use. The text divided the result of a whole rack by four, as if it were one node. The picture shows the way
from the document, through what the number was computed from, to where it was measured:
# %%
graph.view("72428")
# %% [markdown]
## What rests on it?

Conclusions were drawn from the number, and others from those. Each has a verdict of its own: some stand on more than this one ground.
# %%
rests = trace.to_pandas("dependents").sort_values(["hop", "dependent"])
rests[["dependent", "via", "hop", "printed", "verdict"]].head(8)
# %% [markdown]
## So how much faster is a GB200?

Ask for all claims that compare it with the H200. Each row is a claim with its speaker and its own verdict; a rack against a chip is no ratio of chips:
# %%
graph.compare("GB200", "H200").to_pandas()[["metric", "printed", "subject_label", "baseline_label", "verdict"]]
# %% [markdown]
## What was measured?

Official rows decide where there are any. Against the B200, chip for chip, the gain of the whole system nearly vanishes:
# %%
graph.chart("gain")
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
        if "image/svg+xml" in output.get("data", {}):  # any other content of the store would make another drawing
            output.data["image/svg+xml"] = _STATE.sub(r"\1…", output.data["image/svg+xml"])
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
