"""pip-audit, also where the package index has a page for each project but none for each version.

Some mirrors are like that. A project's page has the advisories against its newest version: it answers for a package
that is locked at this version, and for no other.
"""

import json
import sys
from typing import Any

import requests
from pip_audit._cli import audit

_get = requests.Session.get


def get(session: requests.Session, url: str, **options: Any) -> requests.Response:
    """A version's page; where there is none, the project's, if that version is its newest."""
    response = _get(session, url, **options)
    if response.status_code != requests.codes.not_found or not url.endswith("/json"):
        return response
    project, version = url.removesuffix("/json").rsplit("/", 1)
    page = _get(session, f"{project}/json", **options)
    newest = page.ok and json.loads(page.content)["info"]["version"] == version
    return page if newest else response


if __name__ == "__main__":
    requests.Session.get = get  # type: ignore[assignment, method-assign]
    sys.exit(audit())
