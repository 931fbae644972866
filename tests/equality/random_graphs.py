"""Small claim graphs made by chance: cycles, dangling links, missing values, one value printed in several ways, unicode, ties.

Each graph has ids of its own, so that many of them are one world. The same number makes the same graph.
"""

import random
from typing import Any

from kg.ledger.ledger import with_revision
from kg.model.record import Claim, Entity, Source, recorded_form
from kg.model.vocabulary import ALWAYS_NEGATED, DENIALS
from tests.equality.worlds import World

Json = Any

TEXTS = (
    "faster",
    "naïve Überblick",
    "速い 😀",
    'a "quoted" word',
    "it's",
    "two\nlines",
    "tab\there",
    "back\\slash",
    "Ⅷ ½ ﬁ",
    "ß İ ı K",
    "e\u0301 against é",
    "a\u2028b",
    "// no comment",
    "$name {x: 1}",
    "  spaces  ",
    "null",
    "NULL",
    "-1",
    "0",
    "{}",
    "[a, b]",
    "%20 & <b>",
)
FIGURES: tuple[tuple[str, str, tuple[Json, ...]], ...] = (
    (
        "memory-bandwidth",
        "specification",
        (
            {"printed": "4.8 TB/s", "value": 4.8, "unit": "TB/s"},
            {"printed": "4,800 GB/s", "value": 4800, "unit": "GB/s"},
            {"printed": "4.80 TB/s", "value": 4.8, "unit": "TB/s"},
            {"printed": "5.3", "value": 5.3, "unit": "TB/s"},
        ),
    ),
    (
        "power",
        "specification",
        (
            {"printed": "700 W", "value": 700, "unit": "W"},
            {"printed": "0.7 kW", "value": 0.7, "unit": "kW", "hedge": "about"},
            {"printed": "1e3 W", "value": 1000, "unit": "W"},
            {"absent": True},
        ),
    ),
    (
        "throughput",
        "measurement",
        (
            {"printed": "72,428", "value": 72428, "unit": "token/s"},
            {"printed": "72428.0", "value": 72428.0, "unit": "token/s"},
            {"printed": "0", "value": 0, "unit": "token/s"},
            {"printed": "1 to 2", "value": [1, 2], "shape": "span", "unit": "token/s"},
        ),
    ),
    (
        "memory-type",
        "specification",
        ({"printed": "HBM3e", "term": "technology/{g}-memory"}, {"printed": "A, B", "set": ["A", "B"]}),
    ),
    (
        "training-time",
        "measurement",
        ({"printed": "3 months", "value": 3, "unit": "month"}, {"printed": "in May", "date": "2025-05"}),
    ),
    (
        "rental-price",
        "price",
        (
            {"printed": "$2.5", "value": 2.5, "unit": "USD/h"},
            {"printed": "$ 1,800/month", "value": 1800, "unit": "USD/month"},
        ),
    ),
)
RATIOS = (
    ("ratio", {"printed": "2.5x", "value": 2.5, "unit": "1"}),
    ("increase", {"printed": "150 %", "value": 150, "unit": "%"}),
    ("times-less", {"printed": "5x", "value": 5, "unit": "1"}),
    ("share-of", {"printed": "26%", "value": 26, "unit": "%"}),
    ("decrease", {"printed": "34%", "value": 34, "unit": "%", "hedge": "up-to"}),
    ("ratio", {"printed": "2 to 3x", "value": [2, 3], "shape": "span", "unit": "1"}),
)
NORMALISERS = ("unstated", "per-chip", "total", "per-watt", ["per-chip", "per-dollar"])


def random_world(numbers: range) -> World:
    """The union of some graphs."""
    records = [one for number in numbers for one in random_graph(number)]
    return World(f"random graphs {numbers.start} to {numbers.stop - 1}", [with_revision(one) for one in records])


def random_graph(number: int) -> list[Json]:
    """Claims, entities and sources of one graph, in recorded form."""
    return _Maker(number).records()


_POLARITIES = {**dict.fromkeys(DENIALS, ("affirmed", "negated")), **dict.fromkeys(ALWAYS_NEGATED, ("negated",))}


class _Maker:
    """Makes one graph."""

    def __init__(self, number: int) -> None:
        self.name = f"g{number}"
        self.rng = random.Random(number)
        self.claims: list[Json] = []

    def records(self) -> list[Json]:
        things = [recorded_form(Entity.model_validate(one)) for one in self.entities()]
        texts = [recorded_form(Source.model_validate(one)) for one in self.sources()]
        for position in range(self.rng.randint(6, 16)):
            self.claims.append(self.claim(position))
        if self.maybe(0.4):
            self.ring()
        self.tie()
        if self.maybe(0.6):
            self.claims += self.results()
        return [*(recorded_form(Claim.model_validate(one)) for one in self.claims), *things, *texts]

    def thing(self, kind: str) -> str:
        return f"{kind}/{self.name}-{self.rng.choice(THINGS[kind])}"

    def any_thing(self) -> str:
        return self.thing(self.rng.choice(("accelerator", "system", "family", "model")))

    def maybe(self, chance: float = 0.5) -> bool:
        return self.rng.random() < chance

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def entities(self) -> list[Json]:
        g = self.name
        found: list[Json] = []
        for kind, names in THINGS.items():
            for name in names:
                one: Json = {
                    "id": f"{kind}/{g}-{name}",
                    "kind": KINDS[kind],
                    "label": f"{g} {name} {self.text()}".strip(),
                }
                if kind == "org" and self.maybe(0.2):
                    one["kind"] = "software-agent"
                if kind in ("accelerator", "system", "config", "family"):
                    if self.maybe():
                        one["maker"] = self.thing("org")
                    if self.maybe():
                        one["aliases"] = [f"{g}-{name}", f"{g} {self.text()}"]
                if kind == "accelerator":  # names that two neighbours have: they overlap, and neither holds the other
                    place = names.index(name)
                    one["aliases"] = [*one.get("aliases", ()), f"{g} pair {place}", f"{g} pair {place + 1}"]
                if kind == "accelerator" and name != names[0] and self.maybe():
                    one["variant_of"] = f"{kind}/{g}-{names[0]}"
                if kind in ("accelerator", "system"):
                    one["member_of"] = self.thing("family")
                    one["level"] = "accelerator" if kind == "accelerator" else "rack"
                if kind == "system":
                    one["parts"] = [{"part": self.thing("accelerator"), "count": self.rng.randint(1, 72)}]
                if kind == "config":
                    one |= {"of": self.thing("accelerator"), "count": 8, "virtualised": self.maybe()}
                if kind == "task":
                    one |= {"suite": f"benchmark/{g}-bench", "model": self.thing("model")}
                if kind == "model" and name == "mixed":
                    one["kind"] = "moe-model"
                if self.maybe(0.2):
                    one["note"] = self.text()
                found.append(one)
        return found

    def sources(self) -> list[Json]:
        g = self.name
        found: list[Json] = []
        for letter in "ab":
            one: Json = {"id": f"source/{g}{letter}", "kind": "source", "label": f"{g} {self.text()}", "form": "report"}
            one |= {
                "document": f"{g}{letter}.txt",
                "sha256": self.digest(letter),
                "machine_written": self.rng.choice(["no", "yes", "partly"]),
            }
            one |= {"publisher": self.thing("org"), "cites": [f"unresolved/{g}-post"]} if self.maybe() else {}
            found.append(one)
        found.append({"id": f"unresolved/{g}-post", "kind": "unresolved-source", "label": f"{g} post"})
        if self.maybe(0.3):
            found[-1]["resolved_to"] = f"source/{g}a"
        return found

    def digest(self, letter: str) -> str:
        return f"{self.name}{letter}".encode().hex().rjust(64, "0")

    def claim(self, position: int) -> Json:
        letter = self.rng.choice("ab")
        source = f"source/{self.name}{letter}"
        one: Json = {"id": f"{self.name}{letter}/c{position}", "source": source, "asserted_by": self.thing("org")}
        one |= self.rng.choice((self.figure, self.figure, self.comparison, self.words))()
        one["anchor"] = self.anchor(letter, position)
        for name, value in (
            ("said_on", "2025-03"),
            ("as_of", "2024"),
            ("statistic", "mean"),
            ("note", self.text()),
            ("subject_printed", self.text()),
            ("modality", self.rng.choice(["stated", "expected", "opinion"])),
            ("attributed_to", self.thing("org")),
            ("path", [source, f"unresolved/{self.name}-post"]),
            ("cue", self.text()),
            ("utterance", "u1"),
        ):
            if self.maybe(0.3):
                one[name] = value
        if self.maybe(0.6):
            one["conditions"] = self.conditions()
        self.upstream(one)
        return one

    def figure(self) -> Json:
        metric, kind, quantities = self.rng.choice(FIGURES)
        quantity = dict(self.rng.choice(quantities))
        if "term" in quantity:
            quantity["term"] = quantity["term"].format(g=self.name)
        subject = self.any_thing()
        return {
            "kind": kind,
            "subject": subject,
            "level": LEVELS[subject.partition("/")[0]],
            "metric": metric,
            "quantity": quantity,
            "normaliser": self.rng.choice(NORMALISERS),
        }

    def comparison(self) -> Json:
        relation, quantity = self.rng.choice(RATIOS)
        subject, baseline = self.any_thing(), self.any_thing()
        one: Json = {
            "kind": "comparison",
            "subject": subject,
            "level": LEVELS[subject.partition("/")[0]],
            "relation": relation,
            "quantity": dict(quantity),
            "metric": self.rng.choice(["training-speed", "throughput", "performance-per-watt", "rental-price"]),
            "normaliser": self.rng.choice(NORMALISERS),
        }
        if baseline == subject:
            return one | {"baseline_status": "unstated"}
        one |= {"baseline": baseline, "baseline_status": self.rng.choice(["named", "implied"])}
        if self.maybe(0.3):
            one |= {"reading": "as-increase", "alternatives": ["as-ratio", "as-share"]}
        if self.maybe(0.3):
            one["baseline_conditions"] = self.conditions()
        if self.maybe(0.2):
            one["subjects"] = sorted({subject, self.thing("accelerator"), self.thing("system")} | {subject})
            if len(one["subjects"]) < 2:
                del one["subjects"]
        return one

    def words(self) -> Json:
        subject = self.any_thing()
        direction = self.rng.choice(["higher", "lower", "not-higher", "present", "absent"])
        return {
            "kind": "qualitative",
            "subject": subject,
            "level": LEVELS[subject.partition("/")[0]],
            "metric": "performance",
            "statement": self.text(),
            "direction": direction,
            "polarity": self.rng.choice(_POLARITIES.get(direction, ("affirmed",))),
        }

    def anchor(self, letter: str, position: int) -> Json:
        if self.maybe(0.2):
            return {"locator": self.text()}
        place: Json = {"document": f"{self.name}{letter}.txt", "sha256": self.digest(letter)}
        if self.maybe(0.3):
            return place | {"row": self.rng.choice([position, self.text()]), "column": self.text()}
        return place | {"start": position * 10, "end": position * 10 + 4}

    def conditions(self) -> Json:
        g = self.name
        found: Json = {}
        for name, value in (
            ("model", self.thing("model")),
            ("benchmark", f"benchmark/{g}-bench"),
            ("task", self.thing("task")),
            ("scenario", f"scenario/{g}-offline"),
            ("round", f"round/{g}-bench-v1"),
            ("accelerators", self.rng.choice([8, 72, 8.0])),
            ("accelerators_mean", self.rng.choice([8.5, "about 60", "72.0"])),
            ("precision", self.rng.choice(["FP8", "fp8 ½"])),
            ("division", "closed"),
            ("phase", ["training", "inference"]),
            ("sparsity", {"status": "unstated"}),
            ("availability", {"value": "available", "status": "assumed"}),
            ("workload", self.text()),
        ):
            if self.maybe(0.45):
                found[name] = value
        return found

    def results(self) -> list[Json]:
        """Published results of one task, the power measured with some, and prices: what measured rows are computed from."""
        found: list[Json] = []
        for number in range(self.rng.randint(3, 7)):
            letter = self.rng.choice("ab")
            run = {
                "entry": f"entry {self.text()} {number % 3}",
                "task": self.thing("task"),
                "scenario": f"scenario/{self.name}-offline",
                "round": self.thing("round"),
            }
            more = {
                "model": self.thing("model"),
                "accelerators": self.rng.choice([1, 8, 72]),
                "benchmark": f"benchmark/{self.name}-bench",
                "category": self.rng.choice(["datacenter", "edge", ["edge", "datacenter"]]),
                "precision": "FP8",
                "tested_on": self.text(),
                "availability": self.rng.choice(["available", "preview"]),
                "division": "closed",
                "boundary": self.text(),
            }
            rate = self.rng.choice((1000, 1000.0, 1250.5, 31415))
            found.append(
                self.result(
                    letter, f"m{number}", "throughput", {"printed": f"{rate}", "value": rate, "unit": "token/s"}
                )
            )
            found[-1]["conditions"] = run | {
                name: one for name, one in more.items() if name == "accelerators" or self.maybe(0.8)
            }
            if self.maybe(0.4):
                found[-1]["conditions"]["includes"] = "power"
                watts = self.rng.choice((700, 5600))
                found.append(
                    self.result(letter, f"w{number}", "power", {"printed": f"{watts} W", "value": watts, "unit": "W"})
                )
                found[-1]["conditions"] = run
            if self.maybe(0.3):
                price = self.rng.choice((2, 2.5, 1800))
                unit = "USD/month" if price > 100 else "USD/h"
                found.append(
                    self.result(
                        letter, f"p{number}", "rental-price", {"printed": f"${price}", "value": price, "unit": unit}
                    )
                )
                found[-1]["kind"] = "price"
        return found

    def result(self, letter: str, name: str, metric: str, quantity: Json) -> Json:
        return {
            "id": f"{self.name}{letter}/{name}",
            "source": f"source/{self.name}{letter}",
            "asserted_by": self.thing("org"),
            "kind": "measurement",
            "subject": self.thing("accelerator"),
            "level": "accelerator",
            "metric": metric,
            "quantity": quantity,
            "normaliser": "per-chip",
            "anchor": self.anchor(letter, 200 + len(name)),
        }

    def upstream(self, one: Json) -> None:
        """What a claim repeats or is computed from: earlier claims, a later one (so that cycles arise), nobody's claim, a source."""
        others = [other["id"] for other in self.claims]
        if self.maybe(0.3):
            target = self.rng.choice([*others, f"{self.name}a/c{self.rng.randint(0, 16)}", f"{self.name}z/nobody"])
            if target != one["id"]:
                one["restates"] = [
                    {"claim": target, "fidelity": self.rng.choice(["identical", "rounded", "condition-dropped"])}
                ]
                if self.maybe(0.3):
                    one["restates"].append({"source": f"unresolved/{self.name}-post"})
        elif self.maybe(0.15):
            one["restates"] = [{"source": self.rng.choice([f"unresolved/{self.name}-post", f"source/{self.name}b"])}]
        if others and self.maybe(0.15):
            one["same_as"] = self.rng.choice(others)
        if others and "quantity" in one and self.maybe(0.3):
            one["derivations"] = [
                {
                    "expression": "first * many",
                    "note": self.text(),
                    "inputs": {
                        "first": {"claim": self.rng.choice(others)},
                        "many": {"constant": 8, "unit": "count:gpu", "why": self.text()},
                    },
                }
            ]
            if self.maybe(0.3):
                one["derivations"].append(
                    {
                        "stated_by_text": False,
                        "variant": "other",
                        "expression": "rests-on",
                        "inputs": {"x": {"claim": self.rng.choice(others), "role": "contradicting"}},
                    }
                )

    def ring(self) -> None:
        """Two or three claims that repeat one another in a circle."""
        members = self.rng.sample(self.claims, self.rng.choice([2, 3]))
        for one, other in zip(members, members[1:] + members[:1], strict=True):
            one["restates"] = [{"claim": other["id"], "fidelity": "identical"}]

    def tie(self) -> None:
        """One more claim that says exactly what another says, in the other text."""
        again = dict(self.rng.choice(self.claims))
        letter = "b" if again["source"].endswith("a") else "a"
        again |= {
            "id": f"{self.name}{letter}/tie",
            "source": f"source/{self.name}{letter}",
            "anchor": self.anchor(letter, 99),
        }
        for name in ("restates", "derivations", "same_as"):
            again.pop(name, None)
        self.claims.append(again)


THINGS = {
    "org": ("maker", "lab"),
    "family": ("old", "new"),
    "accelerator": ("x1", "x2"),
    "system": ("rack",),
    "config": ("x1-8",),
    "model": ("solid", "mixed"),
    "benchmark": ("bench",),
    "task": ("chat", "think"),
    "scenario": ("offline",),
    "round": ("bench-v1", "bench-v2"),
    "technology": ("memory",),
}
KINDS = {
    "org": "vendor",
    "family": "chip-family",
    "accelerator": "accelerator",
    "system": "rack",
    "config": "configuration",
    "model": "dense-model",
    "benchmark": "benchmark-suite",
    "task": "benchmark-task",
    "scenario": "scenario",
    "round": "benchmark-round",
    "technology": "technology",
}
LEVELS = {"accelerator": "accelerator", "system": "rack", "family": "family", "model": "model"}
