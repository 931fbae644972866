"""Finds the content folders and reads them into checked, frozen values."""
