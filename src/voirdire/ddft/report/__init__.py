"""What is shown of cross-examinations: the report of runs, and what each command prints."""
