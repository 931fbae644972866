"""accelkg: a knowledge graph of AI accelerators in which every number leads back to where it was printed."""
