"""Run the RO-Crate validator on a crate, with a file in place of the context on the net; nothing else is fetched.

Run by the Python of the validator's own environment: `python crate_driver.py CRATE CONTEXT` prints JSON.
"""

# mypy: ignore-errors
# ruff: noqa: E402, ANN001, ANN003, ANN201

import email.message
import io
import json
import sys
import urllib.request
import urllib.response
from pathlib import Path

import requests
import urllib3
from requests.adapters import HTTPAdapter

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
TYPE = "application/ld+json"
body = Path(sys.argv[2]).read_bytes()


def answer(adapter, request, **options):
    """What `requests` gets: the context, or that there is nothing."""
    found = requests.Response()
    found.url, found.request, found.headers["Content-Type"] = request.url, request, TYPE
    found.status_code, given = (200, body) if request.url == CONTEXT else (404, b"")
    found.raw = urllib3.HTTPResponse(io.BytesIO(given), status=found.status_code, preload_content=False)
    return found


class Kept(urllib.request.HTTPSHandler):
    """What the JSON-LD reader gets."""

    def https_open(self, request):
        """The context; other addresses are refused."""
        if request.full_url != CONTEXT:
            raise OSError(f"not fetched: {request.full_url}")
        headers = email.message.Message()
        headers["Content-Type"] = TYPE
        return urllib.response.addinfourl(io.BytesIO(body), headers, CONTEXT, 200)


HTTPAdapter.send = answer
urllib.request.install_opener(urllib.request.build_opener(Kept()))

from rocrate_validator import models, services

settings = services.ValidationSettings(
    rocrate_uri=sys.argv[1],
    profile_identifier="ro-crate-1.1",
    requirement_severity=models.Severity.RECOMMENDED,
)
result = services.validate(settings)
issues = [(one.severity.name, one.check.identifier, str(one.message)) for one in result.get_issues()]
print(json.dumps({"checks": len(result.executed_checks), "issues": issues}))
