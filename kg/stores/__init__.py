"""Stores that answer queries: one narrow protocol, one module per store."""
