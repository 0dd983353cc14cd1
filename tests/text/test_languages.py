import pytest

from voirdire.text.languages import is_foreign


@pytest.mark.parametrize(
    "text",
    [
        "Der Kocher wiegt 84 Gramm und darf nicht in einem Zelt verwendet werden.",
        "Le réchaud pèse 84 grammes et ne doit pas être utilisé dans une tente.",
        "La estufa pesa 84 gramos y no debe usarse dentro de una tienda.",
        "Il fornello pesa 84 grammi e non deve mai essere usato in una tenda.",
        "O fogão pesa 84 gramas e não deve ser usado em uma barraca.",
        "Der Kocher brennt.",
        "Le gaz brûle.",
        "De brander weegt 84 gram en is niet voor gebruik in een tent.",
    ],
)
def test_a_text_with_the_function_words_of_another_language_is_not_english(text):
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The Tour de France is in July.",
        "He moved from Los Angeles to Las Vegas, and then to La Paz.",
        "Flour, sugar, butter, eggs, milk, vanilla, baking powder.",
        "Los Angeles",
        "Der Spiegel",
        "Weight 84 g, height 9 cm, jet N7.",
    ],
)
def test_foreign_names_and_bare_lists_are_english(text):
    assert not is_foreign(text)
