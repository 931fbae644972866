"""Pictures: scenes of nodes and edges, their layout, pages, charts and reports. Draws what it is given; asks nothing."""
