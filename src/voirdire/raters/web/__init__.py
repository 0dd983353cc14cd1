"""The web app: thin pages over the service; server-rendered, without a build step and without a request to anywhere.

`serving.serve` serves a project; `app.make_app` is the app. Both need the extra `web`.
"""
