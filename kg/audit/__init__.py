"""Claims in, findings out; knows no store."""
