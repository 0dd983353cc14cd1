"""`voirdire models`."""

from tests.cli.here import voirdire


def test_weights_are_pulled_by_the_name_that_runs_use_too():
    done = voirdire("models", "pull", "local/smollm3", check=False)
    assert done.returncode == 1
    assert "No weights are called 'smollm3'; did you mean smollm2-135m?" in done.stderr
