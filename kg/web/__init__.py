"""Pages and endpoints over HTTP: a front door, which asks the session and hands the results to the templates."""
