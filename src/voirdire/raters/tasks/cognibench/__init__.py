"""Rating the statements of grounded answers, by CogniBench's seven classes."""
