"""The truth: immutable segments of records, a manifest of the live ones, and the derived set next to them."""
