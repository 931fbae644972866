"""How well reports are read: figures, units and relations, and the candidates for each field of a claim."""
