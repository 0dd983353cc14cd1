"""Trials for a project: read, drawn by how far judges disagree, shuffled, and blinded by leaving data out.

The packaged practice cases come with their references.
"""

from __future__ import annotations

import hashlib
import json
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data import packaged_files
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.json_values import as_plain
from voirdire.integrity import EstablishedFact, IntegrityError, Violation, load_taxonomy, score
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.items import Item as Response
from voirdire.integrity.items import read_items, read_violation
from voirdire.raters.records import Document, Item, RatersError
from voirdire.raters.sampling import SampledUnit, simple, stratified, terciles
from voirdire.raters.tasks.base import DrawOptions, Materials, left_out
from voirdire.raters.tasks.integrity.deduction import omission_violations
from voirdire.raters.tasks.integrity.rating import charged_violation
from voirdire.text.counting import counted
from voirdire.text.sentences import split_sentences

_ID_LENGTH = 12
"""Hexadecimal digits: two of a million responses share an id once in 500 projects."""


class _Trial(NamedTuple):
    """A response with what is known of it; only `response` is ever shown."""

    response: Response
    group: str
    spread: float
    """Standard deviation between judges' scores; NaN where fewer than two gave one."""


def make(path: Path, options: DrawOptions) -> Materials:
    """Draw trials from responses (JSON Lines or JSON), scored trials (`integrity_trials/1`) or a run of audits.

    Where judges have scored the responses, the sample is spread over thirds of their standard deviation; `stratum` says
    which third, `weight` how many trials of it each one stands for. Otherwise it is drawn at random. Trials come in an
    order shuffled by the seed, under an id that is a hash; the true one stands in `source`.

    Args:
        path: of the file or the run folder.
        options: how many, and the seed. No jury can be named.

    Raises:
        RatersError: nothing there that can be rated, or a response without facts.
    """
    if options.jury is not None:
        raise RatersError(f"Audits have auditors and no juries; leave out the jury {options.jury!r}.")
    from voirdire.runs import RunFolderError

    try:
        given = list(_read(path))
        silent = [each.response.id for each in given if not (each.response.response or "").strip()]
        trials = {trial.response.id: trial for trial in _check_trials(path, given)}
        documents = [_document(trials[drawn.unit], drawn) for drawn in _draw(list(trials.values()), options)]
    except (IntegrityError, RunFolderError) as error:
        raise RatersError(str(error)) from error
    return Materials(
        tuple(documents),
        tuple(Item(id=each.id, document=each.id) for each in documents),
        left_out=left_out("no_answer", silent),
    )


def _read(path: Path) -> Iterator[_Trial]:
    if path.is_dir():
        return _read_audited(path)
    return _read_scored(path) if _holds_scores(path) else _read_plain(path)


def _holds_scores(path: Path) -> bool:
    """Whether this is a file of scored trials; what can't be read is left to the reader of responses to say."""
    if path.suffix == ".gz":
        return True
    if path.suffix != ".json":
        return False
    try:
        whole = parse_json(whole_text(path))
    except (FileError, JsonError):
        return False
    return isinstance(whole, dict) and "_schema" in whole


def _read_plain(path: Path) -> Iterator[_Trial]:
    for response in read_items(path):
        yield _Trial(response, _case(response), math.nan)


def _read_scored(path: Path) -> Iterator[_Trial]:
    from voirdire.integrity.trial_items import DIMENSION, RUBRIC, trial_items
    from voirdire.integrity.trials import read_trials

    trials = read_trials(path)
    scores = trials.scores(RUBRIC)[:, :, trials.dimension(DIMENSION)]
    for trial, item, trial_scores in zip(trials.trials, trial_items(trials), scores, strict=True):
        facts = tuple(expanded_facts(item["facts"]))
        yield _Trial(
            Response(trial.id, item["response"], facts, context=item["context"]), trial.scenario, _sd(trial_scores)
        )


def _read_audited(path: Path) -> Iterator[_Trial]:
    from voirdire.integrity.results import read_audits

    for audited in read_audits(path):
        scores = [score.score for score in audited.decision.scores.values()]
        yield _Trial(audited.item, _case(audited.item), _sd(scores))


def _sd(scores: Iterable[float]) -> float:
    known = [float(score) for score in scores if not math.isnan(score)]
    return statistics.stdev(known) if len(known) > 1 else math.nan


def _check_trials(path: Path, trials: Iterable[_Trial]) -> list[_Trial]:
    """Those that a person can rate, each id once; empty responses are left out.

    Raises:
        RatersError: there is none, or one that can't be rated.
    """
    checked: dict[str, _Trial] = {}
    for trial in trials:
        response = trial.response
        if response.id in checked:
            raise RatersError(f"{path}: the id {response.id!r} appears twice.")
        if not (response.response or "").strip():
            continue
        if not response.source_facts:
            raise RatersError(
                f"{path}: the item {response.id!r} brings no facts; give it a list `facts`, or make the project from a "
                "run of `voirdire integrity audit --facts`."
            )
        checked[response.id] = trial
    if not checked:
        raise RatersError(f"{path} holds no responses that are ready to be rated.")
    return list(checked.values())


def _draw(trials: Sequence[_Trial], options: DrawOptions) -> list[SampledUnit]:
    ids = [trial.response.id for trial in trials]
    wanted = len(ids) if options.sample is None else options.sample
    if wanted > len(ids):
        raise RatersError(f"A sample of {wanted} was asked for, of {counted(len(ids), 'response')}; ask for fewer.")
    thirds = terciles([trial.spread for trial in trials])
    strata = [f"{third} disagreement" for third in thirds]
    if len(set(strata)) == 1 or wanted < len(set(strata)):
        return simple(ids, wanted, options.seed)
    return stratified(ids, strata, wanted, options.seed)


def _document(trial: _Trial, drawn: SampledUnit) -> Document:
    response = trial.response
    return Document(
        id=hashlib.sha256(f"integrity/{response.id}".encode()).hexdigest()[:_ID_LENGTH],
        body=body_of(response.context, response.facts, response.response or ""),
        group=trial.group,
        source={"item": response.id},
        stratum=drawn.stratum,
        weight=drawn.weight,
    )


def _case(response: Response) -> str:
    """What responses to one case share: its context and its facts."""
    case = json.dumps([response.context, [fact.text for fact in response.source_facts]])
    return f"case-{hashlib.sha256(case.encode()).hexdigest()[:_ID_LENGTH]}"


def expanded_facts(items: Iterable[object]) -> list[EstablishedFact]:
    """Facts from what `integrity.facts.parse_facts` takes, compound ones followed by their parts.

    Raises:
        IntegrityError: they are none.
    """
    return expand(parse_facts(items))


def body_of(context: str, facts: Sequence[EstablishedFact], response: str) -> dict[str, Any]:
    """The body of a document. Sentences are cut as the audit cuts them, so that their numbers agree.

    Beyond the task's form a fact says its `parent`: the rung of omission counts a compound fact's parts, not the whole.
    """
    return {
        "context": context,
        "facts": [
            {
                "id": fact.id,
                "text": fact.text,
                "parent": fact.parent,
                "central": fact.central,
                "relevant": fact.relevant,
                "side": fact.side,
            }
            for fact in facts
        ],
        "response": response,
        "sentences": as_plain(split_sentences(response, layout=True)),
    }


_PRACTICE = "raters/integrity/practice.yaml"


def practice() -> Materials:
    """The packaged practice cases. The key of each is a rating in the task's form, with `why` beside."""
    cases = [_practice_case(each) for each in packaged_files.read_yaml(_PRACTICE)["cases"]]
    return Materials(tuple(document for document, _ in cases), tuple(item for _, item in cases))


def _practice_case(raw: Mapping[str, Any]) -> tuple[Document, Item]:
    facts = expanded_facts(raw["facts"])
    body = body_of(raw["context"], facts, raw["response"])
    document = Document(id=raw["id"], body=body, group=raw["id"])
    violations = [read_violation(each, [], facts) for each in raw["violations"]]
    key = _key(violations, raw.get("omitted", ()), facts, raw)
    return document, Item(id=raw["id"], document=raw["id"], pool="practice", key=key)


def _key(
    violations: Sequence[Violation], omitted: Sequence[str], facts: Sequence[EstablishedFact], raw: Mapping[str, Any]
) -> dict[str, Any]:
    scored = score([*violations, *omission_violations(omitted, "")], facts, taxonomy=load_taxonomy())
    return {
        "holistic": raw["holistic"],
        "violations": [charged_violation(charge) for charge in scored.charges],
        "score": scored.score,
        "band": scored.band.name,
        "ambiguous": False,
        "note": "",
        "second_look": None,
        "why": raw["why"],
    }
