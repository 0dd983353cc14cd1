"""Two models at a time: do they differ, by how much, and who comes first?"""
