"""What the stage takes for a contradiction, kind by kind, and what it leaves alone."""

import pytest

from voirdire.evidence import ContextIndex, contradiction_score, find_contradictions

CONTEXT = """\
Millbrook Observatory is an astronomical observatory on Carrow Hill in northern Denland. It was founded by the
astronomer Ada Thornquist on 14 March 1887 and has 16 telescopes.

History
The main dome was built by Petrus Vandermolen between 1901 and 1904. It is 38 metres high and weighs 1,206 tonnes.
The observatory was closed during the war because the army occupied the hill. In 1951 Helga Sorensen discovered
the comet Larkspur with the smaller telescope. She did not accept any prize for it.

Visitors
The observatory is open every day except Monday. Most visitors arrive before noon, and about 40 percent of them are
children. Admission costs 12 dollars. The museum beside it opened in June 1978 and displays the instruments V12 and V14.
The museum was designed by the architect Lucia Ferrante, who had won a competition against Tomas Hrubec.
"""


@pytest.fixture(scope="module")
def index() -> ContextIndex:
    return ContextIndex.from_context(CONTEXT)


def kinds(sentence: str, index: ContextIndex) -> set[str]:
    return {found.kind for found in find_contradictions(sentence, index)}


FAITHFUL = [
    "The observatory was founded by ada thornquist in march 1887.",
    "It has sixteen telescopes.",
    "The main dome, built between 1901 and 1904 by petrus vandermolen, weighs about 1,200 tonnes.",
    "Helga sorensen discovered the comet larkspur in 1951 with the smaller telescope.",
    "She never accepted a prize for it.",
    "Most visitors arrive before noon, and 40% of them are children.",
    "The museum beside the observatory opened in june 1978.",
    "The museum was designed by lucia ferrante, who had won a competition against tomas hrubec.",
    "The observatory was not only founded by ada thornquist but named by her as well.",
    "Visitors may ask for a guided walk in the gardens.",
]


@pytest.mark.parametrize("sentence", FAITHFUL)
def test_a_sentence_that_the_context_carries_or_says_nothing_of_is_left_alone(
    sentence: str, index: ContextIndex
) -> None:
    assert find_contradictions(sentence, index) == ()
    assert contradiction_score(sentence, index) == 0.0


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The observatory has 23 telescopes.", "number"),
        ("The observatory has eleven telescopes.", "number"),
        ("About 70 percent of the visitors are children.", "number"),
        ("The main dome is 38 metres high and weighs 3,206 tonnes.", "number"),
        ("The museum beside it displays the instruments v12 and v19.", "number"),
        ("The observatory was founded by the astronomer ada thornquist in 1897.", "date"),
        ("The observatory was founded by the astronomer ada thornquist on 14 october 1887.", "date"),
        ("The museum beside it opened in april 1978.", "date"),
        ("The main dome is 38 feet high.", "unit"),
        ("Admission costs 12 euros.", "unit"),
        ("The main dome was built by lucia ferrante between 1901 and 1904.", "name"),
        ("In 1951 tomas hrubec discovered the comet larkspur with the smaller telescope.", "name"),
        ("The museum was not designed by the architect lucia ferrante.", "negation"),
        ("The main dome wasn't built between 1901 and 1904.", "negation"),
        ("Helga sorensen never discovered the comet larkspur.", "negation"),
        ("She accepted a prize for it.", "negation"),
        ("Few visitors arrive before noon.", "quantifier"),
        ("All visitors arrive before noon.", "quantifier"),
        ("Most visitors arrive after noon.", "comparison"),
        ("Helga sorensen discovered the comet larkspur with the larger telescope.", "comparison"),
        ("The observatory is on carrow hill in southern denland.", "comparison"),
    ],
)
def test_each_kind_is_found(sentence: str, kind: str, index: ContextIndex) -> None:
    assert kind in kinds(sentence, index)
    assert 0.6 <= contradiction_score(sentence, index) <= 1.0


def test_a_contradiction_names_both_sides_and_where_the_context_speaks(index: ContextIndex) -> None:
    (found,) = find_contradictions("The observatory has 23 telescopes.", index)
    assert (found.claim, found.evidence) == ("23", "16")
    assert "16 telescopes" in found.context_sentence


def test_a_number_of_something_else_is_found_where_the_context_has_it_elsewhere(index: ContextIndex) -> None:
    found = find_contradictions(
        "Helga sorensen discovered the comet larkspur with the smaller telescope in 1978.", index
    )
    assert [each.kind for each in found] == ["date"]
    assert found[0].evidence == "1951"


def test_rounding_is_no_contradiction_but_a_finer_figure_is(index: ContextIndex) -> None:
    assert not find_contradictions("It weighs about 1,200 tonnes.", index)
    assert find_contradictions("It weighs 1,217 tonnes.", index)


def test_the_surest_contradiction_comes_first(index: ContextIndex) -> None:
    sentence = "The main dome was not built by petrus vandermolen between 1901 and 1909."
    found = find_contradictions(sentence, index)
    assert len(found) == 2
    assert found[0].confidence >= found[1].confidence
    assert contradiction_score(sentence, index) == found[0].confidence


def test_a_name_that_the_context_spells_out_is_not_another_name() -> None:
    index = ContextIndex.from_context(
        "The Northern Lakes Trust bought the island in 1960. It was sold by the heirs of Arthur Penrose.\n"
        "The English settlers left in 1804. They went to Halifax. Farming began in 1850 under Mary Dunmore.\n"
        "Sheep were kept on the island until 1931. A school was opened by Mary Dunmore in 1861."
    )
    assert not find_contradictions("The nlt bought the island in 1960.", index)
    assert not find_contradictions("Settlers from england left in 1804.", index)
    assert "name" in kinds("The school was opened by arthur penrose in 1861.", index)


def test_the_escapes_of_wikitext_are_read_as_the_marks_they_stand_for() -> None:
    index = ContextIndex.from_context("The busiest section serves 38 @,@ 000 vehicles a day on a 4 @.@ 5 km stretch .")
    assert not find_contradictions("The busiest section serves 38,000 vehicles a day on a 4.5 km stretch.", index)
    assert find_contradictions("The busiest section serves 52,000 vehicles a day on a 4.5 km stretch.", index)


@pytest.mark.parametrize("context", ["", "   \n", "!!!", "1. 2. 3."])
def test_a_context_without_words_contradicts_nothing(context: str) -> None:
    assert contradiction_score("The tower was not built in 1889.", ContextIndex.from_context(context)) == 0.0


@pytest.mark.parametrize("sentence", ["", "?!", "1.", "Not.", "the of and", "No. 5 " * 400])
def test_any_sentence_can_be_read(sentence: str, index: ContextIndex) -> None:
    assert 0.0 <= contradiction_score(sentence, index) <= 1.0


def test_a_sentence_that_stands_in_the_context_word_for_word_is_never_contradicted() -> None:
    context = "The bank failed on 10 May 1866. The bank was saved on 10 May 1866 and not in 1867."
    for sentence in ("The bank failed on 10 May 1866.", "The bank was saved on 10 May 1866 and not in 1867."):
        assert find_contradictions(sentence, ContextIndex.from_context(context)) == ()
    assert find_contradictions("The bank failed on 12 May 1866.", ContextIndex.from_context(context))


def test_an_opposite_bound_is_found_on_either_side_of_the_figure() -> None:
    index = ContextIndex.from_context("Members who are 18 or older can vote in the assembly.")
    (found,) = find_contradictions("Members who are under 18 can vote in the assembly.", index)
    assert (found.kind, found.claim, found.evidence) == ("comparison", "under 18", "18 or older")


def test_a_negation_that_is_limited_contradicts_only_what_has_that_limit() -> None:
    sentence = "Orders cannot be changed after 24 hours."
    assert find_contradictions(sentence, ContextIndex.from_context("Orders can be changed within 24 hours.")) == ()
    assert find_contradictions(sentence, ContextIndex.from_context("Orders can be changed after 24 hours."))


def test_a_negation_before_a_bound_turns_it_round() -> None:
    index = ContextIndex.from_context("The load of the lift must not exceed 300 kg.")
    assert find_contradictions("The load of the lift may be up to 300 kg.", index) == ()
    (found,) = find_contradictions("The load of the lift must be at least 300 kg.", index)
    assert (found.claim, found.evidence) == ("at least 300 kg", "not exceed 300 kg")


VELORAS = "The Velora 3 delivers 65 Nm. The Velora 5 has the stronger M90 motor with 85 Nm and 8 gears."
SECTIONS = "Under Section 4 a tenant gives notice of 30 days. Under Section 9 a landlord gives notice of 90 days."


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (VELORAS, "The Velora 5 delivers 85 Nm."),
        (VELORAS, "the velora 5 delivers 85 Nm."),
        (VELORAS.replace("The ", ""), "The Velora 5 delivers 85 Nm."),
        (VELORAS, "The motor of the Velora 5 has 85 Nm."),
        (SECTIONS, "Under section 9 a landlord gives notice of 90 days."),
    ],
)
def test_a_sentence_about_one_model_is_not_contradicted_by_one_about_another(context: str, sentence: str) -> None:
    assert find_contradictions(sentence, ContextIndex.from_context(context)) == ()


@pytest.mark.parametrize(
    ("context", "sentence", "mine", "theirs"),
    [
        (VELORAS, "The Velora 3 delivers 85 Nm.", "85", "65"),
        (VELORAS, "The Velora 5 has 65 Nm.", "65", "85"),
        (VELORAS, "The Velora 7 has 85 Nm.", "Velora 7", "Velora 3"),
        (SECTIONS, "Under Section 9 a landlord gives notice of 30 days.", "30 days", "90 days"),
    ],
)
def test_a_figure_of_another_model_is_found(context: str, sentence: str, mine: str, theirs: str) -> None:
    (found,) = find_contradictions(sentence, ContextIndex.from_context(context))
    assert (found.kind, found.claim, found.evidence) == ("number", mine, theirs)


def test_what_is_forbidden_is_negated() -> None:
    index = ContextIndex.from_context("Never charge the battery in a tent.")
    assert find_contradictions("Charging the battery in a tent is forbidden.", index) == ()
    assert find_contradictions("Charging the battery in a tent is allowed.", index)


@pytest.mark.parametrize("job", ["presses a cup of juice", "melts a pint of wax", "kit warms a litre of milk"])
def test_a_model_with_a_plain_number_is_one_though_a_noun_follows_that_could_be_a_rate(job: str) -> None:
    index = ContextIndex.from_context(f"The Tamber 30 {job} in 5 minutes. The Tamber 80 {job} in 8 minutes.")
    assert find_contradictions(f"The Tamber 80 {job} in 8 minutes.", index) == ()
    (found,) = find_contradictions(f"The Tamber 30 {job} in 8 minutes.", index)
    assert (found.claim, found.evidence) == ("8 minutes", "5 minutes")


OVEN = "The oven must be between 30 and 45 cm wide."


@pytest.mark.parametrize("bound", ["at least 30", "at most 45", "no less than 30", "no more than 45"])
def test_a_bound_that_a_range_has_on_that_side_is_no_contradiction(bound: str) -> None:
    assert find_contradictions(f"The oven must be {bound} cm wide.", ContextIndex.from_context(OVEN)) == ()


@pytest.mark.parametrize("bound", ["at least 45 cm", "at most 30 cm"])
def test_an_end_of_a_range_as_the_opposite_bound_is_found_and_the_range_quoted(bound: str) -> None:
    (found,) = find_contradictions(f"The oven must be {bound} wide.", ContextIndex.from_context(OVEN))
    assert (found.kind, found.claim, found.evidence) == ("comparison", bound, "between 30 and 45 cm")


def test_a_value_outside_a_range_quotes_the_range() -> None:
    (found,) = find_contradictions("The oven must be 60 cm wide.", ContextIndex.from_context(OVEN))
    assert found.evidence == "between 30 and 45 cm"


def test_another_unit_quotes_the_figure_of_the_sentence_on_the_same_matter() -> None:
    index = ContextIndex.from_context("Eggs need 5 minutes. The guarantee on the kettle runs for five years.")
    (found,) = find_contradictions("The guarantee on the kettle runs for five months.", index)
    assert (found.kind, found.evidence) == ("unit", "five years")


def test_a_value_within_an_open_limit_is_no_contradiction() -> None:
    index = ContextIndex.from_context("The glue may be used at 8 °C or above.")
    assert find_contradictions("The glue may be used at 12 °C.", index) == ()
    (found,) = find_contradictions("The glue may be used at 3 °C.", index)
    assert found.evidence == "8 °C"


FILTERS = ContextIndex.from_context("Run it only with the K3 filter. Never run it below 6 °C.")


@pytest.mark.parametrize("sentence", ["Use no filter but the K3.", "Do not run it with any other filter."])
def test_no_other_than_a_code_is_what_only_that_code_says(sentence: str) -> None:
    assert find_contradictions(sentence, FILTERS) == ()


def test_never_with_a_code_is_found_though_another_sentence_has_a_never_of_its_own() -> None:
    (found,) = find_contradictions("Never run it with the K3 filter.", FILTERS)
    assert found.kind == "negation"


def test_not_the_only_one_contradicts_the_only_one():
    index = ContextIndex.from_context("It is the only song they have ever written.")
    assert find_contradictions("Harbour was not the only song written by the band.", index)


EMBERS = (
    "The Ember 300 heats a cup of water in 4 to 6 minutes. The Ember 500 has two burners. The Ember 500 weighs 950 g. "
    "The Ember 300 has an output of 2.4 kW. The hose must be replaced every 5 years. The Ember 5 is louder than the "
    "Ember 3. Parcels take 3 to 5 days. The guarantee lasts 2 years."
)


@pytest.mark.parametrize(
    ("sentence", "claim", "evidence"),
    [
        ("The Ember 3 is louder than the Ember 5.", "louder than the Ember 5", "louder than the Ember 3"),
        ("The Ember 300 has two burners.", "Ember 300", "Ember 500"),
        ("The Ember 500 heats a cup of water in 4 to 6 minutes.", "Ember 500", "Ember 300"),
        ("The hose must be replaced after 4 years.", "4 years", "5 years"),
        ("Parcels take 2 days.", "2 days", "3 to 5 days"),
        ("The Ember 300 heats a cup of water in 6 litres.", "6 litres", "4 to 6 minutes"),
    ],
)
def test_the_words_quoted_are_whole_and_of_the_same_thing(sentence: str, claim: str, evidence: str) -> None:
    (found,) = find_contradictions(sentence, ContextIndex.from_context(EMBERS))
    assert (found.claim, found.evidence) == (claim, evidence)


def test_a_model_that_has_not_what_another_has_is_no_contradiction() -> None:
    index = ContextIndex.from_context(EMBERS)
    assert find_contradictions("The Ember 300 does not have two burners.", index) == ()


def test_a_figure_with_a_unit_is_no_part_of_a_name() -> None:
    context = "The Ember 300 boils one litre of water in 4 to 6 minutes. The Ember 4 weighs 1350 g."
    (found,) = find_contradictions("The Ember 4 weighs 4 kg.", ContextIndex.from_context(context))
    assert (found.claim, found.evidence) == ("4 kg", "1350 g")


def test_a_negator_reaches_no_figure_behind_unless() -> None:
    unless = "Opened bags are not refunded unless the roast date on the bag is more than 30 days old."
    context = ContextIndex.from_context(unless)
    for faithful in ("Opened bags are not refunded.", "Opened bags are generally not refunded."):
        assert find_contradictions(faithful, context) == ()
    assert find_contradictions("Opened bags are refunded.", context)
    only_if = "Opened bags are refunded only if the roast date is more than 30 days old."
    assert find_contradictions(only_if, context) == ()


def test_a_no_that_answers_a_question_negates_nothing_of_the_sentence() -> None:
    context = ContextIndex.from_context("The pool is closed in winter. Dogs are allowed on the lawn.")
    assert find_contradictions("No, the pool is closed in winter.", context) == ()
    assert find_contradictions("No, dogs are not allowed on the lawn.", context)
    assert find_contradictions("No dogs are allowed on the lawn.", context)


def test_a_figure_that_follows_a_name_where_the_verb_is_left_out_is_in_the_context() -> None:
    context = ContextIndex.from_context("MS Borealis carries 1,200 passengers, MS Aurora 800.")
    assert find_contradictions("MS Aurora carries 800 passengers.", context) == ()
    assert find_contradictions("MS Aurora carries 900 passengers.", context)


SHOP = (
    "Delivery within 10 miles costs 12 pounds. Beyond 10 miles we charge 2 pounds for every mile. "
    "The deposit is given back when the tool comes back clean. A fee is taken from the deposit if the tool is dirty. "
    "The yard closes at 15:30."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Every mile beyond 10 miles costs 2 pounds.",
        "If the tool is dirty, you lose some of the deposit.",
        "The yard is open until 15:30.",
    ],
)
def test_what_the_context_says_of_one_side_does_not_contradict_what_it_says_of_the_other(sentence):
    assert find_contradictions(sentence, ContextIndex.from_context(SHOP)) == ()


@pytest.mark.parametrize("sentence", ["Delivery beyond 10 miles costs 12 pounds.", "The yard opens at 15:30."])
def test_the_wrong_side_still_does(sentence):
    assert find_contradictions(sentence, ContextIndex.from_context(SHOP))[0].kind == "comparison"


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (
            "We deliver free within 5 miles; beyond 5 miles delivery costs 15 euros.",
            "A delivery of 12 miles costs 15 euros.",
        ),
        (
            "Dogs up to 15 kg are welcome, larger dogs only in the cabins.",
            "A dog of 30 kg is welcome only in the cabins.",
        ),
        ("Vehicles taller than 2.1 m must use the open yard, which is free.", "A van of 2.6 m must use the open yard."),
    ],
)
def test_a_value_beyond_a_limit_is_none_where_the_context_tells_of_what_is_beyond(context, sentence):
    assert find_contradictions(sentence, ContextIndex.from_context(context)) == ()


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("The upper floor is reached by stairs.", "Probably not, as the upper floor is reached by stairs."),
        (
            "The crossing takes 55 minutes on the fast boat Tern. The Tern does not carry vehicles.",
            "You can't take a car on the fast boat, as the Tern carries no vehicles.",
        ),
        ("Late sessions are lost unless you send a note.", "A late session is not lost, provided you send a note."),
        (
            "During the check the server may stay online.",
            "It isn't necessary to take the server offline for the check.",
        ),
        (
            "Register the tool within 30 days, or its warranty is only one year.",
            "Unless you register the tool within 30 days, its warranty is one year.",
        ),
    ],
)
def test_a_negation_that_follows_from_the_context_is_none(context, sentence):
    assert find_contradictions(sentence, ContextIndex.from_context(context)) == ()


def test_that_something_is_not_needed_contradicts_that_it_is():
    index = ContextIndex.from_context("You must take the server offline for the check.")
    assert find_contradictions("It isn't necessary to take the server offline for the check.", index)


def test_a_mark_of_a_source_is_no_figure():
    index = ContextIndex.from_context("[1] Refunds are paid within 14 days [2].")
    (found,) = find_contradictions("Refunds are paid within 2 days.", index)
    assert found.evidence == "within 14 days" or found.evidence == "14 days"
    assert index.figures[0][0].text == "14 days" and len(index.figures[0]) == 1


def test_a_figure_without_its_noun_is_still_one_of_the_sentence():
    index = ContextIndex.from_context("The slim D45 takes nine place settings, the D60 takes fourteen.")
    assert find_contradictions("The D60 takes fourteen place settings, the narrower D45 nine.", index) == ()


def test_a_not_at_the_end_of_a_clause_negates_what_was_said_before():
    index = ContextIndex.from_context("The pot is dishwasher-safe; the lid is not.")
    assert find_contradictions("The lid is not dishwasher-safe.", index) == ()


DELAYS = """\
Passengers get compensation for delays of more than two hours. No compensation is paid if the passenger was told of the
delay 14 days ahead. Paper bills cost customers 2 euros each. Emailed bills are free.
"""


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("A passenger told of the delay 14 days ahead gets nothing.", []),
        ("Emailed bills cost nothing.", []),
        ("Emailed bills cost customers nothing.", []),
        ("Customers pay nothing for emailed bills.", []),
        ("For delays of more than two hours passengers get nothing.", ["nothing"]),
        ("Paper bills cost nothing.", ["nothing"]),
        ("Customers pay nothing for paper bills.", ["nothing for paper bills"]),
    ],
)
def test_nothing_says_what_no_and_free_say_of_the_same_thing(sentence, found):
    assert [each.claim for each in find_contradictions(sentence, ContextIndex.from_context(DELAYS))] == found


def test_a_person_is_held_against_a_person_and_not_against_the_company():
    facts = """\
The Halvorn ferries carry cars. Halvorn was founded in 1998 by Ingrid Solberg in a former boathouse.

Tickets are sold online.

Dogs travel free.

Meals are served on board.

The chief executive is Maja Lind.
"""
    (found,) = find_contradictions("Maja Lind founded the company in 1998.", ContextIndex.from_context(facts))
    assert (found.claim, found.evidence) == ("Maja Lind", "Ingrid Solberg")


def test_the_first_two_weeks_are_fourteen_days():
    facts = ContextIndex.from_context("Claims must be filed within 14 days of the trip. The office is open daily.")
    assert not find_contradictions("The claim must be filed in the first two weeks.", facts)
    assert kinds("The claim must be filed in the first three weeks.", facts) == {"number"}


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("Quayside has no parking.", False),
        ("Birkfeld has no parking.", True),
        ("Birkfeld has parking.", False),
        ("Quayside has parking.", True),
        ("Parking is not available at Quayside on Saturday.", False),
    ],
)
def test_rows_of_a_table_say_yes_and_no_without_words_that_negate(sentence: str, changed: bool) -> None:
    rows = (
        "| Depot | Saturday | Parking |",
        "|---|---|---|",
        "| Quayside | 9 to 15 | no |",
        "| Birkfeld | closed | yes |",
    )
    assert ("negation" in kinds(sentence, ContextIndex.from_context("\n".join(rows)))) is changed


def test_json_says_no_without_words_that_negate() -> None:
    record = '{"loans": [{"title": "The Overstory", "renewals_left": 1}, {"title": "Klara", "renewals_left": 0}]}'
    assert "negation" not in kinds("Klara can't be renewed.", ContextIndex.from_context(record))


@pytest.mark.parametrize(
    ("context", "sentence", "sure"),
    [
        ("The sauna is open until 20:00.", "The sauna is open until 22:00.", True),
        ("The excess for flood damage is £350.", "The excess for flood damage is £530.", True),
        ("Groups get 15 % off.", "Groups get 50 % off.", True),
        ("The hall is rented for €80 an hour.", "The hall is rented for €80 a day.", True),
        ("The lease ends on 3 May 2024.", "The lease ends on 4 May 2024.", True),
        ("The lease can be renewed.", "The lease can't be renewed.", True),
        ("Items over 30 kg come by freight.", "Items under 30 kg come by freight.", True),
        ("Goods can be returned only with a receipt.", "Goods can be returned.", True),
        # Another sentence of the context may say it, or one that a rule misreads.
        ("The sauna on the lower floor is open to members until 20:00.", "Guests use the sauna until 22:00.", False),
        ("The ward has 12 beds.", "The ward has 14 beds.", False),
        ("Sales rose in May.", "Sales fell in May.", False),
        ("Books are lent for one week.", "Books are lent for a month.", False),
    ],
)
def test_of_contradictions_those_of_a_precise_kind_in_nearly_the_same_words_are_sure(context, sentence, sure) -> None:
    found = find_contradictions(sentence, ContextIndex.from_context(context))
    assert found
    assert any(each.sure for each in found) == sure


def test_an_age_is_no_other_unit_of_a_span() -> None:
    facts = ContextIndex.from_context("Adults take 10 ml every six hours.")
    assert kinds("A six-year-old takes 10 ml.", facts) == set()
    ages = ContextIndex.from_context("The kitten was six months old.")
    assert kinds("The kitten was six years old.", ages) == {"unit"}


@pytest.mark.parametrize("beside", ["Guide dogs are allowed.", "Guide dogs are an exception."])
def test_what_the_next_sentence_exempts_from_a_ban_is_not_banned(beside: str) -> None:
    facts = ContextIndex.from_context(f"Dogs are not allowed in the reading rooms. {beside}")
    assert kinds("Guide dogs are allowed in the reading rooms.", facts) == set()
    assert kinds("Dogs are allowed in the reading rooms.", facts) == {"negation"}


def test_how_long_something_lasts_is_not_how_often_another_thing_comes() -> None:
    facts = ContextIndex.from_context("DVDs are lent for one week.\n\nThe mobile library visits every two weeks.")
    assert kinds("DVDs are lent for two weeks.", facts) == {"number"}
    assert kinds("The mobile library visits every two weeks.", facts) == set()


def test_a_value_of_another_record_is_said_to_be_that_of_its_own_name() -> None:
    records = '[{"name": "Yoga", "trainer": "Tom Reed"}, {"name": "Aqua", "trainer": "Eva Lind"}]'
    (name,) = find_contradictions("The yoga trainer is Eva Lind.", ContextIndex.from_context(records))
    assert (name.kind, name.claim, name.evidence, name.about, name.sure) == (
        "name",
        "Eva Lind",
        "trainer: Tom Reed",
        "Yoga",
        True,
    )


def test_measures_in_two_units_of_one_sort_surely_differ() -> None:
    (found,) = find_contradictions(
        "The paddling pool is 6 m deep.", ContextIndex.from_context("The paddling pool is 60 cm deep.")
    )
    assert found.sure


LOG = (
    "time,room,temp_c,noise_db\n2025-03-04 08:00,East,19.2,41\n2025-03-04 08:00,West,21.6,38\n"
    "2025-03-04 14:00,East,20.4,55\n2025-03-04 14:00,West,23.1,47"
)
DESKS = (
    "| Name | Desk | Floor | Phone |\n|---|---|---|---|\n| Ida Falk | Loans | 2 | 310 |\n"
    "| Ove Lind | Returns | 1 | 311 |\n| Mia Roth | Archive | 3 | 318 |"
)


@pytest.mark.parametrize(
    ("context", "sentence", "evidence"),
    [
        (LOG, "At 08:00 the West room was at 19.2 °C.", "temp c: 21.6"),
        (LOG, "The West room had 55 dB at 14:00.", "noise db: 47"),
        (DESKS, "Mia Roth in the archive has phone 310.", "318"),
        (DESKS, "Mia Roth of the archive sits on floor 2.", "Floor: 3"),
    ],
)
def test_a_figure_of_another_row_differs_from_that_of_the_row_that_two_cells_name(context, sentence, evidence):
    (found,) = find_contradictions(sentence, ContextIndex.from_context(context))
    assert (found.kind, found.evidence) == ("number", evidence)


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (LOG, "At 08:00 the West room was at 21.6 °C."),
        (LOG, "At 08:00 the West room was 2.4 °C warmer than the East room."),
        (LOG, "The East room rose from 19.2 °C at 08:00 to 20.4 °C at 14:00."),
        (DESKS, "Mia Roth in the archive speaks 1 language."),
        (DESKS, "There are 3 desks: Loans with Ida Falk, Returns and the Archive."),
    ],
)
def test_a_figure_of_the_named_row_or_of_no_row_differs_from_none(context, sentence):
    assert find_contradictions(sentence, ContextIndex.from_context(context)) == ()


LIGHT = (
    "The lighthouse was built in 1872 by Jon Abel, who lived there. His daughter ran it from 1903. In 1986 the station "
    "was sold to the harbour trust, and in 1995 it was painted red. The lamp was lit in 1990 and has had a lens since "
    "2004."
)


@pytest.mark.parametrize(
    ("sentence", "year"),
    [
        ("The lighthouse was sold to the harbour trust in 1976.", "1986"),
        ("The station was painted red in 1988.", "1995"),
        ("The lamp has had a lens since 2014.", "2004"),
        ("The lighthouse was built in 1878 by Jon Abel.", "1872"),
    ],
)
def test_a_year_differs_from_that_of_the_same_event(sentence, year):
    (found,) = find_contradictions(sentence, ContextIndex.from_context(LIGHT))
    assert (found.kind, found.evidence) == ("date", year)


def test_a_code_with_two_signs_exchanged_is_told_once():
    index = ContextIndex.from_context("Filter bag FB-35 holds 4 litres. Filter bag FB-60 holds 9 litres.")
    told = find_contradictions("For the small tank, order filter bag FB-53.", index)
    assert [(each.claim, each.evidence) for each in told] == [("FB-53", "FB-35")]


@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("On Tuesday the kiln room closes at 16:15.", "18:00"),
        ("On Tuesday the kiln room opens at 10:00.", "08:15"),
    ],
)
def test_the_time_of_another_day_differs_from_that_of_the_same_column(sentence, time):
    table = (
        "| Day | Opens | Closes |\n|---|---|---|\n| Monday to Thursday | 08:15 | 18:00 |\n| Friday | 08:15 | 16:15 |"
    )
    told = find_contradictions(sentence, ContextIndex.from_context(f"{table}\n| Saturday | 10:00 | 13:00 |"))
    assert [(each.evidence, each.about) for each in told] == [(time, "Monday to Thursday")]


TICKETS = (
    '[{"ticket": "HV-310", "owner": "Mira Stone", "state": "closed"},'
    ' {"ticket": "HV-311", "owner": "Jan Peck", "state": "waiting for parts"}]'
)


@pytest.mark.parametrize(
    ("sentence", "claim", "evidence", "about"),
    [
        ("HV-311 has already been closed.", "closed", "state: waiting for parts", "HV-311"),
        ("HV-310 is owned by Jan Peck.", "Jan Peck", "owner: Mira Stone", "HV-310"),
    ],
)
def test_a_value_of_another_record_differs_from_that_of_the_record_that_is_named(sentence, claim, evidence, about):
    (told,) = find_contradictions(sentence, ContextIndex.from_context(TICKETS))
    assert (told.claim, told.evidence, told.about) == (claim, evidence, about)


def test_a_number_word_within_a_name_is_no_counterpart():
    context = '{"booking": "LM-20", "guest": "Theatre Nine Lives", "seats": 240}'
    told = find_contradictions("Altogether 350 chairs were booked.", ContextIndex.from_context(context))
    assert "Nine" not in [each.evidence for each in told]
