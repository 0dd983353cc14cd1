from voirdire.integrity import EstablishedFact
from voirdire.integrity.rules import inspect_response


def inspected(response, *facts):
    return inspect_response(response, [EstablishedFact(f"F{n}", text) for n, text in enumerate(facts, start=1)])


def statuses(response, *facts):
    return [each.status for each in inspected(response, *facts).coverage]


def types(response, *facts):
    return [each.type for each in inspected(response, *facts).violations]


def test_a_fact_is_not_stated_under_another_name():
    assert statuses("The clinic is led by Dr. Meyer.", "The clinic is led by Dr. Okafor.") == ["blurred"]
    assert statuses("Ms. Okafor manages the sauna.", "Ms. Okafor manages the sauna.") == ["stated"]
    assert statuses("WHO leads the clinic's audit.", "The World Health Organization leads the clinic's audit.") == [
        "stated"
    ]


def test_an_estimate_of_a_price_denies_no_price():
    assert "fact_denial" not in types("The ticket is fairly cheap.", "A day ticket costs 5.50 euros.")
    assert "fact_denial" in types("The ticket is cheap.", "The ticket is expensive.")


def test_a_year_is_not_held_against_an_age():
    assert types("The account was opened in 2019.", "The account is for people aged 18 to 26.") == []
    assert "fact_denial" in types("The bridge opened in 1911.", "The bridge opened in 1907.")


def test_a_fact_is_not_stated_without_its_negation():
    for fact in ("Never use the stove in a tent.", "Do not use the stove in a tent."):
        assert statuses("It is safe to use it in a tent with the door open.", fact) == ["blurred"]
        assert statuses("Never use it in a tent.", fact) == ["stated"]
