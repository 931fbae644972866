"""Findings to be read by a person: so many, drawn by severity and code, the same ones for the same seed.

`python -m benchmarks.findings_sample` builds a store of the shipped content in a temporary folder and writes a line of
JSON for each finding drawn. With `--judged FILE` it reads the judgements of an earlier reading (docs/findings-judged.csv)
and prints how many of each severity were right, misleading or wrong, and which of them no longer occur.
"""

import argparse
import csv
import json
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import kg

Json = Mapping[str, Any]
SHARES: Final = {"violation": 23, "warning": 55, "info": 22}
"""How many of each severity: what accuses is read most, and of violations every one."""
JUDGEMENTS: Final = ("right", "misleading", "wrong")


def drawn(findings: Sequence[Json], most: int, seed: int) -> list[Json]:
    """At most so many findings: of each code one, then at random among the rest; in the order of code and id.

    >>> some = [{"id": f"{code}{n}", "code": code} for code in "ab" for n in range(5)]
    >>> [len([one for one in drawn(some, 4, 7) if one["code"] == code]) >= 1 for code in "ab"], len(drawn(some, 4, 7))
    ([True, True], 4)
    """
    chance = random.Random(seed)
    by_code: dict[str, list[Json]] = defaultdict(list)
    for one in sorted(findings, key=lambda one: str(one["id"])):
        by_code[str(one["code"])].append(one)
    for some in by_code.values():
        chance.shuffle(some)
    # a code with one finding is as worth reading as one with a hundred: rare rules are the least tried
    first = [some.pop() for _, some in sorted(by_code.items())]
    chance.shuffle(first)
    rest = [one for _, some in sorted(by_code.items()) for one in some]
    chance.shuffle(rest)
    return sorted([*first, *rest][:most], key=lambda one: (str(one["code"]), str(one["id"])))


def sample(findings: Sequence[Json], seed: int) -> list[Json]:
    """The findings to read, what accuses most first."""
    return [
        one
        for severity, most in SHARES.items()
        for one in drawn([one for one in findings if one["severity"] == severity], most, seed)
    ]


def shipped_findings() -> list[Json]:
    """Every finding on the shipped content."""
    with tempfile.TemporaryDirectory() as folder:
        graph = kg.open(Path(folder))
        report = graph.audit(severities=("violation", "warning", "info"), most=None)
        return list(report.to_json()["findings"])


def counted(judged: Sequence[Mapping[str, str]], known: frozenset[str]) -> list[str]:
    """A table of the judgements by severity, and the findings that are gone since."""
    counts = Counter((row["severity"], row["judgement"]) for row in judged)
    lines = [
        "| Severity | Read | " + " | ".join(word.capitalize() for word in JUDGEMENTS) + " |",
        "|---|---|---|---|---|",
    ]
    for severity in SHARES:
        cells = [counts[(severity, word)] for word in JUDGEMENTS]
        lines.append(f"| {severity} | {sum(cells)} | " + " | ".join(map(str, cells)) + " |")
    gone = [row["finding"] for row in judged if row["finding"] not in known]
    return [*lines, "", f"{len(gone)} no longer occur", *(f"  {name}" for name in gone)]


def main() -> None:
    """Draw a sample, or count the judgements of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--judged", type=Path, help="judgements to count, as CSV")
    given = parser.parse_args()
    findings = shipped_findings()
    if given.judged is not None:
        with given.judged.open(encoding="utf-8", newline="") as lines:
            judged = list(csv.DictReader(lines))
        print("\n".join(counted(judged, frozenset(str(one["id"]) for one in findings))))
        return
    for one in sample(findings, given.seed):
        kept = {name: one[name] for name in ("id", "code", "severity", "claim", "message")}
        sys.stdout.write(json.dumps(kept, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
