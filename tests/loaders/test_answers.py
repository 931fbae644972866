"""Answers of the graph against an independent list of questions, each computed from the raw files with plain Python.

The graph is asked through saved questions and through SPARQL; both sides share nothing but the published files.
"""

import csv
import gzip
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import kg
from kg.build.build import StorePlace, build_content
from kg.build.published import load_published
from kg.content.folders import find_content
from kg.ingest.sources import get_loader
from kg.session import Graph
from tests.loaders.published import DATA
from tests.small_content import ROOT

SOURCES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "skypilot": (
        ("skypilot-catalog/azure_vms.csv.gz", "skypilot-catalog/gcp_vms.csv.gz", "skypilot-catalog/lambda_vms.csv"),
        "2026-05-20",
    ),
    "full-stack": (
        ("full-stack-deep-learning/cloud-gpus.csv", "full-stack-deep-learning/serverless-gpus.csv"),
        "2025-03-07",
    ),
    "gpu-specs": (("gpu-specs-gmasse/specs.json",), "2025-02-28"),
    "inferencex": (("semianalysis-inferencex/benchmarks.json", "semianalysis-inferencex/evaluations.json"), None),
    "mlperf-training": (("mlcommons-training/v3.0", "mlcommons-training/v4.1", "mlcommons-training/v5.0"), None),
    "epoch": (("epoch-ai",), None),
    "wikipedia-gpus": (("wikipedia-gpu-info/gpu.json.gz",), "2025-06-16"),
}
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not DATA.is_dir(), reason="the published files lie beside the repository in ../shared only"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """A graph of all the published files of these sources."""
    content, place = find_content(ROOT), StorePlace(tmp_path_factory.mktemp("store"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.build.published.refresh_view", lambda *given, **named: None)
        for name, (files, edition) in SOURCES.items():
            load_published(place, content, get_loader(content, name), [DATA / one for one in files], edition=edition)
    build_content(place, content)
    opened = kg.open(store=str(place.folder), content=ROOT)
    yield opened
    opened.close()


# The graph.


def figures(graph: Graph, where: str) -> list[float]:
    """The canonical values of claims, by a pattern over ?claim, ?under and ?subject; in units of the metric."""
    under = "?claim k:underConditions ?under . " if "?under" in where else ""
    text = (
        "PREFIX k: <https://w3id.org/accelkg/ontology#> PREFIX schema: <https://schema.org/> "
        f"SELECT DISTINCT ?claim ?value WHERE {{ {where} {under} ?claim k:subject ?subject ; k:quantity ?q . ?q k:canonicalValue ?value }}"
    )
    answer = graph.query(text, timeout_seconds=120)
    assert not isinstance(answer, bytes)
    return [float(str(row[1])) for row in answer.rows]


def metric(name: str) -> str:
    """A pattern: the metric of the claim."""
    return f"?claim k:metric {thing('metric/' + name)} . "


def thing(name: str) -> str:
    """The address of a thing."""
    return f"<https://w3id.org/accelkg/id/{name}>"


def per_chip(source: str, subject: str, *, term: str, region: str | None = None, provider: str | None = None) -> str:
    """A pattern: prices of one accelerator."""
    parts = [
        f"?claim schema:appearance {thing('source/' + source)} ; k:normaliser 'per-chip' . {metric('rental-price')}",
        f"?under k:conditionTerm '{term}' .",
        f"{{ ?claim k:subject {thing(subject)} }} UNION {{ ?subject k:memberOfFamily {thing(subject)} }}"
        if subject.startswith("family/")
        else f"?claim k:subject {thing(subject)} .",
    ]
    if region:
        parts.append(f"?under k:conditionRegion '{region}' .")
    if provider:
        parts.append(f"?under k:conditionProvider {thing(provider)} .")
    return " ".join(parts)


# The raw files.


@cache
def table(name: str) -> list[dict[str, str]]:
    """The rows of a raw CSV file."""
    path = DATA / name
    with (
        gzip.open(path, "rt", encoding="utf-8-sig", newline="")
        if name.endswith(".gz")
        else open(path, encoding="utf-8-sig", newline="") as file
    ):
        return list(csv.DictReader(file))


@cache
def document(name: str) -> Any:
    """A raw JSON file."""
    content = (DATA / name).read_bytes()
    return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)


AZURE, GCP, LAMBDA = SOURCES["skypilot"][0]
CLUSTERS, HARDWARE = "epoch-ai/2025-11-01/gpu_clusters.csv", "epoch-ai/2025-12-24/ml_hardware.csv"
TIMES = "mlcommons-training/v5.0/derived_time_to_train.csv"
POINTS = "semianalysis-inferencex/benchmarks.json"


def azure_h100() -> float:
    return min(
        float(row["Price"]) / float(row["AcceleratorCount"])
        for row in table(AZURE)
        if row["AcceleratorName"] == "H100" and row["Region"] == "eastus"
    )


def hardware(name: str, column: str) -> float:
    return next(float(row[column]) for row in table(HARDWARE) if row["Hardware name"] == name)


def best_point(key: str, precision: str, measure: str) -> float:
    return float(
        max(
            row["metrics"][measure]
            for row in document(POINTS)
            if row["hardware"] == key and row["precision"] == precision
        )
    )


def times_of(task: str, total: str | None = None) -> list[dict[str, str]]:
    return [
        row
        for row in table(TIMES)
        if row["benchmark"] == task and row["olympic_mean_minutes"] and total in (None, row["total_accelerators"])
    ]


def cluster(name: str, column: str) -> float:
    return next(float(row[column]) for row in table(CLUSTERS) if row["Name"] == name)


Answered = tuple[Callable[[], float], Callable[[Graph], float]]


def least(where: str) -> Callable[[Graph], float]:
    return lambda graph: min(figures(graph, where))


def most(where: str) -> Callable[[Graph], float]:
    return lambda graph: max(figures(graph, where))


def whole(where: str) -> Callable[[Graph], float]:
    return lambda graph: sum(figures(graph, where))


def epoch_row(chip: str, name: str) -> str:
    return f"?claim schema:appearance {thing('source/epoch-hardware')} ; k:subjectPrinted '{chip}' . {metric(name)}"


def of_cluster(name: str, measure: str) -> str:
    return f"?claim schema:appearance {thing('source/epoch-clusters')} ; k:subjectPrinted '{name}' . {metric(measure)}"


def point(subject: str, precision: str, includes: str) -> str:
    return (
        f"?claim schema:appearance {thing('source/inferencex')} ; k:subject {thing(subject)} ; k:normaliser 'per-chip' . {metric('throughput')}"
        f"?under k:conditionPrecision {thing('precision/' + precision)} ; k:conditionIncludes '{includes}' ."
    )


def measured(task: str, accelerators: int | None, round_name: str) -> Callable[[Graph], float]:
    """Minutes of the fastest run, from the saved question."""

    def ask(graph: Graph) -> float:
        answer = graph.ask(
            "benchmarks/measured-times", task=[f"task/{task}"], round=f"round/mlperf-training-{round_name}"
        )
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        kept = [row for row in rows if accelerators is None or row["accelerators"] == accelerators]
        return min(float(str(row["canonical_value"])) / (60 if row["canonical_unit"] == "s" else 1) for row in kept)

    return ask


BOTH = "input and output tokens"
QUESTIONS: dict[str, Answered] = {
    "the cheapest on-demand H100 by chip and hour on Azure in eastus": (
        azure_h100,
        least(per_chip("skypilot", "family/nvidia-h100", term="on-demand", region="eastus", provider="org/microsoft")),
    ),
    "the cheapest on-demand H100 SXM at Lambda": (
        lambda: min(
            float(row["Price"]) / float(row["AcceleratorCount"])
            for row in table(LAMBDA)
            if "h100_sxm5" in row["InstanceType"]
        ),
        least(per_chip("skypilot", "accelerator/nvidia-h100-sxm-80gb", term="on-demand", provider="org/lambda")),
    ),
    "the cheapest spot B200 at Google": (
        lambda: min(float(row["SpotPrice"]) / 8 for row in table(GCP) if row["AcceleratorName"] == "B200"),
        least(per_chip("skypilot", "family/nvidia-b200", term="spot", provider="org/google")),
    ),
    "the dearest GB200 on Azure": (
        lambda: max(float(row["Price"]) / 4 for row in table(AZURE) if "GB200" in row["InstanceType"]),
        most(per_chip("skypilot", "accelerator/nvidia-gb200-gpu", term="on-demand")),
    ),
    "a chip of the largest TPU v5p slice in us-east5": (
        lambda: min(
            float(row["Price"]) / (int(row["AcceleratorName"].split("-")[-1]) / 2)
            for row in table(GCP)
            if row["AcceleratorName"].startswith("tpu-v5p-") and row["Region"] == "us-east5"
        ),
        least(per_chip("skypilot", "accelerator/google-tpu-v5p", term="on-demand", region="us-east5")),
    ),
    "the dearest spot TPU v6e, fillers left out": (
        lambda: max(
            float(row["SpotPrice"]) / int(row["AcceleratorName"].split("-")[-1])
            for row in table(GCP)
            if row["AcceleratorName"].startswith("tpu-v6e-") and row["SpotPrice"] not in ("", "700.0")
        ),
        most(per_chip("skypilot", "accelerator/google-tpu-v6e", term="spot")),
    ),
    "the cheapest MI300X on Azure": (
        lambda: min(float(row["Price"]) / 8 for row in table(AZURE) if "MI300X" in row["InstanceType"]),
        least(per_chip("skypilot", "accelerator/amd-mi300x", term="on-demand")),
    ),
    "the cheapest A100 of 80 GB in the tables of Full Stack": (
        lambda: min(
            float(row["Per-GPU"].strip("$"))
            for name in SOURCES["full-stack"][0]
            for row in table(name)
            if row["GPU Type"] == "A100 (80 GB)"
        ),
        least(per_chip("full-stack-gpus", "accelerator/nvidia-a100-80gb", term="on-demand")),
    ),
    "power of a B200": (lambda: hardware("NVIDIA B200", "TDP (W)"), most(epoch_row("NVIDIA B200", "power"))),
    "memory of a GB200": (
        lambda: hardware("NVIDIA GB200", "Memory (bytes)"),
        most(epoch_row("NVIDIA GB200", "memory-capacity")),
    ),
    "bandwidth of an MI300X": (
        lambda: hardware("AMD Instinct MI300X", "Memory bandwidth (byte/s)"),
        most(epoch_row("AMD Instinct MI300X", "memory-bandwidth")),
    ),
    "FP8 with sparsity of the H100 card": (
        lambda: document("gpu-specs-gmasse/specs.json")["h100"]["fp8_tensor_core_sparsity"] * 1e12,
        most(
            f"?claim schema:appearance {thing('source/gpu-specs')} ; k:subject {thing('accelerator/nvidia-h100-pcie-80gb')} . {metric('peak-compute')}"
            f"?under k:conditionPrecision {thing('precision/fp8')} ; k:conditionSparsity 'structured' ."
        ),
    ),
    "most tokens of a GB200 at FP4": (
        lambda: best_point("gb200", "fp4", "tput_per_gpu"),
        most(point("accelerator/nvidia-gb200-gpu", "fp4", BOTH)),
    ),
    "most tokens of an MI355X at FP8": (
        lambda: best_point("mi355x", "fp8", "tput_per_gpu"),
        most(point("accelerator/amd-mi355x", "fp8", BOTH)),
    ),
    "most tokens of an H200 at FP8": (
        lambda: best_point("h200", "fp8", "tput_per_gpu"),
        most(point("family/nvidia-h200", "fp8", BOTH)),
    ),
    "best strict accuracy of any model": (
        lambda: 100 * max(row["metrics"]["em_strict"] for row in document("semianalysis-inferencex/evaluations.json")),
        most(
            f"?claim schema:appearance {thing('source/inferencex')} . {metric('accuracy')} ?under k:conditionBoundary 'strict match' ."
        ),
    ),
    "fastest Llama 2 70B LoRA on 8 accelerators in v5.0": (
        lambda: min(float(row["olympic_mean_minutes"]) for row in times_of("llama2_70b_lora", "8")),
        measured("mlperf-training-llama2-70b-lora", 8, "v5.0"),
    ),
    "fastest Llama 3.1 405B in v5.0": (
        lambda: min(float(row["olympic_mean_minutes"]) for row in times_of("llama31_405b")),
        measured("mlperf-training-llama3.1-405b", None, "v5.0"),
    ),
    "fastest 3D U-Net in v3.0, which has no list of its own": (
        lambda: min(
            row["unet3d"]
            for path in sorted((DATA / "mlcommons-training/v3.0/aggregated").glob("*.json"))
            for row in json.loads(path.read_bytes())
            if row["unet3d"] and row["accelerators_count"] not in ("0", 0)
        ),
        measured("mlperf-training-unet3d", None, "v3.0"),
    ),
    "fewest accelerator-minutes for Llama 3.1 405B in v5.0": (
        lambda: min(
            float(row["olympic_mean_minutes"]) * int(row["total_accelerators"]) for row in times_of("llama31_405b")
        ),
        lambda graph: (
            min(
                figures(
                    graph,
                    f"{metric('accelerator-time')} ?under k:conditionTask {thing('task/mlperf-training-llama3.1-405b')} ; "
                    f"k:conditionRound {thing('round/mlperf-training-v5.0')} .",
                )
            )
            / 60
        ),
    ),
    "H100 equivalents of Colossus 2, second phase": (
        lambda: cluster("xAI Colossus 2 Memphis Phase 2", "H100 equivalents"),
        most(of_cluster("xAI Colossus 2 Memphis Phase 2", "compute-equivalents")),
    ),
    "power of Project Rainier": (
        lambda: cluster("Project Rainier", "Reported Power Capacity (MW)") * 1e6,
        most(of_cluster("Project Rainier", "power") + "?under k:conditionBoundary 'as reported' ."),
    ),
    "H100 equivalents of all planned clusters": (
        lambda: sum(
            float(row["H100 equivalents"])
            for row in table(CLUSTERS)
            if row["H100 equivalents"] and row["Status"] == "Planned"
        ),
        whole(
            f"?claim schema:appearance {thing('source/epoch-clusters')} . {metric('compute-equivalents')} ?under k:conditionAvailability 'Planned' ."
        ),
    ),
    "GB200 in all clusters, planned ones too": (
        lambda: sum(
            float(row[f"Chip quantity ({kind})"] or 0)
            for row in table(CLUSTERS)
            for kind in ("primary", "secondary")
            if row[f"Chip type ({kind})"] == "NVIDIA GB200"
        ),
        whole(
            f"?claim schema:appearance {thing('source/epoch-clusters')} . {metric('accelerators-used')} ?under k:conditionTestedOn {thing('accelerator/nvidia-gb200-gpu')} ."
        ),
    ),
    "training compute of Llama 3.1 405B": (
        lambda: next(
            float(row["Training compute (FLOP)"])
            for row in table("epoch-ai/2025-11-01/notable_ai_models.csv")
            if row["Model"] == "Llama 3.1-405B"
        ),
        most(
            f"?claim schema:appearance {thing('source/epoch-models')} ; k:subject {thing('model/llama-3-1-405b')} . {metric('training-compute')}"
        ),
    ),
    "the dearest training of a notable model": (
        lambda: max(
            float(row["Training compute cost (2023 USD)"])
            for row in table("epoch-ai/2025-11-01/notable_ai_models.csv")
            if row["Training compute cost (2023 USD)"]
        ),
        most(
            f"?claim schema:appearance {thing('source/epoch-models')} . {metric('training-cost')} ?under k:conditionBoundary 'in US dollars of 2023' ."
        ),
    ),
    "power of an RTX 4090 in the lists of Wikipedia": (
        lambda: next(
            float(row["TDP (Watts)"])
            for row in document("wikipedia-gpu-info/gpu.json.gz").values()
            if row.get("Model") == "GeForce RTX 4090" or row.get("Model name") == "GeForce RTX 4090"
        ),
        most(
            f"?claim schema:appearance {thing('source/wikipedia-gpus')} ; k:subject {thing('accelerator/nvidia-rtx-4090')} . {metric('power')}"
        ),
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_graph_answers_as_the_raw_files_do(graph: Graph, question: str) -> None:
    by_hand, asked = QUESTIONS[question]
    assert asked(graph) == pytest.approx(by_hand(), rel=0.005)
