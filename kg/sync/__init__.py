"""Servers: push to them, pull from them, read what lies there."""
