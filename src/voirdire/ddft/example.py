"""Finding the example that a subject gave, so that later questions can quote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from voirdire.data.packaged_files import read_text
from voirdire.ddft.questions import MAX_EXAMPLE_WORDS
from voirdire.jury.clarification import clarification
from voirdire.jury.hostile_answers import find_addresses
from voirdire.text.entities import find_names
from voirdire.text.languages import is_foreign
from voirdire.text.sentences import split_sentences

# Where an example is named: "**Example: X**", "here is an example:" over a heading, "an example of it is X", "I'd
# choose X", "X is a good example".
_LABELLED = re.compile(r"^[ \t#>*_-]{0,12}(?:example|case)[*_]*:[*_ \t]*(?=\S)(.+)", re.MULTILINE | re.IGNORECASE)
_ANNOUNCED = re.compile(r"\bexample\b[^.!?\n]{0,60}:\s{0,4}\n\s{0,4}(?:#{1,6} |\*\*)(.+)", re.IGNORECASE)
_KIND = r"\b(?:examples?|cases?|instance|illustration)\b"
_MARKER = re.compile(_KIND, re.IGNORECASE)
_COPULA = re.compile(r"\s(?:is|was|would be|comes from|can be found in)\s+")
_ANOTHER_CLAUSE = re.compile(r"[.!?,;:(]|\b(?:because|when)\b")
_REACH = 200
"""Characters after a marker in which its phrase begins and ends."""
_CHOSEN = re.compile(
    r"(?:\bI(?:[’']ll|[’']d| will| would)? (?:choose|chose|pick|picked|take|select|go with|point to)"
    r"|^(?:For example, )?(?:[Cc]onsider|Take|Think of|Look at))\s+"
)
_SUBJECT = re.compile(
    rf"(.{{2,80}}?)\s(?:(?:is|was)\s(?:an?|one|the|my|another)\b[^.,;:!?]{{0,40}}?(?:{_KIND}|\bbest\b)"
    r"|(?:shows|illustrates|demonstrates|captures)\b[^.,;:!?]{0,40}\bbest\b)"
)

# The phrase that stands there: "(in the case of) the peppered moth", or a title in quotation marks or asterisks.
_STORY = re.compile(r"(?:the (?:[\w-]+ )?(?:example|case|story|tale) of )", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:in|with) (?=the\b|[A-Z])", re.IGNORECASE)
_TITLE = re.compile(
    r"(?P<before>[^.,;:!?()“”\"*_\n]{0,60}?)(?<!\w)"
    r"(?:[“\"](?P<quoted>[^“”\"\n]+)[”\"]|\*+(?P<starred>[^*\n]+)\*+|_(?P<underlined>[^_\n]+)_)(?P<after>[^\n]{0,12})"
)
_NO_TITLE = re.compile(r"\b(?:concept|idea|notion|term|word|phrase)\b", re.IGNORECASE)
_ENDS_A_TITLE = re.compile(
    r"[*_]*(?:\.[”\"]|$|[,;:!?.()–—]| [(–—-]| (?:by|in|at|from|of|on|for|which|that|where|is|was|and|as|because)\b)"
)
_END = re.compile(
    r"\s*(?:[,;:!?()“”\"*_|\n–—]|\s-\s|(?<!\b[A-Z])(?<!\bv)(?<!\bSt)(?<!\bDr)\.(?=\W|$)|$)"
    r"|\s(?:which|that|who|whom|whose|where|when|because|since|as|while|is|are|was|were|has|had|have)\b"
    r"|\sand (?:it|they|he|she|this|the|his|her|their|its)\b"
)
_GOES_ON = re.compile(r"(?::| -) (?:An?|The) [A-Z]|\s[“\"*_]")
_OF_TWO = re.compile(r"([A-Z]\w+, [A-Z]\w+)(?=\.?$|\.\s|, (?:which|where|an?|the)\b| by )")
"""Such as "Impression, Sunrise" or "Naples, Italy"."""
_LIST_GOES_ON = re.compile(r"[,;] [A-Z]")
_APPOSED = re.compile(r", (?:which|where|an?|the)\b")
_TAIL = re.compile(r"\s(?:itself|best|in action)$")
_FURTHER = re.compile(
    r"(.+?)(?:\s[a-z]+ed)?\s(?:in|at|on|by|from|near|for|during|with|between)\s(?!.*\s(?:in|at|on|by)\s)"
)

# What may be quoted.
_MARKS = ".,;:()[]{}'\"“”‘’"
_FULL_STOP = re.compile(r"(?<!\b[A-Z])(?<!\bv)(?<!\bSt)(?<!\bDr)\. ")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_OPENERS = frozenset(
    "i it he she we you they this that these those there here what where when why how who which whether if as to not "
    "my your our their his her its something someone anything everything one while because since no yes in on at for "
    "another many some most all each every any such so very more quite often also let say".split()
)
"""What a name does not begin with."""
_NO_NAME_WITH_THE = frozenset(
    "best most worst largest greatest first last only same following way one other concept idea notion".split()
)
_OPEN_ENDS = frozenset(
    "of the a an to and or in on at with for from by like called named known its his their also i it them this".split()
)
"""What a name does not end with: it was cut short."""
_CLAUSE = frozenset(
    "example examples can could may might will would shall should must cannot be been being did does or called named "
    "known it".split()
)
"""What stands in a clause or between two things, and in no name of one."""

# Of a name that nothing marks as the example: what before or after it shows that it is part of a longer one, or not.
_LAYOUT = re.compile(r"[#|>*+-]|\d+[.)]")
_CUT_BEFORE = re.compile(r"(?:\d\S*|\b[Aa]n?|[:-] The|[A-Z][\w.]* and|&) $")
_ENDS_A_NAME = re.compile(
    r"[.!?(]|$|, (?:an?|the)\b"
    r"|,? (?:[a-z]+ed|is|was|are|were|has|had|have|does|did|can|in|by|from|to|of|on|as|who|which|that|because|with|"
    r"when|it|he|she|they|(?:at|for|and) (?![A-Z]))\b"
)


def example_of(answer: str, concept: str) -> str | None:
    """The example that an answer gives, in at most seven words; `None` where none stands out.

    By rule: a whole name, title or definite noun phrase after "an example is …" and its like, or before "… is a good
    example"; else the only name of several words in the first sentence. It must be one thing of which a detail can be
    looked up: "a technology" and "a ball on a ramp" are none. In doubt it is `None`: a fragment makes nonsense of the
    question, and any subject can be asked about an example of the concept's own.
    """
    if is_foreign(answer) or clarification(answer).asks:
        return None
    return next((each for each in _phrases(answer) if _usable(each, concept) and not _is_any(each, answer)), None)


def _phrases(answer: str) -> Iterator[str]:
    """What may be the example, what is marked most clearly first."""
    for heading in (_LABELLED, _ANNOUNCED):
        yield from (phrase for match in heading.finditer(answer) if (phrase := _noun_phrase(match[1])))
    sentences = [sentence.text for sentence in split_sentences(answer, layout=True)]
    for sentence in sentences:
        yield from (phrase for text in _after_markers(sentence) if (phrase := _noun_phrase(text)))
        if (subject := _SUBJECT.match(sentence)) and (phrase := _noun_phrase(subject[1])):
            yield phrase
    if sentences and (name := _only_name(sentences[0])):
        yield name


def _after_markers(sentence: str) -> Iterator[str]:
    """What follows "an example of it that is easy is": after each verb of the clause, as any may be the main one."""
    for marker in _MARKER.finditer(sentence):
        rest = sentence[marker.end() : marker.end() + _REACH]
        for verb in _COPULA.finditer(rest):
            if _ANOTHER_CLAUSE.search(rest[: verb.start()]):
                break
            yield rest[verb.end() :]
    yield from (sentence[match.end() : match.end() + _REACH] for match in _CHOSEN.finditer(sentence))


def _noun_phrase(text: str) -> str | None:
    """The title or the whole noun phrase that a text begins with; `None` where it may go on."""
    text = _PREPOSITION.sub("", text, count=1) if _PREPOSITION.match(text) else text
    story = _STORY.match(text)
    text = text[story.end() :] if story else text
    if title := _TITLE.match(text):
        return _whole_title(title)
    if two := _OF_TWO.match(text):
        return two[1]
    end = _END.search(text)
    if end is None:
        return None
    phrase, rest = _TAIL.sub("", text[: end.start()].strip()), text[end.start() :]
    introduces = rest.startswith(":") and not re.search(r"[A-Z\d]", phrase[1:])
    lists = " " not in phrase and _LIST_GOES_ON.match(rest)
    if introduces or lists or _GOES_ON.match(rest) or not phrase:
        return None
    if _is_bare(phrase) and (phrase.split()[0].endswith("ing") or not (story or _APPOSED.match(rest))):
        return None
    if len(phrase.split()) > MAX_EXAMPLE_WORDS and (shorter := _FURTHER.match(phrase)):
        return shorter[1]
    return phrase


def _whole_title(match: re.Match[str]) -> str | None:
    """What stands in quotation marks or asterisks, where that is a title and no half of a name."""
    title = (match["quoted"] or match["starred"] or match["underlined"]).strip().rstrip(".,:;")
    if title[:1] + title[-1:] in ("“”", '""'):
        title = title[1:-1]
    before = match["before"].casefold().split()
    is_word = " " not in title and bool(before) and before[-1] in ("the", "a", "an")
    is_title = title[:1].isupper() or title[:1].isdigit()
    ends = _ENDS_A_TITLE.match(match["after"]) and not match["after"].startswith(("”", ".”"))
    return title if is_title and ends and not is_word and not _NO_TITLE.search(match["before"]) else None


def _is_bare(phrase: str) -> bool:
    """Whether it has neither article nor capital: "quicksort" is a thing, and "easy to see" or "drab" is none."""
    return phrase[:1].islower() and phrase.split()[0] not in ("a", "an", "the")


def _only_name(sentence: str) -> str | None:
    """The one name of several words in a sentence that marks no example, if it is no part of a longer one."""
    names = [name for name in find_names(sentence) if " " in name.text and not name.quoted]
    if len(names) != 1 or _LAYOUT.match(sentence) or _MARKER.search(sentence):
        return None
    (name,) = names
    is_cut = _CUT_BEFORE.search(sentence[: name.start]) or not _ENDS_A_NAME.match(sentence[name.end :])
    return None if is_cut else name.text


def _is_any(phrase: str, answer: str) -> bool:
    """Whether "the beam of light" is one that the answer calls "a beam of light", too: nobody can look that up."""
    article, _, rest = phrase.partition(" ")
    return article.casefold() == "the" and re.search(rf"\ban? {re.escape(rest)}\b", answer) is not None


def _usable(phrase: str, concept: str) -> bool:
    plain, named = phrase.casefold(), concept.casefold()
    short = 2 < len(phrase) and len(phrase.split()) <= MAX_EXAMPLE_WORDS
    says_more = plain not in named and not _is_kind(plain.replace(named, ""))
    return short and says_more and _names_one_thing(phrase) and not find_addresses(phrase)


def _names_one_thing(phrase: str) -> bool:
    """Whether it may name a single thing: a name, a title, or "the peppered moth", but no kind of thing.

    Nor, without a capital or a digit, "the moth", of which there are many, and "the study concluded with the result".
    """
    words = [word.strip(_MARKS) for word in phrase.split()]
    lower = [word.casefold() for word in words]
    if lower[0] in _OPENERS or lower[-1] in _OPEN_ENDS or lower[-1].endswith(("ly", "'s", "’s")):
        return False
    if not _CLAUSE.isdisjoint(lower) or phrase[-1] in "?!" or _FULL_STOP.search(phrase):
        return False
    if lower[0] in ("a", "an"):
        return phrase[0].isupper() and len(words) > 2 and words[1][:1].isupper()
    if lower[0] == "the" and (len(words) == 1 or lower[1] in _NO_NAME_WITH_THE):
        return False
    if any(word[:1].isupper() or word[:1].isdigit() for word in words[1:]):
        return True
    is_bare_noun = lower[0] == "the" and len(words) == 2
    has_verb = any(word.endswith("ed") for word in lower[2:-1])
    return not (is_bare_noun or has_verb or _is_kind(phrase))


def _is_kind(phrase: str) -> bool:
    """Whether all its words are such as "company" and "modern", or of no content."""
    words = [word.casefold() for word in _WORD.findall(phrase)]
    content = [word for word in words if word not in _OPEN_ENDS]
    return all(word in _generic() or word.removesuffix("s") in _generic() for word in content)


@cache
def _generic() -> frozenset[str]:
    lines = read_text("lexicons/generic_nouns.txt").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
