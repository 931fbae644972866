"""Real servers for the tests: fetched once, started on loopback with data in temporary folders, stopped at the end."""
