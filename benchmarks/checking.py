"""How well `kg check` catches what the graph calls wrong, and how often it raises an alarm elsewhere.

    python -m benchmarks.checking [--misses] [--reports DIR]

Every wrong claim with a figure is said again in new sentences, made here from its fields alone. A sentence is caught where
its figure is called wrong. False alarms are counted on reports that nobody wrote for this: figures called wrong or disputed
(an alarm that is right counts as one too, so the share is from above).
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kg.answers.checked_text import check_reading, covers_of
from kg.answers.claim import shown_figure
from kg.content.entities import read_registry
from kg.content.folders import shipped_content
from kg.reading.reading_session import ReadingSession
from kg.session import open_graph

Json = Mapping[str, Any]
ABSOLUTE: Final = (
    "{subject} reaches {figure} of {metric}{under}.",
    "For {subject} a {metric} of {figure} is given{under}.",
    "The {metric} of {subject} is {figure}{under}.",
    "With {figure}, {subject} leads in {metric}{under}.",
    "According to one table the {metric} of the {subject} comes to {figure}{under}.",
    "| Name | {metric} |\n|---|---|\n| {subject} | {figure} |",
)
RATIO: Final = (
    "{subject} has {figure} the {metric} of {baseline}{under}.",
    "Compared with {baseline}, {subject} shows {figure} {metric}{under}.",
    "In {metric}, {subject} is put at {figure} over {baseline}{under}.",
)
PER: Final = {"per-chip": "per accelerator", "per-watt": "per watt", "per-user": "per user", "per-run": "for the run"}


def sentences(
    claim: Json, labels: Mapping[str, str], metrics: Mapping[str, str], aliases: Sequence[str] = ()
) -> Iterator[str]:
    """New sentences that say what a claim says."""
    quantity = claim["quantity"]
    figure = shown_figure(quantity["printed"], quantity["unit"]) or ""
    if quantity["unit"] == "%" and "%" not in figure:
        figure = f"{figure} %"
    normaliser = claim.get("normaliser")
    per = PER.get(normaliser if isinstance(normaliser, str) else "", "")
    conditions = claim.get("conditions") or {}
    named = [labels.get(str(conditions.get(name)), "") for name in ("model", "scenario", "precision")]
    phase = conditions.get("phase")
    told = [one for one in (*named, phase if isinstance(phase, str) else "") if one]
    under = (f" {per}" if per else "") + (f" ({', '.join(told)})" if told else "")
    words = {"decrease": "lower", "increase": "higher", "times-less": "lower"}
    if claim.get("relation") in words:
        figure = f"{figure} {words[claim['relation']]}"
    values = {
        "subject": labels[claim["subject"]],
        "baseline": labels.get(claim.get("baseline", ""), "the one before"),
        "figure": figure,
        "metric": metrics[claim["metric"]].lower(),
        "under": under,
    }
    forms = RATIO if claim.get("baseline") and claim.get("relation", "absolute") != "absolute" else ABSOLUTE
    names = [values["subject"], *aliases]
    for at, form in enumerate(forms):
        yield form.format(**{**values, "subject": names[at % len(names)]})


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--misses", action="store_true", help="print the sentences that were not caught, and the alarms"
    )
    parser.add_argument("--reports", type=Path, help="folder of reports on which false alarms are counted")
    given = parser.parse_args()
    content = shipped_content()
    registry, session = read_registry(content), ReadingSession(str(content.root))
    covers, units = covers_of(registry.records), session.knowledge.vocabulary.units
    labels = {name: one["label"] for name, one in registry.records.items()}
    metrics = {name: one.label for name, one in session.knowledge.vocabulary.metrics.items()}
    with TemporaryDirectory() as folder:
        graph = open_graph(Path(folder) / "store", content=content.root)
        verdicts = {
            str(row["claim"]).removeprefix("claim/"): row["verdict"]
            for row in graph.query(
                "SELECT ?claim ?verdict WHERE { ?claim k:verdict ?verdict ; k:quantity ?quantity }"
            ).dicts()  # type: ignore[union-attr]
        }
        wrong = [
            one
            for one in graph.records()
            if one["record"] == "claim"
            and verdicts.get(one["id"]) == "wrong"
            and one["quantity"].get("value") is not None
        ]
        said, caught, hit = 0, 0, Counter[str]()
        for claim in wrong:
            for sentence in sentences(
                claim, labels, metrics, registry.records[claim["subject"]].get("aliases", ())[:2]
            ):
                said += 1
                reading = session.read(f"# Notes\n\n{sentence}\n".encode(), "markdown")
                checked = check_reading(graph.ask, units, covers, reading.report, reading.proposals, name="sentence")
                is_caught = any(one.verdict == "wrong" for one in checked.figures)
                caught += is_caught
                hit[claim["id"]] += is_caught
                if given.misses and not is_caught:
                    seen = [
                        (
                            one.figure.printed,
                            one.verdict,
                            one.figure.unit,
                            one.figure.relation,
                            [s.value for s in one.figure.subjects[:2]],
                            [m.value for m in one.figure.metrics[:2]],
                        )
                        for one in checked.figures
                    ]
                    print("missed:", claim["id"], "|", sentence, "|", seen)
        print(f"wrong claims with a figure: {len(wrong)}; said again in {said} sentences")
        print(
            f"caught: {caught} of {said} ({caught / said:.3f}); claims caught at least once: {sum(map(bool, hit.values()))}"
        )
        if given.reports is None:
            return
        total = alarms = 0
        for path in sorted(given.reports.glob("*.md")):
            if path.name == "README.md":
                continue
            reading = session.read(path)
            checked = check_reading(graph.ask, units, covers, reading.report, reading.proposals, name=path.name)
            bad = [one for one in checked.figures if one.verdict in ("wrong", "disputed")]
            total, alarms = total + len(checked.figures), alarms + len(bad)
            print(f"{path.name}: {len(checked.figures)} figures, {len(bad)} alarms, {dict(checked.counts())}")
            if given.misses:
                for one in bad:
                    print("  alarm:", one.figure.printed, one.verdict, one.reason, [k.claim for k in one.same][:2])
        print(f"alarms: {alarms} of {total} figures ({alarms / max(total, 1):.4f}; the goal is at most 0.02)")


if __name__ == "__main__":
    main()
