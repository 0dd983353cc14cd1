"""The jury: rubric, judges, panel, consensus."""
