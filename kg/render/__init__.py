"""Results to pictures, pages, charts, reports and frames."""
