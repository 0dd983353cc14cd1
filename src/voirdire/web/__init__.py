"""What our web apps share: who may call them, the server, and a process that computes beside it.

`guard` and `server` need the extra with starlette and uvicorn; the rest needs neither.
"""
