"""What readers of results say about what they read."""

from __future__ import annotations

from voirdire.reason_codes import declare

declare(
    {
        "evaluation_of_logs": "exported with logs that say the same: {why_not}",
        "evaluation_no_format": "no format of results that is known",
        "evaluation_unreadable": "looks like {format}, but can't be read: {why_not}",
        "evaluation_no_columns": "no results, as far as names of columns tell: {why_not}",
        "evaluation_lower_by_name": "Lower is better, as the name {name} says; --map better=higher says otherwise",
        "evaluation_lower_as_told": "Lower is better, as --map better=lower says",
        "evaluation_lower_in_file": "Lower is better, as the file says of {name}",
        "evaluation_higher_though_named": "The file says that higher is better, and the name {name} that lower is: "
        "--map better=lower, or better=higher, decides",
        "evaluation_percent_scores": "Scores are written in percent, and read as shares: 100 % is 1",
        "evaluation_comma_scores": "Scores are written with decimal commas",
        "evaluation_columns": "Columns used: {columns:label}",
        "evaluation_unrated": "Empty cells count as not rated by that judge: {judges:label} (of {rows:count row})",
        "evaluation_unused": "Columns not used: {names:label}",
        "evaluation_no_output_column": "No column is known to hold the outputs, and {names:few} {names:is} not used: "
        "--map output=COLUMN names it",
        "evaluation_unread_scores": "{rows:count score can't be read and counts/scores can't be read and count} as "
        "missing, since a number is expected: {texts:few}",
        "evaluation_decimals_or_thousands": "“{text}” may be {decimal} or {whole}: write such scores with a decimal "
        "point, or without a comma",
        "evaluation_taken_for_decimals": "“{text}” is read as {decimal}: if it is {whole}, write it without a comma",
        "evaluation_exchanged": "{models:count model} answered {items:count item}: if the two columns were exchanged, "
        "use --map item={item},model={model}",
        "evaluation_summary_rows": "Rows that sum up the items are left out, and compared with what the items "
        "give: {names:label}",
        "evaluation_ids_of_several": "{ids:count id stands/ids stand} for {items:count item} with prompts of their "
        "own, the same in all models: an item is taken to be an id with its prompt; give each item its own id, or use "
        "--map item={column}",
        "evaluation_pairwise": "a score is the share won against {baseline}: preference - 1",
        "evaluation_other_split": "HELM's headline rests on the split “{split}”: {instances:count instance of another "
        "split is/instances of other splits are} left out",
        "evaluation_perturbed": "{instances:count perturbed instance is/perturbed instances are} left out, as HELM's "
        "headline does",
        "evaluation_of_pairs": "A score is 1 for the output that was preferred, 0 for the other, 0.5 for a tie; the "
        "judge is taken to have seen first what stands first. Columns used: {columns:label}",
        "evaluation_of_many_pairs": "{met:,} of {of:,} pairs of models met: how often a model wins depends on whom it "
        "met; its place rests on the outputs that were compared with its own",
        "evaluation_unread_verdicts": "Verdicts that can't be read count as missing: {texts:few}; read are names of "
        "models, a and b, 1 and 2, left and right, first and second, and tie",
        "evaluation_judges_of_files": "Read {files:count file} as one evaluation with {n:count judge}: {judges:few}",
        "evaluation_models_of_files": "Read {files:count file} as one evaluation, each named after its model: "
        "{models:few}",
        "evaluation_no_model_named": "The same items stand in {files:few}, with one model each, so each file is an "
        "evaluation of its own: --map model=@file joins them, each model by its file's name",
        "evaluation_join_none": "--map model=@file joins nothing: {why}",
        "evaluation_join_of_tables": "it is for tables, and results of {formats:few} name their models",
        "evaluation_join_named": "{files:few} {files:is} said in a column to be of {models:few}",
        "evaluation_join_other_items": "{files:few} have fewer than half of their items in common",
        "evaluation_join_elsewhere": "{files:few} lie in different folders, or hold different scores",
        "evaluation_join_one": "{files:few} is the only table",
        "evaluation_no_judge_named": "The same models and items stand in {files:few}, and none of these files names "
        "its judge, so each is an evaluation of its own: if each is by one judge, --map judge=@file takes the files' "
        "names for the judges'",
        "evaluation_first_metric": "The headline is {metric}, the first of {of:label}",
        "evaluation_first_part": "A score is {part}, the first of {of:label}: what is printed ({printed}) is computed "
        "from more than that, and is not compared",
        "evaluation_known_metric": "The headline is {metric}: of {of:label} it is the usual one",
        "evaluation_no_rows": "The file has a headline and no items: nothing that rests on items can be checked",
        "evaluation_limited": "{items:,} of the {of:,} items of the data set were run",
        "evaluation_clustered_by": "The printed standard error is clustered by {field}",
        "evaluation_pass_rate": "The headline is a pass rate: a score is 1 for a test that passed and 0 for one that "
        "failed, as in the printed rate",
    }
)
