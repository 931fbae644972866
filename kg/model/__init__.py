"""Values of the domain: pure, frozen, without input or output."""
