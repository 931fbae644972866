"""Results to text, pages, pictures, charts, reports and frames."""
