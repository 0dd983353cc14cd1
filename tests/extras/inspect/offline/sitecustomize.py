"""Inspect's mock model counts tokens with a table that tiktoken would fetch from the network: here words count."""

import tiktoken


class Words:
    def encode(self, text, **_):
        return text.split()


tiktoken.get_encoding = lambda name: Words()
