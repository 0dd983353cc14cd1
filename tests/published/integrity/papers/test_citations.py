from tests.published.integrity.real import real_study, real_trials


def test_real_judges_credit_responses_with_figures_that_they_do_not_contain():
    found = real_study().citations
    response = {each.id: each.response for each in real_trials().trials}
    share = {
        judge: sum(each.evaluator == judge for each in found.absent_figures)
        / sum(each.evaluator == judge for each in found.figures)
        for judge in real_trials().evaluators
    }
    assert share["grok-3"] > 0.25 > share["gemini-2-5-pro"]
    percentages = [each for each in found.absent_figures if each.text.endswith("%")]
    seen = [each for each in percentages if f" {each.text}" in response[each.trial]]
    assert len(percentages) > 300
    assert not seen
