"""Writes kg/model/recorded.py: the classes of kg/model/record.py as typed dictionaries, for those who read plain records.

`python docs/make_recorded.py [--check]`. A record is checked by its class once and is a plain mapping from then on
(docs/decisions/0002); with these types mypy knows the fields of the mapping, and a field is still declared once.
"""

import sys
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from kg.model import vocabulary
from kg.model.record import Claim, Entity, Source
from kg.model.record_parts import ConditionDetail, Conditions, Record

ROOT = Path(__file__).resolve().parents[1]
MODULE = ROOT / "kg" / "model" / "recorded.py"
WORDS: Final = {value: name for name, value in vars(vocabulary).items() if get_origin(value) is Literal}
LEDGER: Final = {"revision": "str", "supersedes": "str"}
"""What the ledger writes beside the fields of every record."""
THING: Final = "ThingRecord"
CONDITIONS: Final = "ConditionsRecord"
HEAD: Final = '''"""The recorded form of claims, entities and sources: what mypy knows of a record that was read and checked.

Made by docs/make_recorded.py from kg/model/record.py and record_parts.py, where the fields are explained; not edited by hand. No key is
required: a recorded form leaves out what is not known and what is the default.
"""

from typing import Literal, TypedDict

from kg.model import vocabulary as words

'''


def written(annotation: Any, made: dict[str, str]) -> str:
    """An annotation of a field as the type of its plain value; classes below it are added to `made`."""
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation == Conditions:
        if CONDITIONS not in made:
            # conditions are looked up by names that are computed: mypy would refuse a name that is any text
            detail = written(ConditionDetail, made)
            values = written(ConditionDetail.model_fields["value"].annotation, made)
            made["ConditionValue"] = f"ConditionValue = {values}\n"
            made[CONDITIONS] = f"{CONDITIONS} = dict[str, ConditionValue | {detail}]\n"
        return CONDITIONS
    if origin is Annotated:
        return written(args[0], made)
    if origin is Literal:
        return f"words.{WORDS[annotation]}" if annotation in WORDS else f"Literal[{', '.join(map(repr, args))}]"
    if origin in (Union, UnionType):
        # a recorded form leaves out what is None
        return " | ".join(dict.fromkeys(written(one, made) for one in args if one is not NoneType))
    if origin is list:
        return f"list[{written(args[0], made)}]"
    if origin is dict:
        return f"dict[str, {written(args[1], made)}]"
    if isinstance(annotation, type) and issubclass(annotation, Record):
        name = f"{annotation.__name__}Record"
        if name not in made:
            made[name] = text_of(name, (annotation,), made)
        return name
    return str(annotation.__name__)


def text_of(
    name: str, classes: tuple[type[Record], ...], made: dict[str, str], more: dict[str, str] | None = None
) -> str:
    """One typed dictionary with the fields of some classes."""
    kinds: dict[str, list[str]] = {}
    for cls in classes:
        for field, info in cls.model_fields.items():
            kind = written(info.annotation, made)
            if kind not in (held := kinds.setdefault(info.alias or field, [])):
                held.append(kind)
    fields = {field: " | ".join(held).replace("] | Literal[", ", ") for field, held in kinds.items()} | (more or {})
    about = " or ".join(cls.__name__ for cls in classes)
    if "from" in fields:  # a word of Python, which no class can have as a field
        items = ", ".join(f'"{field}": {kind}' for field, kind in fields.items())
        return f'{name} = TypedDict("{name}", {{{items}}}, total=False)\n"""{about}, as recorded."""\n'
    lines = "".join(f"    {field}: {kind}\n" for field, kind in fields.items())
    return f'class {name}(TypedDict, total=False):\n    """{about}, as recorded."""\n\n{lines}'


def module() -> str:
    """The text of the module before it is formatted."""
    made: dict[str, str] = {}
    claim = text_of("ClaimRecord", (Claim,), made, LEDGER)
    thing = text_of(THING, (Entity, Source), made, LEDGER)
    return "\n\n".join([HEAD, *made.values(), claim, thing])


def main() -> None:
    """Write the module, or say that it is not as the classes are."""
    from subprocess import run

    made = run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(MODULE), "-"],
        input=module(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    if "--check" not in sys.argv:
        MODULE.write_text(made, encoding="utf-8")
    elif MODULE.read_text(encoding="utf-8") != made:
        sys.exit("kg/model/recorded.py is not as kg/model/record.py: python docs/make_recorded.py")


if __name__ == "__main__":
    main()
