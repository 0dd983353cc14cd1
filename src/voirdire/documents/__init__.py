"""What is shown of something, before anyone decides how it looks: documents and their parts."""
