"""A study of scored trials: the judges, what they measure and cite, and what was published of them."""
