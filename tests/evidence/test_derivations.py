"""Figures that follow from those of the context, and figures that are near them and don't."""

import pytest

from voirdire.detectors.lexical import LexicalDetector
from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.derivations import derivations, is_calculated
from voirdire.evidence.matching import match_of

MUSEUM = (
    "The museum has 12 rooms on the ground floor and 9 rooms upstairs. Admission is 8 euros for adults and 5 euros for "
    "children. It opened in 1974 and was enlarged in 1999."
)
FERRY = (
    "The ferry leaves at 9:15 and reaches the island at 10:45. The return boat leaves at 17:00. It takes 140 "
    "passengers and 22 cars; in winter there are only 90 seats."
)
TEAM = "The team has four engineers, two designers and a product manager. Last year 26 releases had 13 rollbacks."
PLAN = (
    "The contract runs for 24 months at 25 euros a month, and there is a connection fee of 40 euros. Customers under "
    "28 pay 5 euros less a month. The family plan costs 15 dollars a month, the single one 10 dollars a month or 96 "
    "dollars a year."
)
VINEYARD = "The vineyard covers 14 hectares of Riesling and 6 hectares of Pinot Noir. The family bought it in 1921."
HIRE = (
    "A pedalo costs £15 per hour, a canoe £9 per hour. The last guided tour starts at 11:00 and takes 75 minutes. Of "
    "140 pitches 60 have electricity."
)
CLINIC = "In March the clinic saw 640 patients, in April 720. Visiting hours are from 18:00 to 19:30."
DELAY = (
    "A delay of an hour gives 25 percent of the ticket price back. A bicycle costs 9 euros. Desk hours: 7:00 to 21:00."
)
PAID = "The deposit was paid as 300 euros in March, 350 euros in April, 250 euros in May and 350 euros in June."
COSTS = (
    "| Item | Cost |\n|---|---|\n| Rent | 300 euros |\n| Food | 350 euros |\n| Travel | 250 euros |\n"
    "| Books | 350 euros |"
)
TRIP = (
    "Costs of the trip:\n- Rent: 300 euros\n- Food: 350 euros\n- Travel: 250 euros\n- Books: 350 euros\n"
    "- Gifts: 100 euros"
)
PRESS = (
    "The press HP-4 costs 180 euros per week; its course costs 95 euros each. A lost key is charged at 90 euros, minus "
    "15 euros for each full year of use."
)
BRANCHES = "Branch; Staff; Rooms\nNorth; 14; 3\nSouth; 22; 5\nEast; 9; 2\nWest; 31; 7"
CHOIR = "The choir has 11 sopranos, 9 altos, 6 tenors and 8 basses."

SAID = [
    (PRESS, "Four weeks of the HP-4 cost {} euros.", "720", "750"),
    (PRESS, "A lost key that is two full years old is charged at {} euros.", "60", "70"),
    (PAID, "In all {} euros were paid.", "1,250", "950"),
    (COSTS, "The items cost {} euros in total.", "1,250", "1,150"),
    (TRIP, "The trip cost {} euros in total.", "1,350", "1,250"),
    (BRANCHES, "The branches have {} staff in total.", "76", "45"),
    (CHOIR, "The choir has {} singers in total.", "34", "28"),
    (DELAY, "If your ticket cost 80 euros, you get {} euros back.", "20", "30"),
    (DELAY, "If your ticket cost 80 euros, you still pay {} euros.", "60", "55"),
    (DELAY, "For two adults with a bicycle each, that makes {} euros.", "18", "16"),
    (DELAY, "The desk is open for {} hours a day.", "14", "12"),
    (MUSEUM, "The museum has {} rooms in all.", "21", "19"),
    (MUSEUM, "Together the two floors have {} rooms.", "21", "23"),
    (MUSEUM, "One adult and one child pay {} euros.", "13", "14"),
    (MUSEUM, "Two adults pay {} euros.", "16", "18"),
    (MUSEUM, "The enlargement came {} years after the opening.", "25", "35"),
    (MUSEUM, "A child's ticket is {} euros cheaper than an adult's.", "three", "four"),
    (FERRY, "The ferry needs {} minutes to the island.", "90", "75"),
    (FERRY, "You have more than {} hours on the island until the return boat.", "six", "nine"),
    (FERRY, "In winter there are {} seats fewer.", "50", "40"),
    (FERRY, "Two full boats carry {} passengers.", "280", "240"),
    (TEAM, "The team consists of {} people.", "seven", "nine"),
    (TEAM, "{} of last year's releases were rolled back.", "50 %", "40 %"),
    (PLAN, "Over the whole contract you pay {} euros.", "600", "500"),
    (PLAN, "A customer of 25 pays {} euros a month.", "20", "15"),
    (PLAN, "A year of the family plan costs {} dollars.", "180", "150"),
    (PLAN, "Paying yearly saves {} dollars on the single plan.", "24", "36"),
    (VINEYARD, "In all there are {} hectares of vines.", "20", "22"),
    (VINEYARD, "{} of the vineyard is planted with Riesling.", "70 %", "60 %"),
    (VINEYARD, "The family had owned it for {} years in 2021.", "100", "90"),
    (HIRE, "Two hours in a pedalo cost £{}.", "30", "25"),
    (HIRE, "Two hours in a canoe cost £{} in total.", "18", "20"),
    (HIRE, "The guided tour ends at {}.", "12:15", "12:45"),
    (HIRE, "{} pitches are without electricity.", "80", "90"),
    (CLINIC, "April brought {} more patients than March.", "80", "100"),
    (CLINIC, "The visiting hours last {} minutes.", "90", "60"),
]


COFFEE = "Use 60 g of ground coffee per litre of water. The press holds 3 cups; coffee for 8 cups takes 72 g of beans."
RESIN = "Mix 15 ml of hardener into 500 ml of resin and stir for two minutes. The mixture sets after 40 minutes."
BOAT = "A boat costs 18 EUR for the first 2 hours; each further hour is charged at 6.50 EUR. The deposit is 50 EUR."
COURIER = "The courier takes 12 EUR up to 20 kg. Above that, 0.40 EUR is added for every additional kilogram."
PRINTER = "The press prints 250 posters in 20 minutes. Fabric is sold at 14 EUR per metre."

GROWN = [
    (COFFEE, "For 3 litres of water, use {} of ground coffee.", "180 g", "160 g"),
    (COFFEE, "If you brew half a litre, take {} of coffee.", "30 g", "40 g"),
    (RESIN, "A 2-litre batch of resin takes {} of hardener.", "60 ml", "75 ml"),
    (RESIN, "250 ml of resin need {} of hardener.", "7.5 ml", "10 ml"),
    (BOAT, "A boat for 4 hours costs {}.", "31 EUR", "36 EUR"),
    (COURIER, "A parcel of 35 kg costs {} by courier.", "18 EUR", "26 EUR"),
    (COURIER, "The additional 10 kg cost {}.", "4 EUR", "6 EUR"),
    (PRINTER, "Over 60 minutes the press prints {}.", "750 posters", "700 posters"),
    (PRINTER, "It prints {} in two hours.", "1,500 posters", "1,200 posters"),
    (PRINTER, "2.5 metres of fabric cost {}.", "35 EUR", "38 EUR"),
]


@pytest.mark.parametrize(("context", "sentence", "right", "wrong"), GROWN)
def test_what_grows_with_another_figure_follows_from_their_ratio(context, sentence, right, wrong):
    detector = LexicalDetector()
    some = detector.reasons(context, [sentence.format(right), sentence.format(wrong)])
    has_reason = [any(each.startswith(("number", "unit")) for each in reasons) for reasons in some]
    assert has_reason == [False, True]


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("The warranty covers 2 years or 20,000 km.", "The warranty covers 4 years or 40,000 km."),
        ("Store it at 4 to 8 °C.", "Store it at 8 to 16 °C."),
        ("A boat costs 18 EUR for the first 2 hours.", "A boat costs 36 EUR for the first 4 hours."),
        ("Twelve cards for 4 hours cost 60 EUR.", "A card for 8 hours costs 120 EUR."),
    ],
)
def test_figures_of_a_limit_a_range_or_a_price_do_not_grow_together(context, sentence):
    assert derived(context, sentence) == []


def derived(context, sentence):
    match = match_of(sentence, ContextIndex.from_context(context))
    return [each.figure.text for each in derivations(match).values()]


@pytest.mark.parametrize(("context", "sentence", "right", "wrong"), SAID)
def test_the_right_figure_follows_and_another_one_does_not(context, sentence, right, wrong):
    assert derived(context, sentence.format(right))
    assert not [each for each in derived(context, sentence.format(wrong)) if wrong in each]


@pytest.mark.parametrize(("context", "sentence", "right", "wrong"), SAID)
def test_a_wrong_figure_scores_higher_than_the_right_one(context, sentence, right, wrong):
    detector = LexicalDetector()
    (as_said,), (changed,) = (detector.flag(context, [sentence.format(each)]) for each in (right, wrong))
    assert as_said < changed


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (MUSEUM, "The museum has 21 lifts."),  # nothing says that it is a sum
        (MUSEUM, "The shop sells 3 books of 60 pages each."),
        ("The upload is limited to 10 files of 4 MB each.", "The upload is limited to 10 files of 40 MB each."),
        (VINEYARD, "Together with the neighbour's there are 120 hectares."),
        ("The oven cost 60,000 dollars. It takes 0 minutes to warm up.", "It is written off at 4,000 dollars a year."),
        (FERRY, "Together they paid 112 euros."),  # 90 seats and 22 cars are no money
    ],
)
def test_what_chance_may_put_together_does_not_follow(context, sentence):
    assert derived(context, sentence) == []


def test_a_derivation_is_a_sentence_for_whom_reads_the_evidence():
    match = match_of("The museum has 21 rooms in all.", ContextIndex.from_context(MUSEUM))
    (found,) = derivations(match).values()
    assert (found.sign, [term.text for term in found.terms]) == ("+", ["12", "9"])
    assert found.words == "12 and 9 make 21."


def test_a_month_before_a_number_is_no_name():
    assert derived(CLINIC, "Together, March and April had 1,360 patients.") == ["1,360"]


def test_a_figure_that_the_sentence_supposes_is_none_of_the_context():
    found = derivations(
        match_of("If your ticket cost 80 euros, you get 20 euros back.", ContextIndex.from_context(DELAY))
    )
    assert [each.sign for each in found.values()] == ["%", "if"]
    assert next(iter(found.values())).words == "25 percent of 80 euros make 20 euros."
    claimed = match_of("Your ticket cost 80 euros, and you get 20 euros back.", ContextIndex.from_context(DELAY))
    assert [each.sign for each in derivations(claimed).values()] == ["%"]


def test_what_a_percent_leaves_of_a_figure_is_said_to_be_left():
    index = ContextIndex.from_context(DELAY)
    found = derivations(match_of("If your ticket cost 80 euros, you still pay 60 euros.", index))
    assert "80 euros less 25 percent make 60 euros." in [each.words for each in found.values()]


TICKETS = (
    "Tickets: adults €14, children €7, seniors €11. The workshop costs €25 and the materials €12. The family pass "
    "costs €38."
)


@pytest.mark.parametrize(
    ("sentence", "right", "wrong"),
    [
        ("Two adults and two children pay {} in total.", "€42", "€45"),
        ("One adult and three children pay {}.", "€35", "€34"),
        ("A family of two adults and two children saves {} with the family pass.", "€4", "€9"),
        ("The workshop and the materials come to {}.", "€37", "€39"),
    ],
)
def test_of_a_figure_that_a_sentence_calculates_the_reason_says_what_was_tried(sentence, right, wrong):
    detector = LexicalDetector()
    reasons = detector.reasons(TICKETS, [sentence.format(right), sentence.format(wrong)])
    tried = "no sum, difference or multiple of its figures that was tried gives it"
    said = f"number: “{wrong}” is not in the context, and {tried}"
    assert [[each for each in some if each.startswith("number")] for some in reasons] == [[], [said]]


@pytest.mark.parametrize(("amount", "is_said"), [("£8.00", False), ("£62.50", False), ("£9.00", True)])
def test_no_reason_says_that_nothing_gives_what_two_rows_make(amount, is_said):
    table = "| Kayak | Weekly price |\n|---|---|\n| Kestrel | £23.00 |\n| Heron | £31.00 |\n| Egret | £39.50 |"
    match = match_of(f"Whoever hires both saves {amount} a week.", ContextIndex.from_context(table))
    assert is_calculated(match, match.figures[0][0]) is is_said


@pytest.mark.parametrize(
    ("sentence", "is_said"),
    [
        ("A year of the HP-4 costs €9,300.", True),
        ("Four weeks of the HP-4 cost €750.", True),
        ("A week with the HP-4 costs €200.", False),
    ],
)
def test_an_amount_over_another_period_is_calculated(sentence, is_said):
    match = match_of(sentence, ContextIndex.from_context(PRESS.replace(" euros", "€")))
    assert is_calculated(match, match.figures[-1][0]) is is_said
    told = [each.is_calculated for each in find_contradictions(sentence, match.index)]
    assert told == [is_said]
