"""What the commands print: text for a terminal, made from results. No computation."""
