"""Charts, and the pages they stand on."""
