"""`voirdire view`: a local page over a folder of runs and of others' results, which it only reads.

`runs` finds them, `board` knows how far each has come, `worker` computes beside the server, `app` shows it.
"""
