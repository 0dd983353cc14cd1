from __future__ import annotations

from voirdire.text.phrases import any_phrase


def test_conveniences_stand_for_what_they_say() -> None:
    found = any_phrase(r"do+NOT ~know", r"I'm {sure}", sure="not sure|unsure")
    for text in ("I do not know", "they don't really ever know", "DON’T KNOW", "I’m not sure", "I'm\nunsure"):
        assert found.search(text), text
    for text in ("I do know", "I'm surely right", "do not at any time know"):
        assert not found.search(text), text


def test_phrases_match_whole_words_only() -> None:
    assert not any_phrase("law").search("lawful")
    assert not any_phrase("law").search("outlaw")
    assert any_phrase("law").search("(law)")
