"""Metrics by what they are said of, so that habits learnt for one of them serve the others of its group.

A metric that a vocabulary adds and this list does not know is in no group: only what is learnt of it by name then counts.
"""

from typing import Final

_GROUPS: Final = {
    "rating": (
        "peak-compute compute-units memory-capacity memory-bandwidth memory-type memory-bus-width memory-stacks cores clock"
        " power process-node transistors die-area interconnect-bandwidth interconnect-channels component-count"
    ),
    "run": (
        "throughput training-throughput training-speed inference-speed performance latency time-per-output-token training-time"
        " time-to-first-token mfu utilisation energy-per-token energy-use scaling-efficiency concurrency batch-size accuracy"
        " training-cost inference-cost accelerator-time elapsed-time tokens-processed"
    ),
    "model": "parameters context-length sequence-length hidden-dimension training-tokens training-compute operations-needed",
    "use": "accelerators-used accelerators-needed deployment",
    "price": "purchase-price capital-cost operating-cost tco rental-price cost cost-per-memory",
    "market": (
        "market-share market-size valuation investment growth-rate adoption domestic-share production-volume revenue demand"
        " framework-coverage forecast-horizon release-interval"
    ),
    "relative": (
        "performance-per-watt energy-efficiency performance-per-tco cost-effectiveness efficiency data-transfer-efficiency"
        " arithmetic-intensity revenue-return"
    ),
}
_OF_METRIC: Final = {metric: group for group, metrics in _GROUPS.items() for metric in metrics.split()}


def metric_group(metric: str | None) -> str:
    """The group of a metric, `other` where it has none.

    >>> metric_group("memory-bandwidth"), metric_group("mfu"), metric_group(None)
    ('rating', 'run', 'other')
    """
    return _OF_METRIC.get(metric or "", "other")
