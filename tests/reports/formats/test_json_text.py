import json
from dataclasses import replace

import pytest

from tests.reports.formats.examples import made
from voirdire.reports.formats.json_text import to_json


def test_programs_get_the_data_of_the_report_with_null_for_what_is_undefined():
    assert json.loads(to_json(made())) == {"models": [{"model": "openai/gpt-5.1", "ER": None}]}


def test_what_json_has_no_word_for_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        to_json(replace(made(), data={"x": float("nan")}))
