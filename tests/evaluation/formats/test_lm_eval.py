import json

from voirdire.evaluation.formats import read_paths

DATE = "2026-01-02T03-04-05.678901"
RESULTS = {
    "results": {
        "sums": {
            "alias": "sums",
            "exact_match,strict-match": 0.5,
            "exact_match_stderr,strict-match": 0.5,
            "exact_match,flexible-extract": 1.0,
            "exact_match_stderr,flexible-extract": 0.0,
        },
        "letters": {"alias": "letters", "acc,none": 1.0, "acc_stderr,none": "N/A"},
    },
    "configs": {"sums": {"repeats": 1}},
    "versions": {"sums": 3},
    "n-shot": {"sums": 5},
    "higher_is_better": {"sums": {"exact_match": True}},
    "n-samples": {"sums": {"original": 2, "effective": 2}, "letters": {"original": 1, "effective": 1}},
    "config": {"model": "hf", "model_args": "pretrained=acme/tiny,dtype=float32"},
}


def _sum(doc, filter, answer, score):
    return {
        "doc_id": doc,
        "doc": {"question": f"{doc} + 1 ="},
        "target": str(doc + 1),
        "arguments": {"gen_args_0": {"arg_0": f"Q: {doc} + 1 =", "arg_1": {"until": ["\n"]}}},
        "resps": [[f"It is {doc + 1}."]],
        "filtered_resps": [answer],
        "filter": filter,
        "metrics": ["exact_match"],
        "exact_match": score,
    }


SUMS = [
    _sum(0, "strict-match", "1", 1.0),
    _sum(1, "strict-match", "[invalid]", 0.0),
    _sum(0, "flexible-extract", "1", 1.0),
    _sum(1, "flexible-extract", "2", 1.0),
]
LETTER = {
    "doc_id": 0,
    "doc": {"subject": "spelling"},
    "target": 1,
    "arguments": {
        "gen_args_0": {"arg_0": "The second letter is", "arg_1": " A"},
        "gen_args_1": {"arg_0": "The second letter is", "arg_1": " B"},
    },
    "resps": [[["-3.5", "False"]], [["-0.5", "True"]]],
    "filtered_resps": [["-3.5", "False"], ["-0.5", "True"]],
    "filter": "none",
    "metrics": ["acc"],
    "acc": 1.0,
}


def write(folder, results=RESULTS):
    folder.mkdir(exist_ok=True)
    (folder / f"results_{DATE}.json").write_text(json.dumps(results))
    for task, lines in (("sums", SUMS), ("letters", [LETTER])):
        (folder / f"samples_{task}_{DATE}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def _by_name(path):
    return {each.name: each for each in read_paths([path]).evaluations}


def test_each_task_is_an_evaluation_by_its_first_metric_and_filter(tmp_path):
    write(tmp_path)
    found = _by_name(tmp_path)
    sums = found["sums"]
    assert (sums.metric, sums.models) == ("exact_match,strict-match", ("acme/tiny",))
    assert (sums.rows["score"].tolist(), sums.rows["status"].tolist()) == ([1.0, 0.0], ["scored", "unparsed"])
    assert {name: values.tolist() for name, values in sums.other_scores.items()} == {
        "exact_match,flexible-extract": [1.0, 1.0]
    }
    assert (sums.printed[0].value, sums.printed[0].se, sums.printed[0].n) == (0.5, 0.5, 2)
    assert (sums.settings["acme/tiny"]["shots"], sums.settings["acme/tiny"]["items"]) == (5, 2)
    assert found["letters"].printed[0].se is None


def test_a_row_has_what_was_asked_and_answered(tmp_path):
    write(tmp_path)
    row = _by_name(tmp_path)["sums"].rows.iloc[1]
    assert (row["prompt"], row["output"], row["reference"], row["answer"]) == (
        "Q: 1 + 1 =",
        "It is 2.",
        "2",
        "[invalid]",
    )


def test_of_a_multiple_choice_the_likeliest_is_taken(tmp_path):
    write(tmp_path)
    row = _by_name(tmp_path)["letters"].rows.iloc[0]
    assert (row["choices"], row["choice"], row["target"]) == ((" A", " B"), 1.0, 1.0)
    assert (row["output"], row["reference"], row["cluster"]) == ("B", "B", "spelling")


def test_samples_of_several_models_are_one_evaluation(tmp_path):
    write(tmp_path / "tiny")
    write(tmp_path / "small", {**RESULTS, "model_name": "acme/small"})
    assert _by_name(tmp_path)["sums"].models == ("acme/small", "acme/tiny")


def test_results_without_samples_keep_their_headline(tmp_path):
    (tmp_path / f"results_{DATE}.json").write_text(json.dumps(RESULTS))
    sums = _by_name(tmp_path)["sums"]
    assert (len(sums.rows), sums.printed[0].value) == (0, 0.5)


def test_samples_without_results_are_read_by_themselves(tmp_path):
    folder = tmp_path / "acme__tiny"
    write(folder)
    (folder / f"results_{DATE}.json").unlink()
    found = _by_name(folder)
    assert (found["sums"].rows["score"].tolist(), found["sums"].models) == ([1.0, 0.0], ("acme__tiny",))


def test_that_lower_is_better_is_said_as_the_file_says_it(tmp_path):
    told = {**RESULTS, "higher_is_better": {"sums": {"exact_match": False}}}
    (tmp_path / f"results_{DATE}.json").write_text(json.dumps(told))
    sums, letters = sorted(read_paths([tmp_path]).evaluations, key=lambda each: each.name, reverse=True)
    assert not sums.higher_is_better and letters.higher_is_better
    assert str(sums.notes[0]) == "Lower is better, as the file says of exact_match"
    assert not any("Lower" in str(note) for note in letters.notes)
