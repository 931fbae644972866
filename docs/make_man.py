"""Writes the manual pages kg(1) and kg-COMMAND(1) from the help of the commands: `python docs/make_man.py FOLDER`."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from kg.__about__ import __version__
from kg.cli.app import COMMANDS, make_app

EXIT: Final = (
    (
        "0",
        "Done. Reading ends with 0 whatever is read, and also where nothing is found.",
    ),
    ("1", "What was asked to fail did (--fail-on, --exit-code), or rows of a load were refused."),
    ("2", "Wrong usage, or wrong content."),
    ("3", "A store or file is out of reach, or a query did not end in time."),
)
ENVIRONMENT: Final = (
    ("KG_STORE", "Folder or address of the store, where --store is not given."),
    ("KG_DEBUG", "Set to see where a mistake of the program is."),
    ("NO_COLOR", "Set to have no colour on a terminal."),
    ("PAGER", "Shows what is longer than the screen."),
)


def roff(text: str) -> str:
    r"""A text as roff reads it: hyphens that are typed, and no line that is taken for a request.

    >>> roff("kg --limit 3\n.x 'y'")
    "kg \\-\\-limit 3\n\\&.x 'y'"
    """
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in plain)
    return re.sub(r"(?m)^(?=[.'])", r"\\&", plain)


def page(name: str, about: str, sections: list[tuple[str, list[str]]]) -> str:
    """One page of section 1."""
    lines = [
        f'.TH "{name.upper()}" "1" "" "accelkg {__version__}" "accelkg"',
        ".SH NAME",
        f"{roff(name)} \\- {roff(about)}",
    ]
    for head, body in sections:
        lines += [f'.SH "{head}"', *body]
    return "\n".join(lines) + "\n"


def main_page() -> str:
    """kg(1)."""
    commands = [line for name, (_, about) in COMMANDS.items() for line in item(f"kg-{name}(1)", about)]
    sections = [
        ("SYNOPSIS", [f".B kg\n{roff('COMMAND [ARGUMENTS] [OPTIONS]')}"]),
        (
            "DESCRIPTION",
            [roff("A knowledge graph of AI accelerators in which every number leads back to where it was printed.")],
        ),
        ("COMMANDS", commands),
        ("EXIT STATUS", [line for code, means in EXIT for line in item(code, means)]),
        ("ENVIRONMENT", [line for name, means in ENVIRONMENT for line in item(name, means)]),
    ]
    return page("kg", "where numbers about AI accelerators come from, and whether they hold", sections)


def item(term: str, text: str) -> list[str]:
    """A term with what it means."""
    return [".TP", f".B {roff(term)}", roff(text)]


def command_page(name: str) -> str:
    """The page of a command, from what `kg NAME --help` is made of."""
    group: Any = typer.main.get_command(make_app([name]))
    command = group.commands[name]
    context = typer.Context(command, info_name=f"kg {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    told: dict[str, list[str]] = {"argument": [], "option": []}
    for one in command.params:
        record = one.get_help_record(context)
        if record is not None:
            told[one.param_type_name] += item(_named(record[0]), " ".join(record[1].split()))
    example = re.sub(r"^Example:\s*|\x08", "", command.epilog or "").strip()
    sections = [
        ("SYNOPSIS", [f".B kg {roff(name)}\n{roff(usage)}"]),
        ("DESCRIPTION", list(_paragraphs(command.help or ""))),
        ("ARGUMENTS", told["argument"]),
        ("OPTIONS", told["option"]),
        ("EXAMPLE", [".nf", roff(example), ".fi"]),
        ("SEE ALSO", [".BR kg (1)"]),
    ]
    return page(f"kg-{name}", COMMANDS[name][1], [(head, body) for head, body in sections if body])


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        yield from [".PP"] if number else []
        yield roff(" ".join(paragraph.split()))


def _named(record: str) -> str:
    """The names of an option or argument; a choice as it is, any other type as VALUE.

    >>> _named("--phase <list[str]>"), _named("A B <list[str]>"), _named("--format <table|json>")
    ('--phase VALUE', 'A B', '--format <table|json>')
    """
    kind = " VALUE" if record.startswith("-") else ""
    return re.sub(r"\s*<[^|>]*>", kind, " ".join(record.split()))


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {"kg.1": main_page(), **{f"kg-{name}.1": command_page(name) for name in COMMANDS}}


def main() -> None:
    """Write all pages into the folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(pages())} pages in {folder}; man -l {folder / 'kg.1'} shows the first")


if __name__ == "__main__":
    main()
