"""How soon a picture can be used in headless Chromium: ours against plain pyvis of the same graph, in one run.

`python -m benchmarks.view [--nodes 2000] [--large 5000] [--most-seconds 600]`. Needs Chromium and chromedriver. A plain page that is not
done in time is stopped, and the factor is then a lower bound.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from selenium.webdriver.support.wait import WebDriverWait

from kg.model.verdict import VERDICTS
from kg.render.page import page
from kg.render.scene import Scene, SceneEdge, SceneNode, bundled, tidy
from tests.browser.browser import Page, start

FACTOR = 20
PLAIN_DONE = "const one = document.getElementById('text'); return Boolean(one && one.innerHTML === '100%')"


def graph_like_ours(nodes: int) -> Scene:
    """Claims at their things, things at few makers, each claim with a source: the shape of the recorded graph."""
    dice = random.Random(7)
    things = [
        SceneNode(f"thing/{n}", "chip", f"Thing number {n}", facts=(("is", f"thing {n}"),)) for n in range(nodes // 8)
    ]
    sources = [SceneNode(f"source/{n}", "source", f"Source number {n}") for n in range(8)]
    rest = nodes - len(things) - len(sources)
    claims, edges = [], []
    for n in range(rest):
        thing = things[int(dice.random() ** 2 * len(things))]
        claims.append(
            SceneNode(
                f"1/{n}",
                "claim",
                f"{n / 10} TB/s\nmemory-bandwidth",
                facts=(("as printed", f"{n / 10} TB/s"), ("said by", "somebody")),
                source="source/0",
                verdict=dice.choice(VERDICTS[:-1]),
                hub=thing.id,
            )
        )
        edges.append(SceneEdge(thing.id, f"1/{n}"))
        if n % 3 == 0:
            edges.append(SceneEdge(f"1/{n}", dice.choice(sources).id, "printed in", is_faint=True))
    edges += [SceneEdge(things[dice.randrange(n)].id, things[n].id, "linked to") for n in range(1, len(things))]
    return tidy(Scene("A graph", f"{nodes} nodes", (*things, *sources, *claims), tuple(edges), ()))


def plain_page(scene: Scene) -> str:
    """The same nodes and lines as pyvis writes them when left to itself."""
    from pyvis.network import Network

    drawn = Network(directed=True, cdn_resources="in_line", height="750px")
    for node in scene.nodes:
        drawn.add_node(node.id, label=node.label, title=" ".join(f"{a}: {b}" for a, b in node.facts))
    for edge in scene.edges:
        drawn.add_edge(edge.source, edge.target, title=edge.label)
    text: str = drawn.generate_html()
    return text


def opened(path: Path, ready: str, most_seconds: float) -> tuple[Page, float, bool]:
    """Open a page; when it is ready, and whether it was in time."""
    driver = start()
    driver.set_page_load_timeout(most_seconds)
    driver.set_script_timeout(most_seconds)
    driver.command_executor.client_config.timeout = most_seconds + 60  # type: ignore[union-attr]
    begun = time.perf_counter()
    driver.get(path.as_uri())
    shown = Page(driver, path)
    try:
        WebDriverWait(driver, most_seconds, poll_frequency=0.05).until(lambda _: shown.run(ready))
    except Exception as why:  # noqa: BLE001
        print(f"  stopped: {type(why).__name__}", file=sys.stderr)
        return shown, time.perf_counter() - begun, False
    return shown, time.perf_counter() - begun, True


def ours(scene: Scene, folder: Path, name: str) -> float:
    """Seconds until our page is drawn and a node can be opened."""
    begun = time.perf_counter()
    text = page(scene)
    made = time.perf_counter() - begun
    path = folder / f"{name}.html"
    path.write_text(text, encoding="utf-8")
    shown, _, _ = opened(path, "return Boolean(document.documentElement.dataset.drawn)", 300)
    drawn = float(shown.run("return Number(document.documentElement.dataset.drawn)")) / 1000
    node = next(one.id for one in scene.nodes if one.bundle is None)
    click = (
        float(shown.run("const t = performance.now(); kgView.choose(arguments[0]); return performance.now() - t", node))
        / 1000
    )
    usable = drawn + click
    assert not shown.run("return document.getElementById('details').hidden")
    on_screen = shown.run("return kgView.drawn().length")
    print(
        f"{name}: {len(scene.nodes):,} nodes, {on_screen:,} on screen, {len(text) / 1e6:.1f} MB written in {made:.2f} s; drawn after {drawn:.2f} s, a node opens in {click:.2f} s"
    )
    shown.driver.quit()
    return usable


def main() -> int:
    """Measure and compare; exit code 1 when we are not soon enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--large", type=int, default=5000)
    parser.add_argument("--most-seconds", type=float, default=600)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        scene = graph_like_ours(given.nodes)
        usable = ours(scene, folder, f"ours {given.nodes}")
        large = graph_like_ours(given.large)
        ours(large, folder, f"ours {given.large}")
        ours(bundled(large), folder, f"ours {given.large} in bundles")
        path = folder / "plain.html"
        path.write_text(plain_page(scene), encoding="utf-8")
        shown, seconds, done = opened(path, PLAIN_DONE, given.most_seconds)
        shown.driver.quit()
    factor = seconds / usable
    print(f"plain pyvis {given.nodes}: usable after {'' if done else 'more than '}{seconds:.1f} s")
    print(f"ours is usable {'' if done else 'more than '}{factor:.0f} times sooner (asked for: {FACTOR})")
    return 0 if factor >= FACTOR else 1


if __name__ == "__main__":
    sys.exit(main())
