"""Keep secrets out of what is stored and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from voirdire.models.secrets import forms_of, hide, is_secret, known_secrets, look_alikes, secrets_in_use
from voirdire.records import Reply, WireMessage

_LONGEST = 2000
_READ = 10 * _LONGEST


class Scrubber:
    """Takes secrets out of texts: known values first, then whatever looks like a key."""

    def __init__(self, names: Iterable[str] = (), environment: Mapping[str, str] | None = None) -> None:
        """Look up the values to hide, in all forms that they take.

        Args:
            names: environment variables that hold keys, beside those that `known_secrets` finds by itself.
            environment: where to look them up; the process's own by default.
        """
        names = list(names)
        known = known_secrets(names, environment)
        self._values = forms_of(known)
        # Every call is looked through: for whatever is known before it is sent, and for what was sent when it is back.
        self._telling = forms_of(filter(is_secret, known), encoded=False)
        self._sent = forms_of(filter(is_secret, secrets_in_use(names, environment)))

    def __call__(self, text: str) -> str:
        """The text without secrets, at most 2,000 characters of it, and with nothing that UTF-8 can't carry."""
        # Nothing beyond is shown, and a provider's error page may have no end. A secret may lie across the border.
        text = look_alikes(hide(text[: 2 * _READ], self._values)[:_READ])
        text = text.encode("utf-8", "replace").decode("utf-8")
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

    def hide(self, text: str) -> str:
        """The text without the known secrets; whatever else stands in it is data, and stays as it is."""
        return hide(hide(text, self._sent), self._telling)

    def messages(self, messages: Sequence[WireMessage]) -> Sequence[WireMessage]:
        """Messages without the known secrets: what stands in a user's data by mistake is not sent on."""
        if not any(form in message.content for form in self._telling for message in messages):
            return messages
        return [
            WireMessage(each.role, self.hide(each.content), len(self.hide(each.content[: each.shared])))
            for each in messages
        ]

    def reply(self, reply: Reply) -> Reply:
        """A reply without the known secrets, bodies and warnings included: a server may repeat what it was sent."""
        texts = (reply.text, reply.model, reply.sent, reply.received, *reply.warnings)
        if not any(form in text for form in self._sent for text in texts):
            return reply
        return replace(
            reply,
            text=self.hide(reply.text),
            model=self.hide(reply.model),
            sent=self.hide(reply.sent),
            received=self.hide(reply.received),
            warnings=tuple(map(self.hide, reply.warnings)),
        )

    def whole(self, value: Any) -> Any:
        """Plain data with all secrets taken out of its texts, however long: for manifests and command lines."""
        if isinstance(value, str):
            return look_alikes(self.hide(value))
        if isinstance(value, Mapping):
            return {name: self.whole(each) for name, each in value.items()}
        return [self.whole(each) for each in value] if isinstance(value, (list, tuple)) else value
