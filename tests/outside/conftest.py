"""What is judged: the shipped content, and a small store whose texts are hostile to every format."""

from tests.export.conftest import hostile, out, shipped

__all__ = ["hostile", "out", "shipped"]
