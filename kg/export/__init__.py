"""Exchange files: pure writers from records, triples and rows to bytes. They read no store and open no file.

A writer of one file gives pieces of bytes in order; a writer of several files gives pairs of a file name and a piece.
"""
