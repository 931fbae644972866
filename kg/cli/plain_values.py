"""Values of options that are what they look like: Typer reads each through pydantic, whose import is a fifth of a short command."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final, get_args, get_origin

_MOST_DIGITS: Final = 15
"""What a float holds exactly, and far below what pydantic refuses to read."""


class _NotPlainError(Exception):
    """A value that Typer has to read, or to refuse in its own words."""


def read_plainly(command: Any) -> None:
    """Let a command and all below it read words, flags and figures without Typer's adapters, which read and refuse all else.

    Typer asks each parameter for its reader when a value comes in; a release that asks otherwise goes on as if nothing had been set.
    """
    for below in getattr(command, "commands", {}).values():
        read_plainly(below)
    # --help is no parameter of the command: Typer makes it when it lists them
    command.get_params = partial(_with_plain_readers, command.get_params)


def _with_plain_readers(listed: Callable[[Any], list[Any]], context: Any) -> list[Any]:
    parameters = listed(context)
    for parameter in parameters:
        described, typers_own = (getattr(parameter, name, None) for name in ("type_descriptor", "get_runtime_param"))
        if described is not None and typers_own is not None and "get_runtime_param" not in vars(parameter):
            parameter.get_runtime_param = partial(_PlainReader, described, typers_own)
    return parameters


@dataclass(frozen=True)
class _PlainReader:
    """Stands where Typer's reader of one parameter would."""

    described: Any
    typers_own: Any

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        annotation = self.described.annotation
        try:
            if not several:
                return self._plain(value, annotation)
            if get_origin(annotation) is not list or not isinstance(value, (list, tuple)):
                raise _NotPlainError
            return [self._plain(one, get_args(annotation)[0]) for one in value]
        except _NotPlainError:
            return self.typers_own().coerce(value, param=param, ctx=ctx)

    def _plain(self, value: Any, annotation: Any) -> Any:
        about = self.described.parameter_info
        if about.parser is not None:
            return _parsed(about.parser, value)
        if annotation in (int, float):
            return _within(_figure(value, annotation), about.min, about.max)
        if annotation in (str, bool) and type(value) is annotation:
            return value
        if isinstance(annotation, type) and issubclass(annotation, Enum) and about.case_sensitive:
            return _member(annotation, value)
        raise _NotPlainError


def _parsed(parser: Any, value: Any) -> Any:
    try:
        return parser(value)
    except ValueError as error:
        raise _NotPlainError from error


def _figure(value: Any, kind: Any) -> Any:
    if type(value) is kind:
        return value
    if type(value) is str and value.isascii() and len(value) <= _MOST_DIGITS:
        before, dot, after = value.partition(".")
        if before.isdigit() and (not dot or (kind is float and after.isdigit())):
            return kind(value)
    raise _NotPlainError


def _within(figure: Any, least: float | None, most: float | None) -> Any:
    if (least is None or figure >= least) and (most is None or figure <= most):
        return figure
    raise _NotPlainError


def _member(choices: Iterable[Any], value: Any) -> Any:
    for choice in choices:
        if value is choice or (type(value) is str and value == choice.value):
            return choice
    raise _NotPlainError
