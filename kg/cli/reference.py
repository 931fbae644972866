"""Writes `help.txt`, what `kg --help` prints before anything is imported; a test fails when it is stale."""

from pathlib import Path

from kg.cli.app import COMMANDS

TEXT = Path(__file__).parent / "help.txt"


def reference() -> str:
    """The command reference."""
    width = max(len(name) for name in COMMANDS) + 2
    lines = [
        "kg: a knowledge graph of AI accelerators in which every number leads back to where it was printed",
        "",
        "Usage: kg COMMAND [ARGUMENTS] [OPTIONS]",
        "",
        "Commands:",
        *(f"  {name.ljust(width)}{about}" for name, (_, about) in COMMANDS.items()),
        "",
        "Options of most commands:",
        "  --format table|json|jsonl|csv|markdown   form of the rows on standard output",
        "  --store DIR      folder of the store (default: KG_STORE, else the user's data directory)",
        "  --content DIR    content folders to use instead of the shipped ones",
        "  --limit N        at most N rows; a result that was cut says so",
        "  --timeout S      give up after S seconds (exit code 3)",
        "  --quiet          nothing on standard error but errors",
        "",
        "Exit codes: 0 done, 1 findings or refused rows, 2 wrong usage or content, 3 store out of reach or out of time.",
        "What is looked for and not found (trace, compare, find, show, conflicts, ask) is 0, with names like it on standard",
        "error; what a command is to work on (cite, view, origins, impact, verify, report) must be there, else 2.",
        "",
        "Examples:",
        "  kg trace 72428",
        "  kg compare GB200 H200",
        "  kg ask",
        "",
        "kg COMMAND --help tells more of a command; kg explain CODE what an error or finding means.",
    ]
    return "\n".join(lines) + "\n"


def write_reference() -> bool:
    """Write the file if it differs; tells whether it did."""
    if TEXT.is_file() and TEXT.read_text(encoding="utf-8") == reference():
        return False
    TEXT.write_text(reference(), encoding="utf-8")
    return True


if __name__ == "__main__":
    write_reference()
