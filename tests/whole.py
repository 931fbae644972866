"""Results written out whole, next to files that were read line by line: what no assertion asks for is looked at too.

What is empty is left out, so that a file shows what is said. Rewrite the files with `--update-golden`, and read the difference.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

_EMPTY: tuple[Any, ...] = (None, "", (), [], {}, False, frozenset())


def plain(value: Any) -> Any:
    """A result as plain YAML, without what is empty; a fraction as the figure it is to ten digits."""
    if isinstance(value, Fraction | float):
        return float(f"{float(value):.10g}")
    if isinstance(value, str | int) or value is None:
        return value
    if is_dataclass(value):
        return plain({one.name: getattr(value, one.name) for one in fields(value) if not one.name.startswith("_")})
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        found = {str(name): plain(one) for name, one in value.items()}
        return {
            name: one
            for name, one in found.items()
            if one is True or one == 0 and one is not False or one not in _EMPTY
        }
    if isinstance(value, AbstractSet):
        return sorted(map(str, value))
    if isinstance(value, Sequence):
        return [plain(one) for one in value]
    return str(value)


def written(value: Any, *, in_lines: bool = False) -> str:
    """A result as a text to compare; `in_lines`: each part in a line of its own, where there are many beside each other."""
    flow = False if in_lines else None
    return str(yaml.safe_dump(plain(value), allow_unicode=True, default_flow_style=flow, sort_keys=False, width=150))


def assert_read(result: Any, path: Path, request: pytest.FixtureRequest, *, in_lines: bool = False) -> None:
    """The result is word for word what stands in a file."""
    text = written(result, in_lines=in_lines)
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def assert_each_read(path: Path, answer: Callable[[str], Any], request: pytest.FixtureRequest) -> None:
    """Each question of a file is answered word for word as it stands there; a new one is added with an empty answer."""
    # a question that has no answer is kept as well
    assert_read({one: plain(answer(one)) or "nothing" for one in kept_answers(path)}, path, request)


@cache
def kept_answers(path: Path) -> dict[str, Any]:
    """The answers of a file by their questions; read once, as each question is a test of its own."""
    given: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return given


def assert_one_read(question: str, answer: Any, path: Path, request: pytest.FixtureRequest) -> None:
    """One question of a file is answered word for word as it stands there."""
    kept = kept_answers(path)
    if request.config.getoption("--update-golden"):
        kept[question] = plain(answer)
        path.write_text(written(kept), encoding="utf-8")
    assert written(answer) == written(kept[question])
