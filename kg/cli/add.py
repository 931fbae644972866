"""`kg add`: one claim into the folder of one's own, by options or asked for field by field."""

import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.options import StoreOptions
from kg.errors import KgError, UsageError

if TYPE_CHECKING:
    from kg.build.adding import AddedClaim, ClaimAdder

OPTIONS = {
    "asserted_by": "--by",
    "locator": "--at",
    "conditions": "--condition",
    "said_on": "--said-on",
    "as_of": "--as-of",
}
"""The options that are called otherwise than their field."""


def _field(option: str, about: str, value: str | None = None) -> Any:
    return typer.Option(option, help=about, metavar=value)


@dataclass(frozen=True, slots=True)
class ClaimFields:
    """The fields of a claim as options; each is asked for on a terminal where it is not given."""

    subject: Annotated[str | None, _field("--subject", "what the figure is said of")] = None
    level: Annotated[str | None, _field("--level", "the level, where the thing is of several")] = None
    metric: Annotated[str | None, _field("--metric", "what is measured; kg explain METRIC tells")] = None
    printed: Annotated[str | None, _field("--printed", "the figure as printed, with its unit")] = None
    unit: Annotated[str | None, _field("--unit", "the unit, where the printed text has none")] = None
    hedge: Annotated[str | None, _field("--hedge", "the word that loosens it: about, up-to …")] = None
    baseline: Annotated[str | None, _field("--baseline", "what it is compared with")] = None
    conditions: Annotated[list[str] | None, _field("--condition", "a condition; may be repeated", "NAME=VALUE")] = None
    source: Annotated[str | None, _field("--source", "where it is printed", "ID")] = None
    title: Annotated[str | None, _field("--title", "the title of a source that is new")] = None
    asserted_by: Annotated[str | None, _field("--by", "who says it (default: who published the source)")] = None
    said_on: Annotated[str | None, _field("--said-on", "when it was said", "DATE")] = None
    as_of: Annotated[str | None, _field("--as-of", "the day that it is true of", "DATE")] = None
    page: Annotated[str | None, _field("--page", "the page in the source", "N")] = None
    line: Annotated[str | None, _field("--line", "the line or row there", "N")] = None
    locator: Annotated[str | None, _field("--at", "the place in the source, in words", "PLACE")] = None

    def given(self) -> dict[str, str]:
        """What was given, by field; several conditions as one text."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: ", ".join(value) if isinstance(value, list) else value
            for name, value in values.items()
            if value is not None
        }


def add(*, options: StoreOptions, claim: ClaimFields) -> None:
    """Add one claim to your own folder; on a terminal what no option gives is asked for, with completion.

    Everything is checked before it is written, and the audit says at once what it contradicts.

    Example: kg add --subject H200 --metric memory-bandwidth --printed "4.8 TB/s" --source my-bench --title "My bench" --at "table 3"
    """
    from kg.build.adding import add_claim, open_adder
    from kg.build.locate import content_in_use

    content, values = content_in_use(options.store, options.content), claim.given()
    if sys.stdin.isatty() and sys.stdout.isatty():
        values = _asked(open_adder(content), values)
    _require(values)
    added = add_claim(content, values)
    sys.stdout.write("".join(f"{line}\n" for line in _told(added)))


def _require(values: dict[str, str]) -> None:
    """Refuse a claim without the fields that every claim has, by the names of their options."""
    from kg.build.added_fields import FIELDS, missing_fields

    if missing := missing_fields(values):
        raise UsageError(
            field=", ".join(OPTIONS.get(name, f"--{name}") for name in missing),
            given="nothing",
            expected="; ".join(FIELDS[name] for name in missing),
            next_step="give them, or run kg add on a terminal, which asks",
        )


def _asked(adder: "ClaimAdder", values: dict[str, str]) -> dict[str, str]:
    """The fields that no option gives, each asked for until it can be read."""
    from prompt_toolkit import prompt

    from kg.build.added_fields import FIELDS, missing_fields
    from kg.cli.field_completion import FieldCompleter

    # with the required ones given it is a command of a script, run on a terminal
    if not missing_fields(values):
        return values
    for name, about in FIELDS.items():
        if name in values or _is_settled(adder, name, values):
            continue
        completer = FieldCompleter(adder.words(name))
        while True:
            text = prompt(f"{name.replace('_', ' ')} ({about}): ", completer=completer)
            try:
                values[name] = adder.read(name, text)
                if name == "locator":
                    _require(values)
                break
            except KgError as error:
                sys.stdout.write(error.words + "\n")
    return values


def _is_settled(adder: "ClaimAdder", name: str, values: dict[str, str]) -> bool:
    """Whether what is given already says it: a printed unit, the title of a known source."""
    if name == "level":
        return adder.level_of(adder.read("subject", values["subject"])) is not None
    if name == "unit":
        return adder.unit_of(values["printed"]) is not None
    return name == "title" and not adder.is_new_source(adder.read("source", values["source"]))


def _told(added: "AddedClaim") -> list[str]:
    """What was written, what the audit says, and what to type next."""
    from kg.render.lines import row, rows, wrapped

    quantity = added.record["quantity"]
    what = f"{quantity['printed']} {added.record['metric'].replace('-', ' ')} of {added.record['subject']}"
    lines = wrapped(f"added {added.id}: {what}")
    lines += row("in", str(added.path))
    new = added.difference.new
    lines += rows("audit", (f"{one.severity}, {one.message}" for one in new[:3]))
    lines += row("", f"and {len(new) - 3} more findings") if len(new) > 3 else []
    lines += [] if new else row("audit", "nothing new")
    lines += row("next", f"kg trace {added.id}")
    return [*lines, *row("", f"kg show {added.record['subject']}")]
