"""`kg completion`: what the shell offers while a command is typed."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import Format
from kg.errors import KgError, UsageError

if TYPE_CHECKING:
    from kg.session import Graph

_FINDS = frozenset({"thing", "metric"})
"""What `kg find` looks for; what the other commands are about, their grammar says."""
_NAMED_OPTIONS = {"--metric": "metric", "--model": "thing", "--thing": "thing"}
"""The options whose values are names of a kind."""
_OPTION_VALUES = {"--format": [one.value for one in Format], "--language": ["sparql", "cypher", "sql"]}
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
  found=("${(@f)$(kg completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found[1]" ]]; then compadd -- $found; else _files; fi
}
compdef _kg kg
""",
    "fish": """function __kg_words
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (kg completion words -- $typed[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c kg -f -a '(__kg_words)'
""",
}


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="the shell to write a script for")],
    typed: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> None:
    """A script that completes commands, options, names, metrics, questions and claim ids; source it in the shell.

    Example: kg completion bash
    """
    if shell == "words":
        words = [word.replace("\\ ", " ") for word in typed or [""]]  # bash hands them over as they are typed
        sys.stdout.write("".join(f"{word}\n" for word in completions(words)))
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
        return [name for name in _options(before) if name.startswith(begun)]
    if command == "explain":
        return _codes(begun)
    values = _closed_list(before)
    if values:
        return [value for value in values if value.startswith(begun)]
    graph = _opened()
    if graph is None:
        return []
    with graph:
        found = [*_known(graph, before, begun), *_claims(graph, command, begun)]
    return list(dict.fromkeys(found))[:_MOST]


def _options(before: list[str]) -> list[str]:
    """The options of a command, and of a saved question its parameters."""
    from kg.cli.app import COMMANDS, make_app

    command = before[0]
    if command not in COMMANDS:
        return []
    made = typer.main.get_command(make_app([command]))
    held = getattr(made, "commands", {command: made})[command]
    own = {name for one in held.params for name in one.opts if name.startswith("--")}
    graph = _opened() if command == "ask" and len(before) > 1 else None
    if graph is not None:
        with graph:
            question = graph.questions().get(before[1])
        own |= {f"--{one.name}" for one in question.parameters} if question is not None else set()
    return sorted(own | {"--help"})


def _closed_list(before: list[str]) -> list[str]:
    """What this place accepts where that is a short list: the values of an option, or a first argument."""
    command, last = before[0], before[-1]
    if last in _OPTION_VALUES:
        return _OPTION_VALUES[last]
    if len(before) > 1:
        return []
    if command == "completion":
        return list(_SCRIPTS)
    if command == "export":
        from kg.cli.export import FORMATS

        return FORMATS.split(", ")
    return _loadable() if command == "load" else []


def _loadable() -> list[str]:
    from kg.cli.load import GENERIC
    from kg.content.folders import find_content
    from kg.ingest.sources import loader_names

    return [*GENERIC, *loader_names(find_content(None))]


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


def _known(graph: "Graph", before: list[str], begun: str) -> list[str]:
    """Questions, metrics and names that begin so, names in the case in which they are typed."""
    from kg.cli.grammar import TAKES

    command, of_option = before[0], _NAMED_OPTIONS.get(before[-1])
    kinds = {of_option} if of_option else _FINDS if command == "find" else TAKES.get(command, frozenset())
    found = [name for name in graph.questions() if name.startswith(begun)] if before == ["ask"] else []
    if "metric" in kinds:
        metrics = (str(row["metric"]).removeprefix("metric/") for row in graph.ask("find/metrics", text="").dicts())
        found += sorted(name for name in metrics if name.startswith(begun))
    if "thing" in kinds and begun:
        keys = {str(row["key"]) for row in graph.ask("names/keys").dicts()}
        found += sorted(begun + key[len(begun) :] for key in keys if key.startswith(begun.casefold()))
    return found


def _claims(graph: "Graph", command: str, begun: str) -> list[str]:
    """Claim ids that begin so, once the source is typed."""
    from kg.cli.grammar import TAKES
    from kg.model.vocabulary import claim_iri

    if (
        "claim" not in TAKES.get(command, ())
        or "/" not in begun
        or not begun.isprintable()
        or set(begun) & set('"\\<>')
    ):
        return []
    text = f'SELECT ?c {{ ?c a k:Claim FILTER(STRSTARTS(STR(?c), "{claim_iri(begun)}")) }}'
    answer = graph.query(text, limit=_MOST)
    return [] if isinstance(answer, bytes) else sorted(str(row[0]) for row in answer.rows)
