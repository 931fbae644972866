"""Scenes, layouts, pages, charts and reports."""
