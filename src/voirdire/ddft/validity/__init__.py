"""Was the test itself sound?"""
