"""Tests of trace, compare, find and show."""
