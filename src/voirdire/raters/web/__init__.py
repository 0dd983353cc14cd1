"""The web app: thin pages over the desk; server-rendered, without a build step and without a request to anywhere."""

from voirdire.raters.web.app import make_app
from voirdire.raters.web.serving import serve

__all__ = ["make_app", "serve"]
