"""Saved questions: read, bound, run. Knows no claim, only headers, values and rows."""
