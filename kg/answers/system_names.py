"""Systems that a text names by their chip alone, "an 8-GPU GB300 server": results of them are kept of the chip."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kg.reading.known_names import NEW
from kg.reading.proposal import Candidate

_NO_NAME: Final = re.compile(
    r"(?:servers?|nodes?|systems?|racks?|pods?|clusters?|machines?|instances?|box|solution|platform|preview|available|based|"
    r"(?:\d+|two|four|eight|sixteen)x?|x|gpus?|accelerators?|chips?|.*['’]s)"
)
"""What is around the name of a chip in that of a system, and names nothing."""
_RACK: Final = "nvl"


def by_chip_of_system(offered: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a subject; in place of a system without a name of its own its chip, where that is one of them.

    >>> chip = Candidate("family/nvidia-gb300", "NVIDIA GB300 family", 0.03, "")
    >>> [one.value for one in by_chip_of_system([Candidate("new:8-GPU GB300 server", "", 0.9, ""), chip])]
    ['family/nvidia-gb300']
    >>> [one.value for one in by_chip_of_system([Candidate("new:GB300 Foo", "", 0.9, ""), chip])]
    ['new:GB300 Foo', 'family/nvidia-gb300']
    """
    if not offered or not offered[0].value.startswith(NEW):
        return list(offered)
    words = re.split(r"[\s-]+", offered[0].value.removeprefix(NEW).casefold())
    named = {word for word in words if not _NO_NAME.fullmatch(word)}
    # a rack that is offered before its chip: "72-GPU GB300 NVL72 rack"
    for names in (named, {word for word in named if not word.startswith(_RACK)}):
        for one in offered[1:] if names else ():
            if not one.value.startswith("model/") and names <= set(re.split(r"[/-]", one.value)):
                others = (other for other in offered[1:] if other is not one)
                return [replace(one, confidence=offered[0].confidence), *others]
    return list(offered)
