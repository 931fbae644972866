"""Finds the module of a command, runs it, and turns every error into a message and an exit code."""

import os
import shlex
import sys
from importlib import import_module
from inspect import cleandoc

import typer

from kg.cli.options import spread
from kg.cli.plain_values import read_plainly
from kg.cli.shown import say
from kg.errors import KgError, StoreError, UsageError, out_of_reach
from kg.model.similar_names import similar_names

_Misused: type[Exception] = next(one for one in typer.BadParameter.__mro__ if one.__name__ == "ClickException")
"""What Typer raises for wrong options, whether it brings its own Click or uses the installed one."""

COMMANDS: dict[str, tuple[str, str]] = {
    "trace": ("kg.cli.trace", "Where a number comes from, and whether it can be used"),
    "compare": ("kg.cli.compare", "All claims that compare A with B"),
    "show": ("kg.cli.show", "The spec sheet of a thing or metric; all about a claim or source"),
    "find": ("kg.cli.find", "Things, metrics, claims and questions that fit some words"),
    "ask": ("kg.cli.ask", "Run a saved question, or list them"),
    "query": ("kg.cli.query", "Run any read-only query, in SPARQL or Cypher"),
    "schema": ("kg.cli.schema", "What a query can name: classes, properties, labels, relationships"),
    "explain": ("kg.cli.explain", "What a code, a word, a metric or a unit means"),
    "audit": ("kg.cli.audit", "Whether the numbers hold, the most damaging first"),
    "conflicts": ("kg.cli.conflicts", "Groups of claims that disagree, and what tells them apart"),
    "verify": ("kg.cli.verify", "Ratio claims against published results"),
    "check": ("kg.cli.check", "Every figure of a text: which are wrong, disputed, unknown"),
    "origins": ("kg.cli.origins", "How often a claim is said, and how many independent sources say it"),
    "impact": ("kg.cli.impact", "What falls, weakens or reverses if a claim is wrong"),
    "diff": ("kg.cli.diff", "What changed between two stores, files or editions"),
    "view": ("kg.cli.view", "A self-contained picture or chart"),
    "report": ("kg.cli.report", "An evidence report of a question or a claim"),
    "cite": ("kg.cli.cite", "How to cite a claim, a source or the graph"),
    "export": ("kg.cli.export", "Write the graph in a form that other tools open"),
    "serve": ("kg.cli.serve", "Look at the graph in a browser"),
    "mcp": ("kg.cli.mcp", "The answers for an assistant program"),
    "read": ("kg.cli.read", "What a report claims, as proposals to review"),
    "review": ("kg.cli.review", "Decide on the proposals of kg read, one key each"),
    "add": ("kg.cli.add", "Add one claim of your own, by options or asked field by field"),
    "load": ("kg.cli.load", "Load published files, claims or RDF"),
    "init": ("kg.cli.init", "Make a folder of your own over the shipped content"),
    "names": ("kg.cli.names", "Names that loads could not resolve; accept one"),
    "documents": ("kg.cli.documents", "List or attach the source texts"),
    "content": ("kg.cli.content", "Check or format the content folders"),
    "build": ("kg.cli.build", "Build the store again from the shipped content"),
    "status": ("kg.cli.status", "State of ledger and view"),
    "push": ("kg.cli.push", "Bring a server up to date with the local store"),
    "pull": ("kg.cli.pull", "Restore the ledger from a server"),
    "reset": ("kg.cli.reset", "Delete a store, after asking"),
    "completion": ("kg.cli.completion", "A script with which bash, zsh or fish complete names and ids"),
}


def make_app(names: list[str]) -> typer.Typer:
    """The Typer application with the commands of the given names."""
    app = typer.Typer(
        name="kg",
        context_settings={"help_option_names": ["-h", "--help"]},
        add_completion=False,
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="A knowledge graph of AI accelerators in which every number leads back to where it was printed.",
    )

    @app.callback()
    def _root() -> None:
        """A knowledge graph of AI accelerators in which every number leads back to where it was printed."""

    for name in names:
        module = import_module(COMMANDS[name][0])
        app.command(name, **getattr(module, "FOR_TYPER", {}))(spread(getattr(module, name)))
    for command in app.registered_commands:
        about, _, example = cleandoc(command.callback.__doc__ or "" if command.callback else "").partition(
            "\n\nExample: "
        )
        command.help, command.epilog = about, f"Example:\n\n\b\n  {example}"
    return app


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    try:
        try:
            return _run(arguments)
        finally:
            _stop_deadline()
    except KgError as error:
        _flush()
        say(str(error))
        return error.exit_code
    except _Misused as error:
        _flush()
        say(str(_usage(error, arguments)))
        return 2
    # Shells say 128 + 2 for a process that SIGINT ended.
    except (KeyboardInterrupt, typer.Abort):
        say("stopped")
        return 130
    # Whoever reads has enough, as `head` does: nothing went wrong.
    except BrokenPipeError:
        _discard_output()
        return 0
    except OSError as error:
        from kg.ledger.durable import is_full

        _flush()
        refused = out_of_reach(error, is_full=is_full(error))
        say(str(refused))
        return refused.exit_code
    except Exception as error:  # the one place: nothing but a message may reach a user
        if _is_want_of_memory(error):
            _flush()
            say(str(_no_memory()))
            return StoreError.exit_code
        if os.environ.get("KG_DEBUG"):
            raise
        say(_of_the_program(error))
        return 2


def _of_the_program(error: Exception) -> str:
    return (
        f"{type(error).__name__}: {error}\n  this is a mistake of the program; run again with KG_DEBUG=1 to see where, and report it\n"
        "  kg explain kg"
    )


def _stop_deadline() -> None:
    """End the clock of this command, if one was started."""
    options = sys.modules.get("kg.cli.options")
    if options is not None:
        options.stop_deadline()


def _flush() -> None:
    """Write what is left of the output; where nothing more can be written, what is left goes nowhere, or the end would fail too."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    if arguments[0] == "help" and len(arguments) > 1:
        arguments = [*arguments[1:], "--help"]
    name = next((one for one in arguments if not one.startswith("-")), None)
    if name is None:
        raise UsageError(given=" ".join(arguments), expected="a command", next_step="run kg --help for the list")
    if name not in COMMANDS:
        raise _unknown_command(name)
    try:
        # not `command.main`: it turns a closed pipe into exit code 1, which means findings
        command = typer.main.get_command(make_app([name]))
        read_plainly(command)
        with command.make_context("kg", list(arguments)) as context:
            result = command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as end:
        sys.stdout.flush()
        return end.exit_code
    return result if isinstance(result, int) else 0


def _unknown_command(name: str) -> UsageError:
    """The command that was probably meant: one of a like name, or what answers a question, a figure or a name."""
    near = similar_names(name, COMMANDS, most=1)
    if near:
        return UsageError("is not a command.", given=name, next_step=f"Did you mean kg {near[0]}?")
    if " " in name.strip() or any(one.isdigit() for one in name):
        # A name such as H200 begins with a letter, a figure with a digit or a currency.
        command = "ask" if " " in name.strip() else "trace" if name[0].isdigit() or name[0] in "$€" else "show"
        return UsageError(
            "is not a command.", given=name, next_step=f"Did you mean {shlex.join(['kg', command, name])}?"
        )
    looked_for = f"{shlex.join(['kg', 'find', name])} looks for the word" if name.isalpha() else None
    return UsageError("is not a command.", given=name, expected=", ".join(COMMANDS), next_step=looked_for)


def _usage(error: Exception, arguments: list[str]) -> UsageError:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else f"kg {arguments[0]}"
    message: str = error.format_message() if hasattr(error, "format_message") else str(error)
    return UsageError(message, given=" ".join(arguments), next_step=f"see {command} --help")


def _is_want_of_memory(error: Exception) -> bool:
    """Whether there was no room for an object, or for a library when it was to be mapped."""
    return isinstance(error, MemoryError) or (isinstance(error, ImportError) and "failed to map" in str(error))


def _no_memory() -> StoreError:
    return StoreError(
        code="store.limit",
        given="more memory than there is",
        expected="a command that fits in memory",
        next_step="ask for less, or allow more with ulimit -v",
    )
