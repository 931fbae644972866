"""`kg completion`: what the shell offers while a command is typed."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from kg.errors import KgError, UsageError

if TYPE_CHECKING:
    from kg.session import Graph

_NAMES = ("compare", "show", "find", "view", "audit", "conflicts")
_CLAIMS = ("trace", "show", "origins", "impact", "verify", "cite", "report", "view")
_METRICS = ("show", "conflicts", "find")
_MOST = 200
_SCRIPTS = {
    "bash": """_kg() {
  local IFS=$'\\n'
  COMPREPLY=($(kg completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  COMPREPLY=("${COMPREPLY[@]// /\\\\ }")
}
complete -o default -F _kg kg
""",
    "zsh": """#compdef kg
_kg() {
  local -a found
  found=("${(@f)$(kg completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
compdef _kg kg
""",
    "fish": """function __kg_words
  set -l typed (commandline -opc) (commandline -ct)
  kg completion words -- $typed[2..-1] 2>/dev/null
end
complete -c kg -f -a '(__kg_words)'
""",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("completion")(completion)


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="the shell to write a script for")],
    typed: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> None:
    """A script that completes commands, options, names, metrics, questions and claim ids; source it in the shell.

    Example: kg completion bash
    """
    if shell == "words":
        sys.stdout.write("".join(f"{word}\n" for word in completions(typed or [""])))
    elif shell in _SCRIPTS:
        sys.stdout.write(_SCRIPTS[shell])
    else:
        raise UsageError(given=shell, expected=", ".join(_SCRIPTS))


def completions(typed: list[str]) -> list[str]:
    """What can replace the last word, in order; nothing is built for it, so without a store only commands and options."""
    from kg.cli.app import COMMANDS

    *before, begun = typed
    if not before:
        return [name for name in COMMANDS if name.startswith(begun)]
    command = before[0]
    if begun.startswith("-"):
        return [name for name in _options(command) if name.startswith(begun)]
    if command == "explain":
        return _codes(begun)
    graph = _opened()
    if graph is None:
        return []
    with graph:
        found = [*_known(graph, command, begun, asked=len(before) == 1), *_claims(graph, command, begun)]
    return list(dict.fromkeys(found))[:_MOST]


def _options(command: str) -> list[str]:
    from kg.cli.app import COMMANDS, make_app

    if command not in COMMANDS:
        return []
    made = typer.main.get_command(make_app([command]))
    held = getattr(made, "commands", {command: made})[command]
    return sorted({name for one in held.params for name in one.opts if name.startswith("--")} | {"--help"})


def _codes(begun: str) -> list[str]:
    from kg.content.codes import read_codes
    from kg.content.folders import find_content
    from kg.content.glossary import read_glossary
    from kg.content.meanings import known_terms
    from kg.content.vocabulary import read_vocabulary

    content = find_content(None)
    known = (*sorted(read_codes(content)), *read_glossary(content), *known_terms(read_vocabulary(content)))
    return [name for name in dict.fromkeys(known) if name.startswith(begun)]


def _opened() -> "Graph | None":
    """The store as it is; None where there is none."""
    from kg.content.folders import find_content
    from kg.session import open_as_it_is
    from kg.sync.locate import store_folder

    try:
        return open_as_it_is(store_folder(None, content=None), find_content(None))
    except (KgError, OSError):
        return None


def _known(graph: "Graph", command: str, begun: str, *, asked: bool) -> list[str]:
    """Questions, metrics and names that begin so, names in the case in which they are typed."""
    found: list[str] = []
    if command == "ask" and asked:
        found += [name for name in graph.questions() if name.startswith(begun)]
    if command in _METRICS:
        metrics = (str(row["metric"]).removeprefix("metric/") for row in graph.ask("find/metrics", text="").dicts())
        found += sorted(name for name in metrics if name.startswith(begun))
    if command in _NAMES and begun:
        keys = {str(row["key"]) for row in graph.ask("names/keys").dicts()}
        found += sorted(begun + key[len(begun) :] for key in keys if key.startswith(begun.casefold()))
    return found


def _claims(graph: "Graph", command: str, begun: str) -> list[str]:
    """Claim ids that begin so, once the source is typed."""
    from kg.model.vocabulary import claim_iri

    if command not in _CLAIMS or "/" not in begun or not begun.isprintable() or set(begun) & set('"\\<>'):
        return []
    text = f'SELECT ?c {{ ?c a k:Claim FILTER(STRSTARTS(STR(?c), "{claim_iri(begun)}")) }}'
    answer = graph.query(text, limit=_MOST)
    return [] if isinstance(answer, bytes) else sorted(str(row[0]) for row in answer.rows)
