"""The ledger: immutable segments, a manifest, and the derived set beside it; the truth that views are made from."""
