"""How reasons, notes and warnings about a figure read."""

from __future__ import annotations

from voirdire.ddft.metric_labels import IN_SENTENCES, LABELS
from voirdire.reason_codes import declare

declare(
    {
        # Why a metric has no value.
        "nothing_scored": "no turn is scored",
        "no_claims": "no scored answer makes a claim",
        "not_asked": "{what} was not asked, or is not judged yet",
        "first_turns_not_asked": "none of turns 1 to 3 was asked, or none is judged yet",
        "model_unjudged": "no turn is judged yet",
        "none_scored": "no answer at {what} is scored",
        "none_claims": "no answer at {what} makes a claim",
        "silent_levels": "no answer of turns 1 to 3 at compression {levels:or} claims anything",
        "no_far_at_trap": "no answer at turn 4 has a FAR",
        "no_trap": "no fabrication was set",
        "no_stance": "no stance towards a fabrication at turn 4 is known",
        "no_later_stance": "no {stance} fabrication has a known stance at turn 5",
        "no_failing_level": "FAR falls below theta at no level of any concept",
        "no_incoherent_turn": "no turn with a FAR has SAS below 0.5",
        "no_accurate_turn": "no turn has FAR above 0.2",
        "no_turn_below_own_sas": "no turn with a FAR has SAS below {bound:g}",
        "no_turn_above_own_far": "no turn has FAR above {bound:g}",
        "divides_by_zero": "FAR' + 1 - SAS' is 0",
        "part_without_value": "{part:label} has no value ({why})",
        "one_model": "it compares the models of a study, and there is only one",
        "models_alike": "it takes two models of the study whose {metric:label} differ",
        "none_such": "no {what}",
        "stopped_early": "the run was stopped before every concept had been asked about at every level",
        # Why questions got no answer.
        "no_server_answered": "no server answered {hits:,} of {of:count call}",
        "server_failed": "the server failed at {hits:,} of {of:count call}",
        "key_refused": "the server refused the key or the account at {hits:,} of {of:count call}",
        "model_not_found": "no such model or address was found at {hits:,} of {of:count call}",
        "server_busy": "the server asked to slow down at {hits:,} of {of:count call}",
        "no_answer_in_time": "no answer came in time to {hits:,} of {of:count call}",
        "request_refused": "the server refused {hits:,} of {of:count call}",
        "calls_failed": "{hits:,} of {of:count call} failed",
        "turn_4_unanswered": "{model} has no answer at turn 4 ({why})",
        # Why a value has no interval.
        "few_concepts": "fewer than three concepts were asked about",
        "few_contribute": "too few concepts contribute ({contributing}, and an interval needs {needed})",
        "part_without_interval": "{part:label}, a part of it, has none",
        "undefined_without_one": "it becomes undefined when one of the concepts is left out",
        "no_variance": "leaving out any one concept changes nothing, so there is no variance to build on",
        "unbounded": "the concepts differ so much that the interval has no end",
        "one_level": "its turns are of one level, so it can {range} for a concept",
        "relative": "it compares the models of a study, and its interval does not stand alone",
        # Why a value says too little.
        "few_turns": "it rests on {turns:count turn}, and a limit in voirdire gate needs {needed}",
        "few_turns_with_far": (
            "K, a factor of ER, rests on {turns:count turn that has/turns that have} a FAR, and a limit in "
            "voirdire gate needs {needed}"
        ),
        "few_traps": (
            "E, a factor of ER, rests on {traps:count fabrication}, and a limit in voirdire gate needs {needed}"
        ),
        "uneven": "it is not reliable yet: the model's {what} are judged unevenly so far",
        "turns_unscored": "{unscored:,} of {turns:count turn} have no score ({share:percent})",
        # Why a value that silence can win says little of a model.
        "none_answered": "its {answers:count answer claims/answers claim} nothing: {metric:label} says nothing of it",
        "few_answered": (
            "silence can win {metric:label}, and only {claiming:,} of its {answers:count answer} claim anything"
        ),
        "silence_won_it": "silence can win it, and its {answers:count answer claims/answers claim} nothing",
        "silence_among": "{why} (of its {of:,} {among}, {share:tenths} are {fault})",
        "silence_can_win_it": "silence can win it, and only {claiming:,} of its {answers:count answer} claim anything",
        # Why runs, and models of different runs, can't be compared.
        "different_tests": "held as different tests ({what:label})",
        "different_levels": "held at different levels",
        "different_juries": "judged by different juries",
        "different_rubrics": "judged by different rubrics",
        "different_judge_reference": "judged by juries that were shown the reference by different rules",
        "note_different_traps": (
            "The runs set different fabrications: in {different:,} of {shared:count shared dialogue} turn 4 named "
            "another one. A difference in E, V_E or ER can come from them instead of the models. To compare "
            "models, run them with the same seed and levels."
        ),
        "note_self_judged": (
            "{models:few} {models:is} in the jury: a model that judges itself is not judged, and the check "
            "self_judging fails. Name other judges with --jury."
        ),
        "note_simulated_jury": (
            "A simulated judge ({judges:label}) recognises what simulated subjects say and nothing else: its scores of "
            "{models:label} will mean nothing. Name other judges with --jury; reference is the one without a model."
        ),
        "note_rubric_unread": (
            "Your {prompts:label} changes no verdict of {judges:label}: simulated judges and the reference panel read "
            "no rubric."
        ),
        "note_few_to_compare": (
            "{concepts:count concept is/concepts are} too few to compare {models} models: voirdire compare decides "
            "nothing on fewer than {needed}, whatever they answer."
        ),
        "note_few_concepts_to_compare": (
            "{concepts:count concept is/concepts are} too few to compare {models} models: voirdire compare decides "
            "nothing on fewer than {needed}, whatever they answer (--unit dialogue decides for these concepts only)."
        ),
        # Why a person's sheet says nothing of a scale.
        "crosscheck_not_filled": (
            "{scale}: there is nothing to compare, since no row of the sheet has a score in the column {column} (of "
            "{turns:count turn} judged). Fill it in to compare {scale}."
        ),
        "crosscheck_not_both": (
            "{scale}: there is nothing to compare, since the jury has no {scale} of the {filled:count turn} that the "
            "person scored. Fill in {column} for turns that the jury scored."
        ),
        # Why two models can't be compared, or can't be told apart.
        "no_shared_turn": "the two share no scored turn",
        "pair_undefined": "on the turns that both have, {metric:name} of {model} has no value: {why}",
        "pair_of_copies": (
            "the two have the same scores on {turns:count shared turn}, so that nothing varies: no interval, no test"
        ),
        "pair_without_interval": "no interval: {why}",
        "pair_shares_few_concepts": (
            "with {concepts:count shared concept} no comparison can decide; it takes at least {needed} ({more})"
        ),
        "pair_few_for_effect": "no d_z: with {concepts:count shared concept} it is left out; {needed} are needed",
        "pair_few_concepts": "it rests on {concepts:count concept}, and {needed} are needed",
        "p_too_coarse": (
            "with {units:count shared {unit}} to swap, p cannot fall below {smallest_p:.2g}; a run on more concepts "
            "can decide ({more})"
        ),
        "packaged_concepts": "--preset lite has eight",
        "own_concepts": "add concepts to your own pack",
        "p_too_coarse_corrected": (
            "with {units:count shared {unit}} to swap, p cannot fall below {smallest_p:.2g}, which is {corrected:.2g} "
            "after Holm's correction for {tests} pairs"
        ),
        "model_silent": "{metric:name} says nothing of {model}, none of whose answers claims anything",
        "model_seldom_answers": (
            "{model} takes no rank: only {claiming:,} of its {answers:count answer} claim anything, and silence can "
            "win {metric:name}"
        ),
        "model_no_evidence": "{model} takes no rank: the test was not sound for it",
        "model_uneven": "{metric:name} of {model} is not reliable yet: its {what} are judged unevenly so far",
        "models_uneven": (
            "{metric:name} is not reliable yet for {models:few}: their {what} are judged unevenly so far"
        ),
        "model_few_turns": (
            "{metric:name} of {model} is not reliable here: {part:label} rests on {turns:count turn} and needs {needed}"
        ),
        "model_seldom_fails": (
            "{metric:name} of {model} can't be compared: it is of the {failing:,} of {concepts:count concept} on which "
            "the model fails at all"
        ),
        # What a figure known of the models says, and why it may say nothing.
        "few_models_with_both": "Only {models:count model} with both values.",
        "groups_of_one": "Every model is a group of its own.",
        "one_group": "There is only one group, or no spread within groups.",
        "one_side_constant": "One side is the same for all models.",
        "no_order_reaches": "With n = {n} no order of these values could give p below {smallest_p:.3f}.",
        "associated": "Across these models; an association is no cause.",
        "not_associated": (
            "This is no evidence of independence: a test of n = {n} finds |r| ≥ {detectable:.2f} with 80 % power, and "
            "less than that more rarely."
        ),
        "not_associated_groups": "This is no evidence of independence: n = {n} models in {groups} groups.",
        "not_associated_single_groups": (
            "This is no evidence of independence: n = {n} models in {groups} groups, {alone} of them with one model "
            "each."
        ),
        # What must be said beside a profile's numbers.
        "note_er_on_few_turns": (
            "{metric:name} is not reliable here: {part:label} rests on {turns:count turn} and needs {needed}."
        ),
        "note_none_rejected": (
            "None of {fabrications:count fabrication} rejected: this ER rests on E's smoothing, and falls with more "
            "dialogues."
        ),
        "note_answers_missing": "Answers are missing: {why}.",
        "note_few_concepts": "Fewer than three concepts: no intervals.",
        "note_undefined": "{metrics:label} {metrics:is} undefined: {why}.",
        "note_without_interval": "{metrics:label} {metrics:is} without an interval: {why}.",
        "note_stand_in": "{metric:label}, a mean, is the paper's stand-in for V_E.",
        "note_none_answered": (
            "Its {answers:count answer claims/answers claim} nothing. Silence can win some figures: those say nothing "
            "of it."
        ),
        "note_few_answered": (
            "Only {claiming:,} of its {answers:count answer} claim anything. Silence can win some figures: read those "
            "with that in mind."
        ),
        "note_turns_uneven": (
            "Judged so far: {turn_1:count answer} at turn 1, {turn_2:,} at turn 2, {turn_3:,} at turn 3, {turn_4:,} at "
            "turn 4, {turn_5:,} at turn 5. Early turns weigh more than in a whole run, so the figures will change."
        ),
        "level_scored": "{answers:count answer} on {concepts:count concept} at level {level:g}",
        "note_levels_uneven": (
            "Scored so far: {levels}. Some levels weigh more than in a whole run, so the figures will change."
        ),
        "note_concepts_uneven": (
            "Scored so far: {scored:,} of the {pairs:,} pairs of level and concept, for {concepts:count concept}. A "
            "concept without all its levels doesn't show where the model fails, so the figures will change."
        ),
        "note_one_level": (
            "One level was asked: HOC can {range} for a concept, and says nothing of compression. Nor does the CI "
            "index, built on it."
        ),
        "note_one_level_yet": (
            "One of {levels} levels is judged so far: HOC can {range} for a concept, and says nothing of compression. "
            "Nor does the CI index, built on it."
        ),
        "note_stopped": (
            "Stopped after {asked:,} of {dialogues:,} dialogues: {metric:label} {interval}, and {wanted} is enough; "
            "{correction}."
        ),
        "note_held_narrow": (
            "All {dialogues:,} dialogues were held: {metric:label} {interval}, which is enough; {correction}."
        ),
        "note_held_wide": (
            "All {dialogues:,} dialogues were held: {metric:label} {interval}, and {wanted} would be enough; "
            "{correction}."
        ),
        # What must be said beside a run's numbers.
        "missing_on_turns": "{judge} on {missing:,} of {turns:count turn}",
        "note_judges_missing": "Missing verdicts: {judges:few}.",
        "note_no_panel_score": "No turn has a score of the panel. Missing verdicts: {judges:few}.",
        "note_models_unjudged": "No turn of {models} is judged yet.",
        "note_form_alone": (
            "By these rules {score}, and so S, is form and relevance alone: a model that is wrong, or very small, "
            "scores high, too."
        ),
        # What no check sees, and what forbids to rely on figures all the same.
        "run_incomplete": "the run is not complete",
        "runs_incomplete": "not all was asked and judged",
        "rules_judged": "fixed rules judged instead of a model",
        "constant_judge": "{judges} gave every answer the same scores",
        "constant_score": "{judges} gave every answer the same {score:name}",
        "nearly_constant_judge": "{judges} gave nearly every answer the same scores",
        "nearly_constant_score": "{judges} gave nearly every answer the same {score:name}",
        "no_intervals": "there are too few concepts for intervals",
        "do_not_rely": "do not rely on the figures: {why}",
        "note_lone_judge": "One judge scored alone: no check shows how far another would agree.",
        "strict_unverified": "--strict counts {check} as failed. {why}",
        "note_not_judged": "Not judged yet: {turns:count turn}.",
        "note_other_juries": (
            "Also judged by {others}. These figures are of {jury}; voirdire's commands show the others' with --jury ID."
        ),
        "interval_missing": "has no interval",
        "interval_wide": "has an interval {width:.2g} wide",
        "interval_wanted": "{width:g} (±{half_width:g})",
        "one_analysis": "that was the first analysis, so that intervals need no correction",
        "many_analyses": "intervals are corrected for {analyses} interim analyses",
        # What a pilot shows of a concept, by the paper's criteria.
        "facts_with_sources": (
            "{facts:count fact}, each with a source; supported by the reference: {carried}; with a wrong version: "
            "{wrong}."
        ),
        "sources_unread": "Whether the sources say so is for a reader to check.",
        "rule_broken": "{message}",
        "instances_named": "{instances:count instance}: {names}.",
        "examples_named": "Turn 2 named an example to quote in {hits} of {of:count dialogue} of the pilot.",
        "few_examples_named": (
            "Turn 2 named an example to quote in {hits} of {of:count dialogue} of the pilot: too few to show that "
            "turn 3 can drill into one."
        ),
        "instance_details": (
            "Dates, persons and places of {instances:count instance}: {details}; in the reference: {carried}."
        ),
        "instances_bare": "None of {names} stands in the reference.",
        "no_far_at_turn_3": "Turn 3 of the pilot gave no scores.",
        "far_at_turn_3": "FAR at turn 3: {mean:.2f} (n = {n}).",
        "level_far": "{level:g}: {far:.2f}",
        "level_without_far": "{level:g}: none",
        "far_inside_range": "FAR by level: {levels}; a range of {range:.2f}, inside the paper's {low} to {high}.",
        "far_outside_range": "FAR by level: {levels}; a range of {range:.2f}, outside the paper's {low} to {high}.",
        "far_falls": "From the first level to the last FAR falls by {mean:.2f} ({pairs:count pair}).",
        "far_falls_between": (
            "From the first level to the last FAR falls by {mean:.2f} ({pairs:count pair}, 95 % {low:.2f} to "
            "{high:.2f})."
        ),
        "one_model_asked": "One model can't show whether the concept tells models apart: name two or more.",
        "spread_unknown": (
            "Spread between models can't be told from noise ({models:count model}, {dialogues:count dialogue})."
        ),
        "spread_between_models": (
            "Between models FAR has a standard deviation of {between:.2f}, within them {within:.2f}: a share of "
            "{share:.2f} of the variance lies between them (95 % {low:.2f} to {high:.2f}; {models:count model}, "
            "{dialogues:count dialogue})."
        ),
        # Which rule decides whether a concept tells models apart.
        "no_far_at_all": "Not shown: no dialogue has a FAR.",
        "met_by_spread": (
            "Met by the spread between models: its interval leaves 0 out, whatever the range over levels."
        ),
        "met_by_fall": "Met by the fall over levels: its interval leaves 0 out, and the range is the paper's.",
        "known_to_nobody": "Not met by the mean FAR, {mean:.2f}: a concept that nobody knows tells no models apart.",
        "known_to_everybody": (
            "Not met by the mean FAR, {mean:.2f}: a concept that everybody knows tells no models apart."
        ),
        "fall_not_shown": (
            "Not shown: one model meets it by a fall whose interval leaves 0 out, and a range that is the paper's."
        ),
        "spread_not_shown": ("Not shown: several models meet it by a spread between them whose interval leaves 0 out."),
    },
    labels=LABELS,
    in_sentences=IN_SENTENCES,
)
