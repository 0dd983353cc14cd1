"""`voirdire ddft validate`: was the test itself sound?"""
