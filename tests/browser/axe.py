"""axe-core, the checker of accessibility: fetched with npm into the user's cache, never committed, compared by digest."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from base64 import b64encode
from hashlib import sha512
from pathlib import Path

from tests.servers.artifacts import Unavailable, cache_folder

VERSION = "4.10.3"
DIGEST = "Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg=="


def axe_script() -> Path:
    """The script, if it was fetched."""
    path = cache_folder().parent / "pages" / f"axe-core-{VERSION}.min.js"
    if not path.is_file():
        raise Unavailable(f"axe-core {VERSION} is not fetched; run: python -m tests.browser.axe")
    return path


def fetch() -> Path:
    """Fetch what is missing; another digest is refused."""
    target = cache_folder().parent / "pages" / f"axe-core-{VERSION}.min.js"
    if target.is_file():
        return target
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is missing (Debian: npm)")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as beside:
        done = subprocess.run(
            [npm, "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", beside],
            cwd=beside,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        packed = next(Path(beside).glob("*.tgz"), None)
        if done.returncode or packed is None:
            raise Unavailable(f"npm could not fetch axe-core: {done.stderr.strip()[:300]}")
        given = b64encode(sha512(packed.read_bytes()).digest()).decode("ascii")
        if given != DIGEST:
            raise Unavailable(f"axe-core {VERSION} has the digest {given}, not {DIGEST}")
        with tarfile.open(packed) as archive:
            member = archive.extractfile("package/axe.min.js")
            assert member is not None
            half = Path(beside) / "axe.min.js"
            half.write_bytes(member.read())
        half.rename(target)
    return target


if __name__ == "__main__":
    try:
        print(f"axe-core {VERSION}: ready in {fetch()}")
    except Unavailable as why:
        import os

        print(f"axe-core {VERSION}: not available: {why}")
        sys.exit(1 if os.environ.get("KG_REQUIRE_SERVERS") == "1" or os.environ.get("KG_REQUIRE_BROWSER") == "1" else 0)
