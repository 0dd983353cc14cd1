"""What is prose and what is not. The texts were written before the rules were tried on them."""

import random
from pathlib import Path

import pytest

from voirdire.data.packaged_files import parse_yaml
from voirdire.text.prose import oddity

REPEATING = parse_yaml(Path(__file__).with_name("loops.yaml").read_text(encoding="utf-8"))

PROSE = [
    "1859.",
    "Charles Darwin",
    "F = ma",
    "Yes.",
    "I don't know.",
    "I'm sorry, but I can't help with that.",
    "About 1.618, or (1 + √5) / 2.",
    "E = mc^2; a^2 + b^2 = c^2; ∇·E = ρ/ε₀.",
    "{1, 2, 3} is a set of three numbers, and {} is the empty one.",
    "[1] Darwin argued that traits vary. [2] Some of them are passed on.",
    "Use the <b> tag for bold text and the <i> tag for italics.",
    "- variation\n- inheritance\n- selection",
    "1. Define the base case.\n2. Call the function on a smaller input.\n3. Combine the results.",
    "| term | meaning |\n| --- | --- |\n| phoneme | smallest unit that tells words apart |",
    "def factorial(n):\n    return 1 if n == 0 else n * factorial(n - 1)",
    "```python\nfor i in range(10):\n    print(i, fib(i))\n```",
    'A request looks like this:\n\n```json\n{"model": "x", "messages": []}\n```\n\nThe server answers with a stream.',
    "自然选择是指有利的变异得以保存,不利的变异被淘汰。",
    "自然選択とは、環境に適した個体がより多くの子孫を残す過程です。DNAがその基礎です。",
    "प्राकृतिक चयन वह प्रक्रिया है जिसमें अनुकूल लक्षण बने रहते हैं।",
    "الانتقاء الطبيعي هو العملية التي تبقى بها الصفات المفيدة.",
    "Angstschweiß und Rechtschreibung: Selbstschutz durch Zurückhaltung, sagt die Herbstzeitung.",
    "Strč prst skrz krk. Vlk zmlkl, zhltl hrst zrn.",
    "Mae dewis naturiol yn golygu bod nodweddion defnyddiol yn goroesi.",
    "The phonemes /p/ and /b/ differ in voicing: pin [pʰɪn] against bin [bɪn].",
    "The acronyms HTTP, HTML, XML and SQL are all found in the RFCs of the IETF and the W3C.",
    'He said: "No." And then: "Never again." That was all.',
    "Natural selection keeps what helps, and what helps is kept. What helps is what survives; what survives is kept.",
    "<think>The user asks for an example.</think>\nThe peppered moth is one example of it.",
    "The derivative of sin(x) is cos(x).<|im_end|>",
    "Option B",
    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Każdy podgatunek odbywa wędrówkę, "
    "gdy odpowiedź przychodzi gdzieś z głębi.",
    "Když někdo vždy odpovídá, každý podpoří vzdělání a nikdo nikde nic nezkazí. Podklad odvozuje výzkum pod kódem, "
    "odkud vždycky vzdor odbočí k odpadu.",
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine "
    "karşı kardeşlik zihniyeti ile hareket etmelidirler.",
    "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati "
    "nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
    "Bulbasaur, Charmander, Squirtle, Caterpie, Weedle, Pidgey, Rattata, Spearow, Ekans, Pikachu, Sandshrew, Nidoran, "
    "Clefairy, Vulpix, Jigglypuff, Zubat, Oddish, Paras, Venonat, Diglett, Meowth, Psyduck, Mankey, Growlithe",
    "See <https://example.org/a>, <https://example.org/b> and <https://example.org/c>.",
    "A page needs a root:\n\n```html\n<html><body><p></p><p></p><br/></body></html>\n```",
    "42",
    "🙂 Sure! Recursion is when a function calls itself.",
]

NOT_PROSE = [
    ("{not json", "data"),
    ('{"answer": "Natural selection keeps what helps.", "confidence": 0.9}', "data"),
    ('[{"role": "assistant", "content": "Hello"}]', "data"),
    ('```json\n{"far": 0.5, "sas": 0.5}\n```', "data"),
    ('"content": "", "finish_reason": "length"}', "data"),
    ("null", "data"),
    ('{"error": {"message": "Internal server error", "code": 500}}', "data"),
    ("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body></body></html>", "markup"),
    ("<div><span></span><p></p><br/><div class='x'></div></div>", "markup"),
    ("<?xml version='1.0'?><error/>", "markup"),
    ("<|im_start|><|im_end|><|im_start|><|im_end|>", "tokens"),
    ("[INST] [/INST] </s> <s>", "tokens"),
    ("<pad><pad><pad><pad>", "tokens"),
    ("ĠtheĠtheoryĠofĠnaturalĠselection", "tokens"),
    ("the the the the the the the the the the the the the the the the the the the the the the the the", "repetition"),
    ("It is a function. " * 30, "repetition"),
    (
        "的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的的",
        "repetition",
    ),
    ("xkcdq wrtplm zzgrft bnmtr qwrtp lkjhg fdsptr vbnmk trwqp", "gibberish"),
    ("��� ��� ��� ���", "gibberish"),
    ("}]}]};;::))(( ~~ ^^ && %% $$ ## @@ !! {{ [[ <> // \\\\", "gibberish"),
    ("Ã¢â‚¬â„¢Ã©Ã¨ Ã¢â‚¬Å“Ã¯Â¿Â½ Ã©Ã Ã¢â‚¬", "gibberish"),
    ("", "empty"),
    (" \n\t ", "empty"),
    ("...", "empty"),
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_lists_code_formulas_refusals_and_other_languages_are_left_alone(text):
    assert oddity(text) is None


@pytest.mark.parametrize(("text", "kind"), NOT_PROSE)
def test_what_is_no_prose_is_found_with_its_kind(text, kind):
    assert oddity(text) == kind


@pytest.mark.parametrize("text", REPEATING["loops"])
def test_a_loop_is_found_wherever_it_begins(text):
    assert oddity(text) == "repetition"


@pytest.mark.parametrize("text", REPEATING["honest"])
def test_lists_refrains_code_tables_and_parallel_sentences_are_no_loop(text):
    assert oddity(text) is None


EIGHT = "the force is equal to mass times acceleration "
LONG = "one " + " ".join(f"x{place}" for place in range(29)) + " "
BEFORE = "one two three four five six seven eight nine ten eleven twelve "


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (BEFORE + 3 * EIGHT, "repetition"),  # 24 of 36 words
        (BEFORE + 2 * EIGHT, None),  # said twice alone
        (BEFORE + 3 * EIGHT.removeprefix("the "), None),  # 21 words
        (BEFORE + 3 * EIGHT + " ".join(f"w{place}" for place in range(36)), "repetition"),  # 24 of 72: a third
        (BEFORE + 3 * EIGHT + " ".join(f"w{place}" for place in range(37)), None),
        (BEFORE + 3 * f"{EIGHT}\n", "repetition"),
        (BEFORE + "".join(f"{place}. {EIGHT}\n" for place in (1, 2, 3)), "repetition"),  # numbered lines
        (BEFORE + "".join(f"case {place}: {EIGHT}\n" for place in (1, 2, 3)), None),  # each of another case
        (BEFORE + f"```\n{3 * EIGHT}```", None),
        (BEFORE + 3 * f"\n| {EIGHT}|", None),
        (BEFORE + 12 * "0 1 1 ", None),
        (2 * LONG, "repetition"),  # 60 words, all of it said twice
        (2 * LONG.removeprefix("one "), None),  # 58
        (2 * LONG + " ".join(f"w{place}" for place in range(30)), "repetition"),  # 60 of 90 words
        (2 * LONG + " ".join(f"w{place}" for place in range(31)), None),  # 60 of 91: less than two thirds
    ],
)
def test_a_loop_is_words_three_times_in_a_row_that_are_a_third_of_the_text_or_most_of_it_twice(text, kind):
    assert oddity(text) == kind


def test_most_random_letters_are_gibberish():
    draw = random.Random(7)
    words = ("".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(40 * 12))
    texts = [" ".join(next(words) for _ in range(12)) for _ in range(40)]
    assert sum(oddity(text) == "gibberish" for text in texts) > 30


def pseudo_words(seed, number):
    draw = random.Random(seed)
    return " ".join("".join(draw.choices("bcdfgaeiouxz", k=draw.randint(3, 9))) for _ in range(number))


def test_random_letters_with_vowels_among_them_are_gibberish_where_there_are_enough_words():
    assert sum(oddity(pseudo_words(seed, 30)) == "gibberish" for seed in range(60)) > 55


@pytest.mark.parametrize(("number", "kind"), [(19, None), (20, "gibberish")])
def test_fewer_than_twenty_pseudo_words_are_left_alone(number, kind):
    words = [f"{first}gb{second}x{third}" for first in "aeiou" for second in "aeiou" for third in "ui"]
    assert oddity(" ".join(words[::2][:number])) == kind


def test_prose_about_random_letters_is_prose():
    said = "The key of this is that none of the words in the list can be a word of any language that we have."
    assert oddity(f"{said} {pseudo_words(1, 30)}") is None
