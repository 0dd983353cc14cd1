"""What claims nothing is known, and what only sounds like it is not."""

from pathlib import Path

import pytest

from voirdire.data.packaged_files import parse_yaml
from voirdire.text.smalltalk import is_refusal, is_small_talk

LISTS = parse_yaml(Path(__file__).with_name("smalltalk.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sentence", LISTS["none"])
def test_greetings_refusals_and_farewells_claim_nothing(sentence):
    assert is_small_talk(sentence)


@pytest.mark.parametrize("sentence", LISTS["claims"])
def test_a_sentence_that_only_sounds_like_one_makes_a_claim(sentence):
    assert not is_small_talk(sentence)


@pytest.mark.parametrize("sentence", ["", "   ", "…", "I don't know " + "a " * 5000, "don't have any" * 100])
def test_any_text_is_answered_at_once(sentence):
    assert not is_small_talk(sentence)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="takes a text, not a list"):
        is_small_talk(["Hello!"])


@pytest.mark.parametrize(
    "text",
    [
        "Es tut mir leid, aber bei dieser Anfrage kann ich nicht helfen.",
        "Dazu kann ich leider keine Auskunft geben.",
        "Leider bin ich nicht in der Lage, diese Frage zu beantworten.",
        "Als KI-Modell darf ich dazu nichts sagen.",
        "Je suis désolé, mais je ne peux pas répondre à cette demande.",
        "Désolé, je ne suis pas en mesure de répondre à cette question.",
        "Lo siento, no puedo ayudar con esa solicitud.",
        "No puedo responder a esta pregunta.",
        "Mi dispiace, ma non posso aiutarti con questa richiesta.",
        "Purtroppo non sono in grado di rispondere a questa domanda.",
        "In quanto modello linguistico, non posso fornire consigli medici.",
        "Desculpe, mas não posso ajudar com esse pedido.",
        "Infelizmente, não consigo responder a essa pergunta.",
        "Sinto muito, não me é possível fornecer essa informação.",
        "抱歉，我无法回答这个问题。",
        "申し訳ありませんが、その質問にはお答えできません。",
    ],
)
def test_the_plainest_refusals_of_other_languages_are_refusals(text):
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ich kann das Rathaus nicht sehen, aber es wurde 1588 gebaut.",
        "Das Rathaus kann nicht helfen; es wurde 1588 gebaut.",
        "Je ne peux pas imaginer Paris sans la tour.",
        "No puedo imaginar Madrid sin el museo.",
        "Non posso immaginare Roma senza il Colosseo.",
        "Não posso imaginar Lisboa sem o elétrico.",
        "Mi dispiace per il ritardo: il treno parte alle nove.",
        "Desculpe a demora: o trem parte às nove.",
        "我认为志愿者不能提供资金。",
        "申し訳ありませんが、塔は1900年に建てられました。",
    ],
)
def test_other_sentences_of_these_languages_are_none(text):
    assert not is_refusal(text)
