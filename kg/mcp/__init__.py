"""The answers of the graph for assistant programs, over the Model Context Protocol: a front door that works nothing out."""
