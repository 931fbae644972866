"""Chromium without a screen and without a network, and what a page did in it."""

import json
import os
import shutil
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.browser.axe import axe_script
from tests.servers.artifacts import Unavailable

_SETTLED = """
const done = arguments[arguments.length - 1];
requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
"""


def missing(why: str) -> NoReturn:
    """A skip that says why; with KG_REQUIRE_BROWSER=1 or KG_REQUIRE_SERVERS=1 a failure."""
    if "1" in (os.environ.get("KG_REQUIRE_BROWSER"), os.environ.get("KG_REQUIRE_SERVERS")):
        pytest.fail(f"not tried: {why}", pytrace=False)
    pytest.skip(f"not tried: {why}")


def start() -> webdriver.Chrome:
    """A browser of the system; nothing is downloaded for it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        missing("chromium or chromedriver is not there (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium)
    for one in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--force-device-scale-factor=1",
        "--hide-scrollbars",
        "--disable-background-networking",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):
        options.add_argument(one)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    return webdriver.Chrome(options=options, service=Service(str(chromedriver)))


def features(scheme: str) -> list[dict[str, str]]:
    """What the system prefers: colours, and no movement, so that a test never waits for one."""
    return [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]


@dataclass
class Page:
    """One opened page; what it asked for and complained about is read from the browser's own log."""

    driver: webdriver.Chrome
    path: Path

    def requests(self) -> list[str]:
        """Every request that is not the page itself."""
        found = []
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                params = message["params"]
                url = params.get("request", params)["url"]
                if not url.startswith(("data:", "about:", "chrome:")) and url != self.path.as_uri():
                    found.append(url)
        return found

    def complaints(self) -> list[str]:
        """Errors and warnings of the console."""
        return [one["message"] for one in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def run(self, script: str, *given: Any) -> Any:
        return self.driver.execute_script(script, *given)

    def settle(self) -> None:
        """Wait until two frames are drawn."""
        self.driver.execute_async_script(_SETTLED)

    def wait(self, condition: str, *given: Any) -> None:
        WebDriverWait(self.driver, 20).until(lambda _: self.run(f"return {condition}", *given))

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements("css selector", selector)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def shown_rows(self) -> list[str]:
        rows: list[str] = self.run(
            "return [...document.querySelectorAll('#tables tr[data-id]')].filter(one => !one.hidden).map(one => one.dataset.id)"
        )
        return rows

    def everything(self) -> None:
        """Draw all of a large picture, which opens on disputes and comparisons."""
        self.run("kgView.everything()")
        self.settle()

    def drawn(self) -> set[str]:
        return set(self.run("return kgView.drawn()"))

    def _point(self, node: str) -> dict[str, float]:
        self.run("document.getElementById('stage').scrollIntoView({block: 'nearest'})")
        at: dict[str, float] = self.run("return kgView.at(arguments[0])", node)
        return at

    def hover(self, node: str) -> None:
        """Move the mouse over a node, as a person does."""
        at = self._point(node)
        chain: Any = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(int(at["x"]) - 3, int(at["y"]))
        chain.w3c_actions.pointer_action.move_to_location(int(at["x"]), int(at["y"]))
        chain.perform()
        self.settle()

    def click(self, node: str) -> None:
        at = self._point(node)
        chain: Any = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(int(at["x"]), int(at["y"]))
        chain.w3c_actions.pointer_action.click()
        chain.perform()
        self.settle()

    def press(self, *keys: str) -> None:
        """Press keys on the picture."""
        canvas = self.one("#canvas")
        self.run("arguments[0].focus()", canvas)
        for key in keys:
            canvas.send_keys(key)
        self.settle()

    def press_on(self, selector: str, key: str) -> None:
        """Press a key on some element."""
        self.one(selector).send_keys(key)
        self.settle()

    def screenshot(self, target: Path, *, whole: bool = False) -> bytes:
        given = {"format": "png", "captureBeyondViewport": whole}
        shot: bytes = b64decode(self.driver.execute_cdp_cmd("Page.captureScreenshot", given)["data"])
        target.write_bytes(shot)
        return shot

    def colours(self, scheme: str) -> None:
        """What the system prefers: light or dark."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features(scheme)})
        self.settle()

    def accessibility(self) -> list[str]:
        """Serious and critical findings of axe-core, each with the element."""
        try:
            script = axe_script().read_text(encoding="utf-8")
        except Unavailable as why:
            missing(str(why))
        self.run(script)
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(one => done(one.violations), why => done(String(why)))"
        )
        assert isinstance(found, list), found
        return [
            f"{one['id']} ({one['impact']}): {node['html'][:160]}: {node.get('failureSummary', '')[:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]


def open_page(
    driver: webdriver.Chrome, path: Path, *, width: int = 1280, height: int = 900, scheme: str = "light"
) -> Page:
    """Open a file with the network off."""
    page = Page(driver, path)
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
    )
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features(scheme)})
    driver.get("about:blank")
    page.requests()
    page.complaints()
    driver.get(path.as_uri())
    if page.run("return Boolean(document.getElementById('kg-data'))"):
        page.wait("Boolean(document.documentElement.dataset.drawn)")
    page.settle()
    return page


ENTER, ESCAPE, RIGHT, LEFT, DOWN = Keys.ENTER, Keys.ESCAPE, Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_DOWN
