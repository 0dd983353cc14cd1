"""How the evidence of validity checks reads."""

from __future__ import annotations

from voirdire.reason_codes import declare

_NEAR_COPY = (
    "{judges:and} gave nearly the same scores, or scores a constant apart, to {hits:,} of the {of:count answer} to "
    "which one of them gave scores that it seldom gives. Independent judges do so for less than three quarters: take "
    "the two for one judge"
)

SHARES = {
    "dialogues_naming": "Dialogues that name the concept in what was sent with the first question",
    "dialogues_delivered": "Dialogues below c = 1 that were sent the share their level promises",
    "dialogues_leaking": "Dialogues at c = 1 that were sent part of the reference",
    "answers_asking": "First answers that ask what is meant, or say that nothing was given (by rule)",
    "examples_quoted": "Third questions that quote the model's own example",
    "examples_cut": "Quotes that look like a fragment (by rule)",
    "no_question_giving_away": "Questions at turn 4 with a word that gives the fabrication away",
    "later_questions_giving_away": "Questions at turn 5 with one",
    "questions_long": "Questions of {words} words or more",
    "curves_returning": "Curves (a model on a concept) that fall below {theta:g} and rise above it again",
    "turns_lacking_verdicts": "Turns that lack a judge's verdict or a score",
    "answers_cut": "Answers cut at the limit of tokens, which the preset's subject_max_tokens sets",
    "answers_long": "Answers longer than {characters:,} characters",
    "answers_not_prose": "Answers that are not prose (by rule)",
    "answers_repeating": (
        "Answers to turns 1 to 3 that say what the model says of another concept, the words of the question apart"
    ),
    "held_back": "Left out, as they decline or ask back, by a rule on words",
    "dialogues_repeating": "Dialogues that repeat another, word for word",
    "answers_elsewhere": "Answers of {words} words or more that stand in another dialogue, too",
    "answers_hostile": "Answers that speak to whoever judges them, or imitate a verdict, a role or a fence (by rule)",
    "justifications_echoing": "Justifications that repeat such words, or say that they follow them",
}
"""What a share counts, by code."""

_COUNTED = "{hits:,} of {of:,} ({share:tenths})"

declare({code: f"{what}: {_COUNTED}." for code, what in SHARES.items()})

declare(
    {
        # Nothing to look at.
        "no_dialogue": "No dialogue has begun.",
        "no_question": "No question has been asked.",
        "no_answer": "No question has an answer.",
        "no_first_answer": "No first question has an answer.",
        "no_turn_judged": "No turn has been judged.",
        # Parts of a list.
        "by_model": "By model: {models:few}.",
        "model_share": "{model} {share:percent}",
        "model_hits": "{model} {hits:,} of {of:,}",
        "model_answers": "{model} {answers}",
        "most_of_model": "Most of them in {model}: {hits:,} of {of:,} ({share:tenths}).",
        "fewest_of_model": "Fewest of them in {model}: {hits:,} of {of:,} ({share:tenths}).",
        "turn_share": "{turn}: {share:percent}",
        "level_share": "c = {level:g}: {share:percent}",
        "word_count": "{word} ({times})",
        # Quotes.
        "turn_quoted": "{dialogue}, turn {turn}: “{quote}”",
        "end_quoted": "{dialogue}, turn {turn} ends: “{quote}”",
        "verdict_quoted": "{dialogue}, turn {turn}: {judge}: “{quote}”",
        "address_quoted": "{dialogue}, turn {turn} ({kind}): “{quote}”",
        "longest_quoted": "The longest, {words} words: {dialogue}, turn {turn}: “{quote}”",
        "sent_quoted": "{dialogue} (on {concept}) was sent: “{quote}”",
        "sent_share_quoted": "{dialogue} was sent {share:percent} of the reference's words: “{quote}”",
        # What the subject was asked and told.
        "no_texts": "The run holds no text of its concepts, so what reached the subjects can't be compared with it.",
        "words_sent_by_level": "Words of the reference among those sent, on average: {levels}.",
        "asking_by_model": "By model: {models}.",
        "none_asks_often": "No model asks back often enough to lay it to the questions.",
        "one_asks_often": (
            "Only {models:few} asked back often. The others got the same questions, so this tells of it alone."
        ),
        "some_ask_often": (
            "Only {models:few} asked back often. The others got the same questions, so this tells of them alone."
        ),
        "asks_though_told": (
            "The concept was named to this only model each time it asked: whether that is the model's habit or the "
            "fault of the questions, a second model would show."
        ),
        "no_third_question": "No third question has been asked.",
        "words_quoted": "“{quote}”",
        "examples_listed": "Quoted: {quotes}.",
        "examples_listed_and_more": "Quoted: {quotes} and {more:,} more.",
        "run_without_trap": "The run sets no fabrication.",
        "no_trap_question": "No question with a fabrication has been asked.",
        "questions_giving_away": f"{SHARES['no_question_giving_away']}: {_COUNTED}. Most often: {{words}}.",
        "by_turn": "By turn: {turns}.",
        # Whether the level does anything.
        "too_few_levels": (
            "Can't be measured: that takes scores at two levels or more for at least {concepts} concepts."
        ),
        "model_without_claims": "{model} made no claim in turns 1-3, so nothing can be said of it.",
        "models_that_move": (
            "Models that move: {hits} of {of}: over turns 1-3, FAR or SAS falls from the first level to the last (line "
            "fitted per concept; the intervals hold for all models together)."
        ),
        "model_moves": "{model}: FAR {far}, SAS {sas}.",
        "model_does_not_move": (
            "{model}: FAR {far}, SAS {sas}; does not move (a fall of FAR by {fall:g} is ruled out)."
        ),
        "model_may_move": ("{model}: FAR {far}, SAS {sas}; may move (a fall of FAR by {fall:g} is not ruled out)."),
        "fall": "falls by {mean:z.2f}",
        "fall_anywhere": "falls by {mean:z.2f} (no interval: it would hold every value)",
        "fall_between": "falls by {mean:z.2f} [{low:near_zero}, {high:near_zero}]",
        "fall_everywhere": "falls by {mean:z.2f} on every concept",
        "rise": "rises by {mean:z.2f}",
        "rise_anywhere": "rises by {mean:z.2f} (no interval: it would hold every value)",
        "rise_between": "rises by {mean:z.2f} [{low:near_zero}, {high:near_zero}]",
        "rise_everywhere": "rises by {mean:z.2f} on every concept",
        "same_everywhere": "stays the same on every concept",
        "fall_unknown": "falls by an unknown amount",
        "may_be_robust": "A model that does not move beside others that do may be robust.",
        "small_fall_possible": (
            "No single model's fall can be told from chance (the figure above is of all models together), and one of "
            "{fall:g} can't be ruled out: too little was asked to say."
        ),
        "no_model_moves": (
            "No model moves. Either the levels do nothing (no reference reaches the subject, or answers do not depend "
            "on it), or every model knows the concepts well enough without: this run can't tell which, and shows "
            "nothing about compression."
        ),
        "too_few_scores": "Too few scores to say anything of {models:few}.",
        # What the scores can carry.
        "too_few_judges": "Fewer than two judges: a second one would show how far the scores depend on who judges.",
        "too_few_judged_twice": "Too few turns have scores of two judges to compare them.",
        "judge_agreement": (
            "{score}: ICC(2,1) {single:z.2f} (one judge), ICC(2,k) {panel:z.2f} (the mean of {judges}), AC2 "
            "{same:z.2f}; judges differ by {difference:.2f} on average."
        ),
        "agreement_not_measurable": (
            "{score}: not measurable, since fewer than two turns have a {score} of two judges. The other score decides "
            "alone."
        ),
        "answers_equally_good": (
            "{score}: nearly all answers are equally good (no judge's scores have a standard deviation above "
            "{spread:.2f}), and the judges agree on that; agreement on which are better can't be measured."
        ),
        "agreement_unsure": (
            "{score}: the interval of ICC(2,1) begins at {low:z.2f}: too few answers to show that judges agree at all."
        ),
        "agreement_without_interval": (
            "{score}: ICC(2,1) has no interval here, so that nothing shows that the judges agree by more than chance."
        ),
        "identical_scores": (
            "{score}: the judges gave identical scores to {answers:count answer}: they agree wholly, or they don't "
            "judge independently of each other."
        ),
        "agree_on_most": "{score}: the judges agree on most answers, and not on which are better or worse than most.",
        "agree_on_nothing": "{score}: the judges agree neither on which answers are better nor on how good they are.",
        "agree_on_nothing_of_model": (
            "{score} of {model}: the judges agree neither on which of its answers are better nor on how good they are "
            "(ICC(2,k) {panel:z.2f}, at most {high:z.2f}; AC2 {same:z.2f}, {turns:count turn})."
        ),
        "too_few_stances": "No model has {needed} answers to a fabrication of which two judges gave the stance.",
        "stances_alike": (
            "{model}: of {of:count pair} of judges' stances on {answers:count answer} to the fabrication, {hits:,} are "
            "the same ({share:percent}; AC1 {ac1:z.2f})."
        ),
        "one_stance": (
            "{judge} calls nearly every one of {answers:count answer} {stance}; each other judge says otherwise of "
            "{share:or_more}."
        ),
        "stance_never_varies": "{judge} calls every answer {stance}, and no other judge's stance varies either.",
        "one_stance_of_all": (
            "The judges' stance is “{stance}” on all {answers:count answer} to a fabrication: either the models always "
            "answer so, or these judges can't tell. Nothing here shows which, and ER rests on it."
        ),
        "rejected_though_false": (
            "The judges' stance is “rejected” on all {answers:count answer} to a fabrication, and yet they score "
            "{hits:,} of {of:,} as mostly false, far below the dialogue's other answers (FAR). Rejecting a fabrication "
            "is right: these judges don't tell who accepts it, and ER rests on that."
        ),
        "accepted_though_right": (
            "The judges' stance is “accepted” on all {answers:count answer} to a fabrication, and yet they score "
            "{hits:,} of {of:,} as all right (FAR). Accepting a fabrication is false: these judges don't tell who "
            "rejects it, and ER rests on that."
        ),
        "copied_judge": (
            "{judges:and} gave the same verdicts on all {answers:count answer} that each of them judged: they are one "
            "judge, whom the scores count more than once."
        ),
        "near_copy": f"{_NEAR_COPY}. Agreement between judges is computed without {{left_out:and}}.",
        "near_copies_alone": (
            f"{_NEAR_COPY}. No other judge is independent of them, so that their agreement shows nothing."
        ),
        "resting_on_few": "Resting on fewer than {needed} turns: {hits} of {of}; the fewest are {fewest}.",
        "rests_on_few": "{metric:label} of {model} rests on {turns:count turn}.",
        "index_divides": "The paper's index divides by FAR' + 1 - SAS': a handful of turns moves it at will.",
        "coins_return": (
            "There HOC skips a failure. Noise does this, too: tosses of a coin at {levels:count level} do it in "
            "{share:percent}."
        ),
        "one_level_cannot_return": "One level was asked: a curve of one level can't come back.",
        "curve_returns": "{model} on {concept}: HOC {hoc:g}, HOC_onset {onset:g}.",
        # Who judged, what is missing, cut or there twice.
        "models_judged_by_family": "Models judged by one of their own family: {hits} of {of}.",
        "judged_by_family": "{model} is judged by {judges:few}.",
        "judges_itself": "{model} sits on the jury that judges it.",
        "judged_by_family_alone": "Nobody outside the family judges {models:few}.",
        "interviewer_judges": "{judge} asked the questions and judges the answers.",
        "interviewer_unknown": (
            "Who asked the questions is not on record, so whether the interviewer judges, too, is unknown."
        ),
        "family_unknown": "No family is known of {models:few}.",
        "no_judge_simulated": "No judge is simulated.",
        "all_simulated": "Every model that answered is simulated, as are the judges.",
        "simulated_judges_real": (
            "A simulated judge recognises what simulated models say and nothing else: the scores that {judges:few} "
            "gave {models:few} mean nothing. Choose other judges, or the reference panel: voirdire score --jury."
        ),
        "verdicts_missing": "Verdicts missing: {hits:,} of {of:,}; turns unscored: {unscored:,}.",
        "answers_missing": "Questions without an answer: {hits:,} of {of:,} to {models:few}.",
        "answers_missing_of": "{model}: {why}.",
        "turns_waiting": "{turns:count turn has/turns have} not gone to this jury yet.",
        "missing_of_judge": "{judge}: {verdicts:,} of {of:,} missing.",
        "ends_unknown": "Why the answers ended is not on record: whether any was cut is unknown.",
        "few_whole_dialogues": "Dialogues completed: {held:,} of {begun:,} begun. Comparing takes two.",
        "dialogues_left_out": "Left out, since not completed: {dialogues:count dialogue}.",
        "dialogue_again": "{dialogue} is {original} again.",
        "dialogues_shared": (
            "Dialogues of {model} that {original} has, too: {hits:,}. Which of the two is the copy is not known."
        ),
        "cells_with_more_dialogues": (
            "Cells (model, concept, level) with more dialogues than the {samples} asked for: {cells}, among them "
            "{cell}."
        ),
        # What answers are as texts.
        "no_model_with_two_concepts": "No model was asked about two concepts, so none can repeat.",
        "all_hold_back": (
            "Every answer to turns 1 to 3 declines or asks back: see clarification_rate, and the share answered."
        ),
        "held_back_by_model": f"{SHARES['held_back']}: {_COUNTED}: {{models:few}}.",
        "held_back_without_claims": (
            "Of the {of:,} of these that it has judged, the jury finds no claim in {hits:,}: in the others it scored "
            "what they say beside declining or asking, or gave no verdict. The share answered is the jury's."
        ),
        "held_back_not_judged": "The jury has not judged {hits:,} of these {of:,} yet.",
        "mostly_without_claims": (
            "The jury finds no claim in most of them: a model that always declines, or a stuck endpoint."
        ),
        "answer_repeated": "{times:,} times: “{quote}”",
        "answer_for_instance": "For instance: “{quote}”",
        "instead": "Instead: {kinds}.",
        "odd_empty": "without a word ({answers:,})",
        "odd_data": "JSON or a piece of it ({answers:,})",
        "odd_markup": "markup ({answers:,})",
        "odd_tokens": "control tokens ({answers:,})",
        "odd_repetition": "the same words over and over ({answers:,})",
        "odd_gibberish": "gibberish ({answers:,})",
        # Whether answers speak to their judges.
        "no_justification": "No justification is on record: whether verdicts echo what answers say can't be told.",
        "scores_above_others": (
            "{judge} gives {answers} of these answers a {score} that lies {jump:g} or more above the other judges' "
            "mean, first {dialogue}, turn {turn}."
        ),
    }
)
