"""Composes the parts: open, build, load, ask, trace, export. This is what `kg.open()` gives."""
