"""All words of the checks: what each asks, what its figure is, what was found, what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from voirdire.reason_codes import declare

ASKED: Mapping[str, str] = {
    "headline_recomputed": "Does the printed headline follow from the items?",
    "dropped_items": "Were items left out of the headline?",
    "missing_scored": "Did something missing become a score?",
    "different_scales": "Do all models and judges use one scale?",
    "different_items": "Were all models given the same?",
    "duplicate_items": "Does an item stand in the data twice?",
    "swapped_outputs": "Does each output answer its own item?",
    "constant_output": "Does a model answer unlike items alike?",
    "empty_output": "Are there outputs without a word?",
    "truncated": "Were outputs cut?",
    "refusals": "Do models decline to answer?",
    "unparsed": "Did the scorer read what the outputs say?",
    "reference_in_prompt": "Does a prompt tell its answer?",
    "leaked_template": "Do outputs hold pieces of a chat template?",
    "output_addresses_judge": "Does an output speak to its judge?",
    "copied_judge": "Are two judges one?",
    "constant_judge": "Does a judge tell outputs apart?",
    "self_judging": "Does a judge score its own family?",
    "lone_judge": "Does the first place rest on one judge?",
    "length_association": "Do longer outputs score higher, whoever wrote them?",
    "position_association": "Does a place win, whatever stands there?",
    "wrong_key_suspects": "Do strong models agree on another answer than the key?",
    "best_of": "Does the best of several tries count?",
    "repeated_identical": "Are repetitions copies?",
    "unclustered_error": "Does the standard error take items that belong together for independent?",
    "unpaired_test": "Do the printed errors of single models mislead about which differ?",
    "multiple_comparisons": "Do differences survive the number of comparisons?",
    "power": "Which difference can an evaluation of this size see?",
    "baseline": "Do models beat answers that need no model?",
    "saturation": "Can the items still tell models apart?",
}
"""By check, the question; also the order in which checks are listed."""

MEASURED: Mapping[str, str] = {
    "headline_recomputed": "largest gap between printed and recomputed headlines, or else their errors",
    "dropped_items": "share of items without a score, in the worst model",
    "missing_scored": "share of scores that nobody gave, in the worst model",
    "different_scales": "how many times as high the scores of one model, or judge, reach as another's",
    "different_items": "largest share of items in which a model differs from the others",
    "duplicate_items": "share of items that repeat another one",
    "swapped_outputs": "share of outputs plainly about another item, in the worst model",
    "constant_output": "share of outputs that say the same to several unlike items, in the worst model",
    "empty_output": "share of empty outputs, in the worst model",
    "truncated": "share of outputs that were cut, in the worst model",
    "refusals": "share of refusals, in the worst model",
    "unparsed": "share of outputs scored against what they plainly say, in the worst model",
    "reference_in_prompt": "share of items whose prompt tells the answer",
    "leaked_template": "share of outputs that hold pieces of a template, in the worst model",
    "output_addresses_judge": "share of such outputs, in the worst model",
    "copied_judge": "share of outputs on which the most alike two judges agree",
    "constant_judge": "share of one score, in the judge with the largest",
    "self_judging": "models of a judge's family",
    "lone_judge": "how much larger the first model's lead is for one judge than for the others",
    "length_association": "odds ratio: an output one standard deviation longer over one as much shorter",
    "position_association": "largest excess of one place, as a share of the items",
    "wrong_key_suspects": "share of items whose key strong models contradict with one answer",
    "best_of": "share of items that were tried more than once",
    "repeated_identical": "share of repetitions that copy an earlier one, in the worst model",
    "unclustered_error": "clustered standard error over the printed one, median over models",
    "unpaired_test": "error of a difference without pairing over the paired one, median over pairs",
    "multiple_comparisons": "share of single findings at 5 % that Holm's correction takes back",
    "power": "smallest difference between the first two that four of five such evaluations see",
    "baseline": "accuracy of the best trivial answer",
    "saturation": "share of items on which all models score alike",
}
"""By check, what its value is."""

ADVICE: Mapping[str, str] = {
    "headline_recomputed": "Use the recomputed headline; ask which items and formula the printed one rests on.",
    "dropped_items": "Run these items again, or report the headline if all of them failed, and if all succeeded.",
    "missing_scored": "Set these scores to missing, score the outputs again, and report how many were lost.",
    "different_scales": "Bring all scores to one scale before you compare models or average judges; mend slips of the "
    "pen.",
    "different_items": "Compare models on shared items under one prompt and one setting; run the others again.",
    "duplicate_items": "Remove the repetitions, or name them as one cluster.",
    "swapped_outputs": "Compare these outputs with the prompts of their items: rows may have slipped when tables were "
    "joined. Join them again by the item's id.",
    "constant_output": "Read these outputs: a model that doesn't answer, or a harness that returned another item's "
    "reply, has no score.",
    "empty_output": "Find out why: a filter, a limit of tokens spent on reasoning, a parser. Run these items again.",
    "truncated": "Raise the limit of output tokens, or of the run, and run these items again; or say that what a limit "
    "ended counts as failed.",
    "refusals": "Report the score with and without refusals, unless declining is what the items ask for.",
    "unparsed": "Correct the extraction, and score the outputs again: nothing need be run.",
    "reference_in_prompt": "Remove these items, or the passage that tells; draw examples from other data than the "
    "test items.",
    "leaked_template": "Check the chat template and the stop sequences that the model was run with; cut these pieces "
    "off or run the items again, and score the outputs again.",
    "output_addresses_judge": "Read these outputs, judge them again with the passage removed, and fence outputs in "
    "the judge's prompt.",
    "copied_judge": "Count the two as one judge; ask how missing verdicts were filled.",
    "constant_judge": "Drop this judge, and check how its replies are parsed.",
    "self_judging": "Take the order under a judge of no model's family; where there is none, add one.",
    "lone_judge": "Report the order of each judge beside the joint one; have people rate some of the items, and see "
    "which judge they follow (voirdire jury worth).",
    "length_association": "Read the length-adjusted ranking too, and don't claim what only the plain one shows.",
    "position_association": "Shuffle the options, or judge each pair in both orders, and average.",
    "wrong_key_suspects": "Read these items; correct or remove those whose key is wrong.",
    "best_of": "Count the first try where tries end with a success; else report the mean over tries, or name the "
    "result pass@k with its k.",
    "repeated_identical": "Don't count copies as samples: repeat with a temperature above 0 and no cache, or run "
    "each item once.",
    "unclustered_error": "Report the clustered error, and sample more clusters rather than more items of each.",
    "unpaired_test": "Don't compare models by their printed errors but item by item: report the mean difference "
    "and its own error.",
    "multiple_comparisons": "Claim only differences that survive the correction, or name the few comparisons "
    "beforehand.",
    "power": "Don't rank models that lie nearer than this; add items, or report that the evaluation can't tell.",
    "baseline": "Report this baseline beside the models; rewrite the items whose form gives the answer away.",
    "saturation": "Report the items that tell models apart, and choose a harder or easier set.",
}
"""By check, what to do where it fails or warns."""

declare(
    {
        # what is missing
        "evaluation_nothing_printed": "the files have no printed headline",
        "evaluation_no_items": "the files have a printed headline and no scored items to recompute it from",
        "evaluation_extract": "the files hold half of the items that they say were asked, or less: they are an extract",
        "evaluation_no_clusters": "the files name no clusters of items",
        "evaluation_few_clusters": "there are fewer than ten clusters, too few for a sample, or scores that don't vary",
        "evaluation_no_prompts": "the files have no prompts",
        "evaluation_no_lengths": "there are no outputs of several models, or of a baseline, that differ in length",
        "evaluation_bare_outputs": "the outputs are letters or numbers, whose length says nothing",
        "evaluation_lengths_alike": "nearly all outputs to an item are about equally long",
        "evaluation_lengths_apart": "the lengths of {models:few} hardly overlap",
        "evaluation_lengths_apart_from_others": "the lengths of {models:few} hardly overlap with those of other models",
        "evaluation_few_other_scores": "nearly all scores are the same, and fewer than ten others tell nothing",
        "evaluation_scores_alike": "all scores are the same",
        "evaluation_no_pairs": "there are no two models whose scores differ on shared items",
        "evaluation_no_outputs": "the files have no outputs",
        "evaluation_outputs_tell_nothing": "too few outputs share three rare words with any item",
        "evaluation_no_scores": "the files have no scores",
        "evaluation_nothing_scored": "no item has a score",
        "evaluation_few_items": "too few items",
        "evaluation_items_unscored": "{items:count item has/items have} no score",
        "evaluation_items_like_those_seen": "{why}, and may be as low or as high as any that was seen",
        "evaluation_no_references": "the files have no references to compare with",
        "evaluation_no_trivial": "there are no options to choose from, and no right answer is that of two items, so "
        "that nothing can be right without a model",
        "evaluation_not_by_reference": "the metric does not ask whether an output agrees with its reference",
        "evaluation_no_accuracy": "lower scores are better here, such as errors or times; how often a trivial answer "
        "is right can't be compared with them",
        "evaluation_no_bounds": "the ends of the scale are not known",
        "evaluation_no_judge": "the files name no judge with at least 20 verdicts",
        "evaluation_no_judge_constant_scores": "the files name no judge with at least 20 verdicts; all outputs have "
        "one score of {scores:few}: a condition that all of them meet, or a scorer that tells nothing",
        "evaluation_judges_of_unlike_steps": "{first} gives hardly any two outputs the same score and {second} scores "
        "in steps, so exact agreement says nothing of them; two judges who score in steps are needed, or two who don't",
        "evaluation_one_judge": "there are no two judges of the same outputs",
        "evaluation_no_first": "no model surely leads another one from the first place",
        "evaluation_no_family": "the judge's name tells no family of models",
        "evaluation_no_positions": "the files have neither options nor the order of pairs",
        "evaluation_too_few_pairs": "{pairs:count pair is/pairs are} too few: a place may win by up to {most:percent}, "
        "or not at all",
        "evaluation_too_few_for_length": "the outputs are too few to tell: one {times} as long may get "
        "{chance:percent}, or half",
        "evaluation_mirrored": "the models were judged against one another: what one wins, the other loses",
        "evaluation_no_repetitions": "each item was run once",
        "evaluation_one_model": "there is one model",
        "evaluation_few_answers": "there are no two models whose answers can be compared",
        "evaluation_answers_unread": "the right answer could be looked for in none of {of:count output}",
        "evaluation_answers_not_told": "a final answer that can be compared with other models' was found in {read:,} "
        "of {of:count output}",
        "evaluation_no_strong": "fewer than two models know half of the answers, beyond what a guess gets right",
        "evaluation_two_options": "of two options there is one wrong one, in which all models that err must meet",
        "evaluation_too_few_items": "there are too few items",
        # what was found
        "evaluation_follows": "{of:count printed headline follows/printed headlines follow} from the items",
        "evaluation_headline_differs": "{models} of {of:count printed headline} can't be recomputed from the items; "
        "the largest gap is {gap:.4f}",
        "evaluation_headline_inverted": "{models} of {of:count printed headline} can't be recomputed from the items, "
        "and {top:g} - {value:.3f} = {printed:.3f}: the direction is probably inverted",
        "evaluation_error_differs": "{models} of {of:count printed standard error} can't be recomputed from the items",
        "evaluation_dropped": "{items:count item has/items have} no score, of {of:count pair} of item and model, in "
        "{models:count model}",
        "evaluation_dropped_by_one": "{items:count item has/items have} no score, of {of:count pair} of item and "
        "model, in 1 model, which with them could score {low:.3f} to {high:.3f}",
        "evaluation_dropped_by_several": "{items:count item has/items have} no score, of {of:count pair} of item and "
        "model, in {models:count model}, of which {model} could score {low:.3f} to {high:.3f} with them",
        "evaluation_judge_gaps": "{judge} scored all outputs but {outputs:,} of {of:,}, in {models:count model}; their "
        "means rest on the other judges alone",
        "evaluation_partly_dropped": "{items:count score is/scores are} missing of {of:count row}, in "
        "{models:count model}; means of these items rest on fewer judges or repetitions than others",
        "evaluation_none_dropped": "none of {of:count pair} of item and model lacks a score",
        "evaluation_clusters": "the error by {clusters:count cluster} is {ratio:.2f} times the printed one",
        "evaluation_clusters_unprinted": "no standard error is printed; the one by {clusters:count cluster}, which is "
        "taken here, is {ratio:.2f} times that of independent items",
        "evaluation_duplicates": "{items:count item repeats/items repeat} another, of {of:,}: {by} is {repeated} again",
        "evaluation_no_duplicates": "none of {of:,} items repeats another",
        "evaluation_duplicates_and_rows": "{items:count item repeats/items repeat} another, of {of:,}; "
        "{rows:count row stands/rows stand} twice",
        "evaluation_rows_alone": "{rows:count row stands/rows stand} twice, of {of:,}; none of {items:,} items repeats "
        "another",
        "evaluation_duplicate_rows": "{rows:count row stands/rows stand} twice, of {of:,}; without prompts it can't be "
        "seen whether items repeat others",
        "evaluation_headline_partial": "the files hold {items:,} of the {stated:,} items that a printed headline "
        "rests on",
        "evaluation_follows_otherwise": "all {of:count printed headline follows/printed headlines follow}, "
        "{models} of them by another rule: {rule:label}",
        "evaluation_absent": "{items:count item has/items have} no score, of {of:count pair} of item and model, in "
        "{models:count model}; "
        "{absent:,} of "
        "them have no row",
        "evaluation_no_missing_scored": "none of {of:count score} rests on nothing",
        "evaluation_no_constant_output": "none of {of:count output} says the same to three unlike items",
        "evaluation_no_swapped_outputs": "of {of:count output} looked at none stands in another item's row, as "
        "far as its words tell",
        "evaluation_no_empty_output": "none of {of:count output} is empty",
        "evaluation_no_truncated_in_english": "none of {of:count output} was cut, by its last mark; last words are "
        "read in English only",
        "evaluation_no_refusals_in_english": "none of {of:count output} declines in plain words of English, German, "
        "French, Spanish, Italian, Portuguese, Chinese or Japanese; other words are read in English only",
        "evaluation_no_output_addresses_judge_in_english": "whether one of {of:count output} speaks to a judge is read "
        "in English only; in English none does",
        "evaluation_no_truncated": "none of {of:count output} was cut",
        "evaluation_no_refusals": "none of {of:count output} declines",
        "evaluation_no_unparsed": "none of {of:count output} in which the right answer could be looked for is scored "
        "against what it says",
        "evaluation_no_leaked_template": "none of {of:count output} holds a control token or a next turn",
        "evaluation_no_output_addresses_judge": "none of {of:count output} speaks to a judge in English",
        "evaluation_missing_scored": "{rows:count score rests/scores rest} on nothing, of {of:,}; {share:tenths} "
        "in the "
        "model with most",
        "evaluation_at_a_default": "{rows:count score stands/scores stand} at {value:g}, of {of:,}, which looks like "
        "the value of a failure and not like a score; {share:tenths} in the model with most",
        "evaluation_constant_output": "{rows:,} of {of:count output} say the same to several unlike items, apart "
        "from at most one passage of the prompt; {share:tenths} in the model with most",
        "evaluation_swapped_outputs": "{rows:count output is/outputs are} nearer to another item's prompt or reference "
        "than to its own, of {of:,} looked at; {share:tenths} in the model with most",
        "evaluation_empty_and_scored": "{why}; they are the outputs that empty_output counts",
        "evaluation_empty_output": "{rows:count output is/outputs are} empty, of {of:,}; {share:tenths} in the "
        "model with most",
        "evaluation_truncated": "{rows:count output was/outputs were} cut, of {of:,}; {share:tenths} in the model "
        "with most",
        "evaluation_at_limits": "{rows:count sample was/samples were} ended by a limit of the run (messages, tokens, "
        "time) and scored all the same, of {of:,}; {share:tenths} in the model with most",
        "evaluation_refusals": "{rows:count output declines/outputs decline}, of {of:,}; {share:tenths} in the "
        "model with most",
        "evaluation_unparsed": "{rows:count output is/outputs are} scored against what they say, of {of:,}; "
        "{share:tenths} in the model with most",
        "evaluation_leaked_template": "{rows:count output holds/outputs hold} a control token of a chat template, or a "
        "next turn, of {of:,}; {share:tenths} in the model with most",
        "evaluation_output_addresses_judge": "{rows:count output speaks/outputs speak} to a judge, of {of:,}; "
        "{share:tenths} in the model with most",
        "evaluation_leaks": "{items:count item tells its answer/items tell their answer} in the prompt, of {of:,}",
        "evaluation_same": "all {of:count model} were given the same items, prompts and settings",
        "evaluation_same_prompts": "all {of:count model} were given the same items and prompts; the files name no "
        "settings",
        "evaluation_same_pairs": "the models of each pair were given the same, as far as the files say",
        "evaluation_same_items": "all {of:count model} were given the same items; the files have no prompts",
        "evaluation_off_the_scale": "{rows:count score lies/scores lie} far above all others, which lie from {low:g} "
        "to {high:g}: the highest is {top:g}, of {of:,}; it looks like a slip of the pen, and moves the mean",
        "evaluation_far_off": "the score {value:g} of {judge} (item {item}, {model}) lies far outside all its others "
        "({low:g} to {high:g}); if it is a slip, correct it",
        "evaluation_one_scale": "the scores of {of:count model} lie on one scale",
        "evaluation_one_scale_of_judges": "the scores of {of:count judge} lie on one scale",
        "evaluation_one_scale_of_some": "the scores of {of} of {all:count model} lie on one scale; those of {left:few} "
        "are too few, or all the same, and tell no scale",
        "evaluation_other_scales": "{first} is scored up to {wide:g} and {second} up to {narrow:g}, with a spread that "
        "differs as much: the two lie on different scales",
        "evaluation_other_scales_of_judges": "{first} gives scores up to {wide:g} and {second} up to {narrow:g}, with "
        "a spread that differs as much: the two judges use different scales",
        "evaluation_other_items": "a model has other items than the others: {share:percent} of them",
        "evaluation_other_prompts": "a model has other prompts, references or judges than the others, in "
        "{share:percent} of "
        "its items",
        "evaluation_other_settings": "models were run with other settings: {settings:few}",
        "evaluation_no_shared_prompt": "no two models were given an item under the same prompt, so what the models do "
        "can't be told from what the {of:count prompt} do",
        "evaluation_other_templates": "the prompts of {models:count model} have other instructions around the item",
        "evaluation_judges_differ": "{first} and {second} agree on {share:percent} of outputs, no more than two "
        "judges may",
        "evaluation_nearer_judges": "{first} and {second} give the same score to {share:percent} of {n:,} outputs, and "
        "no other two of the judges nearly as many: one may repeat the other, or both are better than the rest",
        "evaluation_copied_scores": "{first} and {second} give the same score to {share:percent} of {n:,} outputs, "
        "more than "
        "two judges could",
        "evaluation_near_copy": "{first} and {second} score {share:percent} of {n:,} outputs alike, which independent "
        "judges rarely do",
        "evaluation_alike_where_rare": "{first} and {second} score {share:percent} of {n:,} outputs nearly alike, or a "
        "constant apart, to which one of them gives a score that it seldom gives; independent judges do in less than "
        "three quarters",
        "evaluation_copied_words": "{first} and {second} explain {share:percent} of {n:,} outputs in the same words",
        "evaluation_shifted_judge": "{second} gives {first}'s score and a constant in {share:percent} of {n:,} outputs",
        "evaluation_averaged_judge": "{second} has means of other judges ({first}) among its scores: it equals "
        "them in {share:percent} of {n:,} outputs",
        "evaluation_highest_judge": "{second} gives the highest score of the other judges ({first}) to "
        "{share:percent} of "
        "{n:,} outputs",
        "evaluation_lowest_judge": "{second} gives the lowest score of the other judges ({first}) to "
        "{share:percent} of "
        "{n:,} outputs",
        "evaluation_rescaled_judge": "{second} gives {first}'s score on another scale in {share:percent} of {n:,} "
        "outputs",
        "evaluation_filled_judge": "{second} agrees with {first} in {share:percent} of {n:,} outputs where its own "
        "verdicts "
        "are missing or run on end",
        "evaluation_judge_constant": "{judge} gives {share:percent} of outputs one score",
        "evaluation_judge_same_words": "{judge} explains {share:percent} of outputs in the same words",
        "evaluation_judge_still": "{judge} gives {share:percent} of outputs nearly one score, and others tell them "
        "apart",
        "evaluation_judge_of_one_model": "{judge} gives one model one score, whatever it wrote",
        "evaluation_judge_by_model": "{judge} gives each model one score, whatever it wrote",
        "evaluation_own_judge": "{judge} ({family}) scores {models} of {of:count model} of its own family",
        "evaluation_own_judge_shifts": "{judge} ({family}) scores {models} of {of:count model} of its own family; "
        "measured beside {others:few}, who scored the same outputs, it adds {shift:+.2f} ({low:+.2f} to {high:+.2f}) "
        "to them beyond what it adds to other models",
        "evaluation_own_judge_moves": "{judge} ({family}) adds {shift:+.2f} ({low:+.2f} to {high:+.2f}) to its own "
        "family beyond what it adds to other models, measured beside {others:few}, who scored the same outputs; under "
        "{others:few} the order is another ({moved:few} lower)",
        "evaluation_own_judge_carries": "{judge} ({family}) adds {shift:+.2f} ({low:+.2f} to {high:+.2f}) to its own "
        "family beyond what it adds to other models, measured beside {others:few}, who scored the same outputs; "
        "without it {moved:few} would not surely lead",
        "evaluation_lead_of_all": "{first} leads without any one of the {judges} judges",
        "evaluation_lead_of_one": "without {judge} it is not sure that {first} leads {rival}: {judge} has it ahead by "
        "{own:.3f}, the others by {others:.3f}",
        "evaluation_lead_of_one_turned": "{judge} alone makes {first} lead {rival}: {judge} has it ahead by {own:.3f}, "
        "the others have {rival} ahead by {behind:.3f}",
        "evaluation_lead_turned": "{rival} is ahead of {first} by {against:few} alone, but so far that it leads "
        "without {judges:or}: by {behind:.3f}, where {judge} has {first} ahead by {own:.3f}",
        "evaluation_lead_moves": "without {moving:or} another model than {first} comes first, but no judge surely "
        "differs from the others there",
        "evaluation_no_own_judge": "{judge} ({family}) scores no model of its own family",
        "evaluation_suspects": "strong models ({strong}) agree on another answer than the key in {items} of "
        "{of:count item}, by chance in {expected:.1f}: {ids:few}",
        "evaluation_no_suspects": "strong models ({strong}) agree on another answer than the key in none of "
        "{of:count item}",
        "evaluation_place_wins": "{model} chooses {place} too often, in {excess:percent} of the items",
        "evaluation_places_even": "no place is chosen more often than the keys allow; the largest excess is "
        "{excess:percent}",
        "evaluation_first_wins": "outputs that the judge sees first score {excess:percent} of the scale higher",
        "evaluation_second_wins": "outputs that the judge sees second score {excess:percent} of the scale higher",
        "evaluation_first_wins_evened_out": "outputs that the judge sees first score {excess:percent} of the scale "
        "higher; it judged them in both orders, which evens that out",
        "evaluation_second_wins_evened_out": "outputs that the judge sees second score {excess:percent} of the scale "
        "higher; it judged them in both orders, which evens that out",
        "evaluation_one_try": "each item was tried once",
        "evaluation_mean_of_tries": "{items:,} of {of:count pair} of item and model were tried several times; counting "
        "the best try would add {gain:.3f}",
        "evaluation_printed_best": "the printed headline counts the best try of each item, which adds {gain:.3f}",
        "evaluation_until_right": "{items:count item was/items were} tried until right, and not after",
        "evaluation_named_best": "the best of several tries counts: {name}",
        "evaluation_retried": "{share:percent} of items were tried again, in the worst model",
        "evaluation_one_kept": "a model has one row an item, and not always of the same repetition: one of several was "
        "picked, and nothing says by which rule",
        "evaluation_uneven_tries": "some models were given more tries than others",
        "evaluation_copies": "{share:percent} of repetitions copy an earlier output, in the worst model; "
        "there are {repetitions:,} in all",
        "evaluation_same_scores": "{share:percent} of repetitions have an earlier one's score, in the model with most "
        "of them; there are {repetitions:,} in all, and no long outputs to compare",
        "evaluation_unpaired": "without pairing the error of a difference is {gain:.2f} times the paired one, worth "
        "{items:.1f} times the items; it changes the conclusion on {changed} of {of:count pair}",
        "evaluation_corrected": "{nominal} of {pairs:count pair} differ at 5 % by themselves, {corrected} after the "
        "correction",
        "evaluation_above_baseline": "the best model has {best:.3f}, the best trivial answer {value:.3f}",
        "evaluation_baseline_commonest": "always giving the commonest answer scores {value:.3f}, the best model "
        "{best:.3f}",
        "evaluation_baseline_longest": "always choosing the longest option scores {value:.3f}, the best model "
        "{best:.3f}",
        "evaluation_baseline_guess": "a guess scores {value:.3f}, the best model {best:.3f}",
        "evaluation_baseline_beats": "{baseline}; surely no better than that: {models} of {of:count model}",
        "evaluation_alike": "all models score alike on {items} of {of:count item}, on {ceiling} of them at the top",
        "evaluation_at_the_end": "of {models:count model} the nearest mean lies {distance:percent} of the scale "
        "from its end",
        "evaluation_longer_wins": "longer outputs win, whoever wrote them: in a pair that is even at equal length, an "
        "output {times} as long as the other wins {chance:percent} of the time",
        "evaluation_shorter_wins": "shorter outputs win, whoever wrote them: in a pair that is even at equal "
        "length, an "
        "output {times} as long as the other wins only {chance:percent} of the time",
        "evaluation_even_wins": "length decides little: in a pair that is even at equal length, an output {times} as "
        "long as the other wins {chance:percent} of the time",
        "evaluation_longer_scores": "longer outputs score higher, whoever wrote them: where one as long as the "
        "others' gets "
        "half of the points, one {times} as long gets {chance:percent}",
        "evaluation_shorter_scores": "shorter outputs score higher, whoever wrote them: where one as long as the "
        "others' gets "
        "half of the points, one {times} as long gets only {chance:percent}",
        "evaluation_even_scores": "length decides little: where an output as long as the others' gets half of the "
        "points, one "
        "{times} as long gets {chance:percent}",
        "evaluation_length_of_judges": "{why}; the judges surely differ: by itself {judges:few}",
        "evaluation_length_of_judge": "{judge} gives it {chance:percent}",
        "evaluation_power": "with {units:,} {unit}s it sees differences from {difference:.3f} between the first two; "
        "they differ by {gap:.3f}, which is sure",
        "evaluation_power_lucky": "with {units:,} {unit}s it sees differences from {difference:.3f} between the first "
        "two; they differ by {gap:.3f}, which is sure here, and which more than one in five evaluations of this size "
        "would miss",
        "evaluation_power_corrected": "with {units:,} {unit}s it sees differences from {difference:.3f} between the "
        "first two alone; they differ by {gap:.3f}, which is undecided after the correction for {pairs:count pair}",
        "evaluation_power_short": "with {units:,} {unit}s it sees differences from {difference:.3f} between the first "
        "two; they differ by {gap:.3f}, which is undecided",
        "evaluation_power_needed": "with {units:,} {unit}s it sees differences from {difference:.3f} between the first "
        "two; they differ by {gap:.3f}, which is undecided and takes {needed:,} {unit}s to see",
        "evaluation_power_median": "with {units:,} {unit}s it sees differences from {difference:.3f} between two "
        "models as unlike as the median pair; the first two differ by {gap:.3f} on every item that both have",
    },
    {
        "mean": "the mean over items",
        "lowest": "a missing score counts as the lowest",
        "best": "the best try of each item counts",
        "worst": "the worst try of each item counts",
        "rows": "the mean over rows",
        "clusters": "the mean over clusters",
    },
)
