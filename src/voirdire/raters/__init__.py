"""Human raters: a place to annotate and adjudicate, agreement, and results anchored in people's ratings."""
