"""The parts of the benchmark: one module for each line, or for a few lines that measure the same, of the list of goals."""
