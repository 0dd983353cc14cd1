"""Reports in other forms than a page: Markdown, JSON, CSV, pictures. Each is made from a `Document` alone."""
