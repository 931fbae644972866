"""The style of a drawing that stands alone, without variables: Inkscape, LibreOffice and most converters know none.

What uses a variable is written with its light value, and once more with its dark one for readers whose system is dark.
"""

import re
from collections.abc import Mapping
from typing import Final

VARIABLE: Final = re.compile(r"var\((--[\w-]+)\)")
# Meets a media rule with its blocks: one level of braces inside, as ours have.
MEDIA: Final = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_SETS: Final = re.compile(r"(--[\w-]+):([^;}]+)")
# Meets `:root{…}` with the light values, and not the `:root:not(…)` inside of a media rule.
_LIGHT: Final = re.compile(r":root\{([^}]*)\}")
_DARK: Final = re.compile(r"@media screen and \(prefers-color-scheme:dark\)\{:root[^{]*\{([^}]*)\}")
_USES: Final = re.compile(r"[^{}]+\{[^{}]*var\([^{}]*\}")


def without_variables(style: str) -> str:
    """The rules with light values, then those for dark systems; other media are left out.

    >>> dark = "@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){--a:navy}}"
    >>> without_variables(":root{--a:red}" + dark + "text{fill:var(--a)}p{margin:0}")
    ':root{color-scheme:light dark}text{fill:red}p{margin:0}@media screen and (prefers-color-scheme:dark){text{fill:navy}}'
    """
    light, dark = light_values(style), _values(_DARK, style)
    rules = _LIGHT.sub("", MEDIA.sub("", style))
    again = "".join(rule.strip() for rule in _USES.findall(rules))
    again = with_values(again, light | dark)
    # the scheme gives a dark system a dark ground
    return (
        f":root{{color-scheme:light dark}}{with_values(rules, light)}"
        f"@media screen and (prefers-color-scheme:dark){{{again}}}"
    )


def light_values(style: str) -> dict[str, str]:
    """The values of the variables where nobody asks for a dark page."""
    return _values(_LIGHT, MEDIA.sub("", style))


def with_values(text: str, values: Mapping[str, str]) -> str:
    """The text with values in place of variables."""
    return VARIABLE.sub(lambda found: values.get(found[1], "gray"), text)


def _values(where: re.Pattern[str], style: str) -> dict[str, str]:
    return dict(pair for block in where.findall(style) for pair in _SETS.findall(block))
