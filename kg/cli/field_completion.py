"""Completion of one field at a prompt: of the whole name, since names have several words."""

from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from kg.model.names import name_key

_MOST = 60


class FieldCompleter(Completer):
    """Offers every word that holds all that was typed since the last comma, those that begin so first."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = [(name_key(word), word) for word in words]

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        """The words that fit, in their order."""
        typed = document.text_before_cursor.rpartition(",")[2].lstrip()
        begun = name_key(typed)
        fitting = [(key, word) for key, word in self._words if all(part in key for part in begun.split())]
        # What begins so goes first; the sort is stable, so both halves keep the order of the words.
        fitting.sort(key=lambda one: not one[0].startswith(begun))
        yield from (Completion(word, start_position=-len(typed)) for _, word in fitting[:_MOST])
