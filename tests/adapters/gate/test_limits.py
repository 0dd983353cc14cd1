import pytest

from voirdire.adapters.gate_limits import GateError, Limit, read_limits


def test_limits_are_read_from_a_command_line():
    asked = read_limits(floors=["ER=0.5", " K = .25"], ceilings=["danger_zone_pct=10"], bound=True)
    assert asked.limits == (
        Limit("ER", "min", 0.5),
        Limit("K", "min", 0.25),
        Limit("danger_zone_pct", "max", 10.0),
    )
    assert (asked.bound, asked.sound) == (True, False)
    assert [str(limit) for limit in asked.limits] == ["ER >= 0.5", "K >= 0.25", "danger_zone_pct <= 10"]


def test_a_file_may_hold_them_and_the_command_line_wins(tmp_path):
    (tmp_path / "gate.yaml").write_text("min: {ER: 0.5, K: 0.6}\nmax:\n  danger_zone_pct: 10\nbound: true\n")
    asked = read_limits(file=tmp_path / "gate.yaml", floors=["ER=0.7"], sound=True)
    assert {str(limit) for limit in asked.limits} == {"ER >= 0.7", "K >= 0.6", "danger_zone_pct <= 10"}
    assert (asked.bound, asked.sound, asked.allow_incomplete) == (True, True, False)


def test_an_incomplete_run_may_be_allowed_in_a_file_or_on_the_command_line(tmp_path):
    (tmp_path / "gate.yaml").write_text("min: {ER: 0.5}\nmax: {ER: 1}\nallow_incomplete: true\n")
    assert read_limits(file=tmp_path / "gate.yaml").allow_incomplete
    assert read_limits(floors=["ER=0.5"], allow_incomplete=True).allow_incomplete


@pytest.mark.parametrize("text", ["ER", "=0.5", "ER=", "ER=much", "ER=nan", "ER=inf", "ER=10%", "ER=0.5_0"])
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(GateError, match=f"A limit is .*; '--min {text}' was given"):
        read_limits(floors=[text])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("min: [ER]", "min must hold metrics with a number each"),
        (
            "minimum: {ER: 0.5}",
            "must hold min, max, bound, sound, accept, allow_incomplete and nothing else; it has minimum",
        ),
        ("min: {ER: high}", "A limit is a finite number"),
        ("min: {ER: .nan}", "A limit is a finite number"),
        ("min: {ER: 1}\nbound: 1", "bound is true or false; 1 was given"),
        ("min: {ER: 1}\nallow_incomplete: yes please", "allow_incomplete is true or false"),
        ("min:\n  ER: 0.5\n  K: 0.5\n  'ER': 0.1", "line 4, has the key 'ER' twice"),
        ("min: {ER: 0.5}\nmax: {K: 1}\nmin: {ER: 0.1}", "line 3, has the key 'min' twice"),
        ("[" * 5_000, "nested more than 64 levels deep"),
        ("- ER", "must hold min, max"),
        ("min: {", "is not valid YAML"),
        ("min: {ER: !!python/object/apply:os.getpid []}", "is not valid YAML"),
        ("# nothing\nmin: {}", "A gate needs a limit"),
        ("#" * 200_000, "has 200,000 bytes"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_sentence(tmp_path, text, says):
    (tmp_path / "gate.yaml").write_text(text)
    with pytest.raises(GateError, match=r"^[^\n]*$") as error:
        read_limits(file=tmp_path / "gate.yaml")
    assert says in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(GateError, match=r"gate\.yaml can't be read: No such file"):
        read_limits(file=tmp_path / "gate.yaml")
