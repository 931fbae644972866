"""JSON objects whose fields no declaration tells: what files hold before they are checked, and what is written for programs."""

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
JsonMapping = Mapping[str, Any]
"""The same, and records with a type of their own, where nothing of it is changed."""
