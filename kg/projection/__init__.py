"""Generic writers: what the declarations of `kg.model` become as triples, nodes and edges, shapes, contexts, schemas."""
