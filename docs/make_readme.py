"""Fill the transcripts of README.md with what the commands print today; `--check` only says whether they are fresh.

A transcript stands between `<!-- transcript: kg … -->` and `<!-- end -->`; `(12 lines)` behind the command shows its beginning. Commands run in the checkout against the store
that KG_STORE names, 100 columns wide and without colour.
"""

import os
import re
import shlex
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(<!-- transcript: (kg [^\n]*?)(?: \((\d+) lines\))? -->\n).*?(<!-- end -->)", re.DOTALL)


def transcript(command: str, most: int | None = None) -> str:
    """The command and its output, or the first lines of it, as a fenced block."""
    kg = Path(sys.executable).with_name("kg")
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    environment.pop("FORCE_COLOR", None)
    done = subprocess.run(
        [str(kg), *shlex.split(command)[1:]], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stderr}")
    lines = [line.rstrip() for line in done.stdout.strip("\n").splitlines()]
    if most is not None and most < len(lines):
        lines = [*lines[:most], f"[{len(lines) - most} more lines]"]
    return "\n".join(["```text", f"$ {command}", *lines, "```", ""])


def filled(text: str) -> str:
    """The page with every transcript made anew."""
    return BLOCK.sub(
        lambda match: match[1] + transcript(match[2], int(match[3]) if match[3] else None) + match[4], text
    )


def main() -> int:
    before = README.read_text(encoding="utf-8")
    after = filled(before)
    if "--check" in sys.argv[1:]:
        if before == after:
            return 0
        sys.stdout.writelines(
            unified_diff(before.splitlines(True), after.splitlines(True), "README.md", "what the commands print")
        )
        print("\nREADME.md is stale; run: make readme", file=sys.stderr)
        return 1
    README.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
