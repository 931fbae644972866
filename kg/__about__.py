"""The version, stated once; the build and `kg --version` read it here. Next to it that of the rules of the audit."""

__version__ = "0.1.0"
RULES_VERSION = 58
"""Raised whenever a rule of the audit changes what it finds, or a view is written otherwise; part of what a view is made from."""
