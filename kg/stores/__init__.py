"""One narrow protocol and one module per store."""
