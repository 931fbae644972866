"""What a field accepts, in words: what the check of a declared type finds wrong, without the words of Python for it."""

from collections.abc import Mapping
from typing import Final

_ACCEPTED: Final = {
    "missing": "this key is needed",
    "string_type": "text",
    "string_sub_type": "text",
    "string_unicode": "text in UTF-8",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of fewer digits",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dataclass_type": "a mapping",
    "none_required": "nothing",
    "json_invalid": "JSON that is whole",
}


def accepted(error: Mapping[str, object]) -> str:
    """What one mistake that pydantic tells asks for.

    >>> accepted({"type": "model_type", "msg": "Input should be a valid dictionary or instance of Detect"})
    'a mapping'
    >>> accepted({"type": "literal_error", "msg": "Input should be 'csv' or 'json'"})
    "'csv' or 'json'"
    """
    # The words of pydantic where they are plain already: `'csv' or 'json'`, "less than or equal to
    # 5".
    kind, message = str(error["type"]), str(error["msg"])
    return _ACCEPTED.get(kind) or message.removeprefix("Value error, ").removeprefix("Input should be ")
