"""A running server of the pages, and what a browser did with one of them."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from kg.cli.served_app import Door, ServedApp
from kg.session import Graph
from kg.web.connection import bounded_config
from kg.web.listening import bound_socket, url_of
from kg.web.query_pool import PoolLimits
from kg.web.safety import AccessRules
from tests.browser.axe import axe_script
from tests.browser.browser import features, missing
from tests.servers.artifacts import Unavailable

_AXE = "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(one => done(one.violations), why => done(String(why)))"


@contextmanager
def serving(graph: Graph, *doors: Door) -> Iterator[str]:
    """The address of a server of this graph, with all that `kg serve` has, without a slash at its end."""
    listening = bound_socket("127.0.0.1", 0)
    app = ServedApp(str(graph.folder), None, AccessRules(), PoolLimits()).on(graph, doors)
    server = uvicorn.Server(bounded_config(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield url_of(listening).rstrip("/")
    finally:
        server.should_exit = True
        thread.join(20)


@dataclass
class ServedPage:
    """A page of the server in the browser."""

    driver: webdriver.Chrome
    base: str

    def open(self, path: str, *, width: int = 1400, height: int = 900, scheme: str = "light") -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features(scheme)})
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        self.driver.get("about:blank")
        self.complaints()
        self.outside()
        self.driver.get(self.base + path)

    def complaints(self) -> list[str]:
        """Everything on the console."""
        return [one["message"] for one in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def outside(self) -> list[str]:
        """Requests to anything but the server."""
        found = []
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((self.base, "data:", "about:", "chrome:")):
                    found.append(url)
        return found

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        wide = self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert isinstance(wide, int)
        return wide

    def accessibility(self) -> list[str]:
        """Serious and critical findings of axe-core, each with the element."""
        try:
            script = axe_script().read_text(encoding="utf-8")
        except Unavailable as why:
            missing(str(why))
        self.run(script)
        found = self.driver.execute_async_script(_AXE)
        assert isinstance(found, list), found
        return [
            f"{one['id']} ({one['impact']}): {node['html'][:160]}: {node.get('failureSummary', '')[:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]

    def run(self, script: str, *given: object) -> Any:
        return self.driver.execute_script(script, *given)

    def press(self, *keys: str) -> None:
        """Press keys on what has the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def arrive(self, part: str) -> None:
        """Wait for the page that a key or a click leads to: its address or its title has this part, and all of it is there."""
        self.wait(
            lambda: (
                part in f"{self.driver.current_url} {self.driver.title}"
                and self.run("return document.readyState") == "complete"
            )
        )

    def without_scripts(self, path: str) -> None:
        """Open a page in a browser that runs no script."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.driver.get(self.base + path)

    def click(self, selector: str) -> None:
        """Click the first element that fits, scrolled to where it is seen."""
        one = self.driver.find_element("css selector", selector)
        ActionChains(self.driver).scroll_to_element(one).perform()
        one.click()

    def hover(self, selector: str) -> None:
        """Move the mouse over the first element that fits."""
        ActionChains(self.driver).move_to_element(self.driver.find_element("css selector", selector)).perform()

    def text(self, selector: str) -> str:
        """What the first element that fits shows."""
        return self.driver.find_element("css selector", selector).text

    def loaded(self, said: str) -> None:
        """Wait until a page is there that says what came of the last form."""
        self.wait(
            lambda: (
                said in self.run("const one = document.querySelector('[role=status]'); return one ? one.innerText : ''")
            )
        )

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        WebDriverWait(self.driver, 20).until(lambda _: condition())

    def tab_to(self, selector: str, most: int = 60) -> None:
        """Press Tab until an element that fits has the focus."""
        for _ in range(most):
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} is not reached by {most} tabs from {self.focused}")

    @property
    def focused(self) -> str:
        """The id, the name or the text of what has the focus."""
        return str(self.run("const one = document.activeElement; return one.id || one.name || one.textContent.trim()"))
