"""Makes pictures of ten pages of `kg serve` in Chromium: `python docs/make_gallery.py FOLDER`.

The store is that of KG_STORE, or the user's own; a source whose text is attached is shown with its figures marked.
"""

import sys
from base64 import b64decode
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kg.session import open_graph  # noqa: E402
from tests.browser.browser import start  # noqa: E402
from tests.browser.served import ServedPage, serving  # noqa: E402

PAGES = (
    ("first", "/", 1400, "light"),
    ("number", "/number/72428", 1400, "light"),
    ("number-narrow", "/number/72428", 390, "dark"),
    ("source", "/source/002", 1400, "light"),
    ("source-narrow", "/source/002", 390, "dark"),
    ("compare", "/compare/GB200/H200", 1400, "light"),
    ("thing", "/thing/H200", 1400, "dark"),
    ("problems", "/problems", 1400, "light"),
    ("question", "/questions/comparisons/compare", 1400, "light"),
    ("query", "/query", 1400, "dark"),
)


def main(folder: Path) -> None:
    """Write one PNG a page."""
    folder.mkdir(parents=True, exist_ok=True)
    driver = start()
    try:
        with serving(open_graph()) as base:
            page = ServedPage(driver, base)
            for name, path, width, scheme in PAGES:
                page.open(path, width=width, height=900 if width > 640 else 844, scheme=scheme)
                shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
                (folder / f"{name}.png").write_bytes(b64decode(shot))
                print(f"{folder / name}.png")
    finally:
        driver.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("gallery"))
