"""What is judged: the shipped content, and a small store whose texts are hostile to every format."""

from tests.export.conftest import hostile, out, shipped

__all__ = ["hostile", "out", "shipped"]

collect_ignore = ["crate_driver.py"]  # run by the Python of another environment; looking for doctests would import it
