"""Tests of the saved questions."""
