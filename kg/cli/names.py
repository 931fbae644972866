"""`kg names`: names that loads could not resolve, and names accepted into the registry."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import Format, FormatOption, LimitOption, StoreOptions, ask_login
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.build.unresolved_names import Unresolved

_MOST_FILES = 2


@dataclass(frozen=True, slots=True)
class NamesOptions(StoreOptions):
    """Which names are listed, and what is made of one that is accepted."""

    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            help="what the column names (accelerator, model, …); with --new the kind of the thing, where its id does not tell",
        ),
    ] = None
    new: Annotated[str | None, typer.Option("--new", metavar="ID", help="accept: make a thing with this id")] = None
    label: Annotated[str | None, typer.Option("--label", help="accept --new: its preferred name")] = None
    maker: Annotated[str | None, typer.Option("--maker", metavar="ID", help="accept --new: who makes it")] = None
    member_of: Annotated[str | None, typer.Option("--member-of", metavar="ID", help="accept --new: its family")] = None
    of: Annotated[
        str | None, typer.Option("--of", metavar="ID", help="accept --new: what it is a configuration of")
    ] = None
    level: Annotated[
        str | None, typer.Option("--level", help="accept --new: accelerator, superchip, node, rack, pod or cluster")
    ] = None
    virtualised: Annotated[
        bool, typer.Option("--virtualised", help="accept --new: it is given to virtual machines")
    ] = False
    undo: Annotated[bool, typer.Option("--undo", help="accept: take back what was accepted under this name")] = False
    form: FormatOption = Format.table
    limit: LimitOption = None


def names(
    action: Annotated[str, typer.Argument(help="unresolved or accept")] = "unresolved",
    name: Annotated[str | None, typer.Argument(help="accept: the name as printed")] = None,
    identifier: Annotated[str | None, typer.Argument(metavar="ID", help="accept: the thing it names")] = None,
    *,
    options: NamesOptions,
) -> None:
    """Names that loads could not resolve, with proposals; or accept one into the registry.

    Example: kg names unresolved --kind accelerator
    """
    from kg.build.locate import content_in_use

    used = str(content_in_use(options.store, options.content).place)
    if action == "unresolved":
        if name is not None:
            raise UsageError(given=name, expected="kg names unresolved takes options only")
        _unresolved(used, options)
    elif action == "accept":
        if name is None:
            raise UsageError(given="no name", expected="kg names accept NAME ID, or kg names accept NAME --new ID")
        if options.undo:
            _take_back(name, used, options)
        else:
            _accept(name, identifier, used, options)
    else:
        raise UsageError(given=action, expected="unresolved or accept")


def _accept(name: str, identifier: str | None, content: str, options: NamesOptions) -> None:
    """Accept a name, and read the rows again that were refused for it."""
    from kg.build.naming import accept_name

    found = accept_name(
        name,
        identifier,
        content=content,
        kind=options.kind,
        new=options.new,
        label=options.label,
        maker=options.maker,
        member_of=options.member_of,
        of=options.of,
        level=options.level,
        virtualised=options.virtualised,
    )
    if found.path is None:
        options.tell(f'"{found.name}" is a name of {found.id} already; nothing written')
    else:
        options.tell(f'"{found.name}" is now a name of {found.id} ({found.path})')
    _resolve_rows(found.name, content, options)


def _take_back(name: str, content: str, options: StoreOptions) -> None:
    """Take a name back, and what rows gave that were read again when it was accepted."""
    from kg.build.naming import take_back_name
    from kg.model.counting import counted

    back = take_back_name(name, content=content)
    where = "" if back.path is None else f" ({back.path})"
    options.tell(f'"{back.name}" is no name of {back.id} any more{where}')
    if back.segments:
        from kg.build.writing import refuse_again

        gone = refuse_again(back, store=options.store, content=options.content, tell=options.tell)
        options.tell(f"{counted(gone, 'record')} taken out of the store; the rows stand refused again")


def _resolve_rows(name: str, content: str, options: StoreOptions) -> None:
    """Read the rows again that stand refused for a name, and say what became of them."""
    from kg.build.accepting import has_kept_rows
    from kg.build.naming import rows_waiting
    from kg.model.counting import counted
    from kg.sync.locate import ledger_folder

    tell = options.tell
    ledger = ledger_folder(options.store, content=options.content, ask_login=ask_login)
    waiting = rows_waiting(ledger, content=content, name=name)
    if not waiting:
        tell("no row of the store stands refused for it")
    elif has_kept_rows(ledger, name):
        from kg.build.writing import resolve_refused

        for one in resolve_refused(name, store=options.store, content=options.content, tell=tell).reports:
            tell(
                f"{one.path}: {counted(one.read - one.rejected, 'row')} read again, {counted(one.claims, 'new claim')}"
            )
            if one.rejected:
                tell(f"{one.path}: {counted(one.rejected, 'row')} refused still: another name, or a key that is taken")
    else:
        for two in waiting:
            tell(f"{counted(two.rows, 'row')} of {two.file} refused for it, load it again: {two.command}")
        tell("kg build looks again at what is loaded under this name; kg status lists what moved")


def _name_row(one: "Unresolved") -> tuple[object, ...]:
    """A name that no load could resolve, with the nearest things of the registry."""
    more = len(one.files) - _MOST_FILES
    files = [*one.files[:_MOST_FILES], *([f"and {more} more"] if more > 0 else [])]
    given = (one.name, one.kind, one.count, one.why, files)
    if not one.proposals:
        return (*given, None, None, "nothing like it in the registry", [])
    first, *others = one.proposals
    return (*given, first.id, first.similarity, first.reason, [other.id for other in others])


def _unresolved(content: str, options: NamesOptions) -> None:
    """List the names that rows stand refused for, but for those that resolve by now."""
    from kg.build.unresolved_names import unresolved_names
    from kg.cli.render import write_json, write_rows
    from kg.sync.locate import ledger_folder

    ledger = ledger_folder(options.store, content=options.content, ask_login=ask_login)
    everything = unresolved_names(ledger, content=content, kind=options.kind)
    form, tell, known = options.form, options.tell, sum(one.now is not None for one in everything)
    found = [one for one in everything if one.now is None]
    shown = found[: options.limit]
    if form is Format.json:
        write_json([one.to_json() for one in shown])
    elif form is Format.jsonl:
        from json import dumps

        for one in shown:
            print(dumps(one.to_json(), ensure_ascii=False, sort_keys=True))
    else:
        columns = ("name", "kind", "rows", "why", "files", "proposal", "alike", "reason", "or")
        write_rows(columns, map(_name_row, shown), form)
    if len(shown) < len(found):
        tell(f"{len(shown)} of {len(found)} names shown")
    if known:
        tell(f"{known} more names resolve by now: load their files again")
    if not everything:
        tell("no row stands refused for its name")
