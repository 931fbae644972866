"""The version, stated once; the build and `kg --version` read it here."""

__version__ = "0.1.0"
