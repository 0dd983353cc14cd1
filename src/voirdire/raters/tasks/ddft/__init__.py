"""Rating the turns of a cross-examination: accuracy, form, and the stance towards what was fabricated."""
