"""Sentences of the labelled pairs' evidence, rewritten: so that they mean the same, or something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from examples import Example
from synthetic.maker import Maker, selected
from synthetic.words import CITIES, COUNTRIES, LAST, MONTHS, people, upper_first
from voirdire.text.sentences import split_sentences

Span = tuple[int, int]
_NO_NAME = frozenset(
    """The A An In On At By He She It They We You I His Her Its Their Our My This That These Those There Then When While
    After Before During Since Until From With For And But Or So If As Although Though Because However Also Most Many Some
    All Both Each Every Other Another One Two Three Who What Where Why How Which Not No Yes According Despite Following
    Once Today Later Only Even Such Several Here To Of""".split()
)
_NAME = re.compile(r"\b[A-Z][\w’'-]*[a-z](?: (?:of|de|von|van|the) (?=[A-Z])| [A-Z][\w’'-]*[a-z]\b)*")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
_NOUN = re.compile(
    r"\b(?:the|a|an|his|her|its|their) ([a-z]{3,})(?= (?:of|in|to|by|with|for|and|was|is|are|were|from|on|at|that|which)\b|[,.;])"
)
_DESCRIBED = re.compile(r"\b(?:the|a|an|his|her|its|their) ([a-z]{4,}) [a-z]{4,}")
_BOTH = re.compile(r"\b(?:between|both|married|together|same|similar|equal|and|or|met|versus|vs|with)\b|,\s*$|^\s*$|/")
_JOINED = re.compile(r"^,? (?:and|or) $")
_OPENING = re.compile(r"^((?:In|On|At|By|During|After|Since|Until|From) [^,.]{3,40}), ([^,;]{12,140})\.$")
_CLOSING = re.compile(
    r"^([A-Z][^,;]{15,120}?) ((?:in|on|during|since|until) (?:[A-Z]?[a-z]* ?(?:\d{1,2},? )?\d{4}|[A-Z][a-z]+))\.$"
)
_OWNED = re.compile(r"\bthe (\w+) of ([A-Z][a-z]+)(?=[ .,])(?! [A-Z])")
_OWNER = re.compile(r"\b([A-Z][a-z]+)['’]s ([a-z]+)(?=[ .,])")
_HEDGE = re.compile(
    r"\b(?:may|might|could|can) (be|have|cause|lead|help|reduce|increase|affect|include|result|make|take)\b"
)
_SINGLE = {
    "be": "is",
    "have": "has",
    "cause": "causes",
    "lead": "leads",
    "help": "helps",
    "reduce": "reduces",
    "increase": "increases",
    "affect": "affects",
    "include": "includes",
    "result": "results",
    "make": "makes",
    "take": "takes",
}
_POLARITY = [
    (r"\b(is|was|are|were|has been|have been|will|would|can|could|should|did|does|do) not ", r"\1 "),
    (r"\b(is|was|are|were) (?!not\b)(?=[a-z]+ )", r"\1 not "),
    (r"\b(will|would|can|could|should|must) (?!not\b)(?=[a-z]+ )", r"\1 not "),
    (r"\bhas (?!not\b)(?=[a-z]+ed )", "has not "),
    (r"\bhad (?!not\b)(?=[a-z]+ed )", "had not "),
    (r"\bnever ", "always "),
    (r"\balways ", "never "),
    (r"\bwithout ", "with "),
    (r"\b[Nn]o ([a-z]+s) ", r"Many \1 "),
]
_OPPOSITES = dict(
    pair
    for words in """first last|before after|more fewer|increase decrease|increased decreased|rise fall|rose fell|higher lower|high low|large small
    largest smallest|best worst|early late|earlier later|north south|northern southern|east west|eastern western|won lost|win lose
    most few|many few|open closed|opened closed|old new|older younger|male female|left right|long short|longest shortest|above below
    inside outside|success failure|successful unsuccessful|accepted rejected|allowed forbidden|legal illegal|possible impossible
    public private|rich poor|strong weak|war peace|begin end|began ended|start finish|started finished|safe dangerous|true false
    positive negative|good bad|hot cold|warm cool|major minor|majority minority|maximum minimum|full empty|gained lost|bought sold
    joined left|married divorced|alive dead|common rare|young old|husband wife|father mother|son daughter|brother sister|king queen
    approved rejected|agreed refused|praised criticised|supported opposed|built destroyed|present absent|permanent temporary
    domestic foreign|rural urban|upper lower|internal external|simple complex|easy difficult|heavy light|wide narrow|deep shallow
    fast slow|quickly slowly|day night|morning evening|summer winter|spring autumn|friend enemy|victory defeat|profit loss""".replace(
        "\n", "|"
    ).split("|")
    for left, right in [words.split()]
    for pair in ((left, right), (right, left))
)
_SYNONYMS = [
    tuple(group.split(","))
    for group in """began,started|large,big|located,situated|also,additionally|many,numerous|shows,demonstrates|showed,demonstrated|
about,approximately|near,close to|because,since|however,though|help,assist|helped,assisted|buy,purchase|bought,purchased|build,construct|
built,constructed|often,frequently|famous,well-known|children,kids|film,movie|whole,entire|difficult,hard|important,significant|begin,start|
important,essential|important,crucial|show,demonstrate|use,utilise|used,utilised|got,obtained|get,obtain|died,passed away|teacher,instructor|
released,issued|received,got|created,made|received,was given|next to,beside|after,following|during,in the course of|until,up to|
later,afterwards|area,region|car,automobile|doctor,physician|people,individuals|very,extremely|small,little|quickly,rapidly|main,primary|
for example,for instance|several,a number of|since,ever since|such as,like|in order to,to|ended,finished|required,needed|requires,needs|
chose,selected|selected,picked|previously,formerly|currently,at present|usually,normally|almost,nearly|increased,went up|decreased,fell|
won,took|announced,declared|said,stated|says,states|started,commenced|lives in,resides in|lived in,resided in|job,position|rich,wealthy|
murdered,killed|author,writer|wrote,authored|known as,called|called,named|consists of,is made up of|contains,includes|allows,lets|
allowed,permitted|firm,company|company,business|nation,country|assault,attack|error,mistake|illness,disease|purpose,aim|attempted,tried|
finally,eventually|however,nevertheless|immediately,at once|depends on,relies on|led to,resulted in|leads to,results in|responsible for,in charge of|
took place,was held|gives,provides|gave,provided|giving,providing|at the moment,currently|in 19,during 19|in 20,during 20|million,m|percent,per cent|percent,%""".replace(
        "\n", ""
    ).split("|")
]
_LEADS = [
    "According to the passage, {}",
    "Based on the documents, {}",
    "The text says that {}",
    "According to the article, {}",
    "The passage states that {}",
    "In summary, {}",
    "Overall, {}",
    "The document mentions that {}",
    "As stated in the text, {}",
    "It is worth noting that {}",
    "Additionally, {}",
    "Furthermore, {}",
    "Yes, {}",
    "In addition, {}",
    "The report notes that {}",
    "To answer your question, {}",
    "Sure! {}",
    "In short, {}",
    "Moreover, {}",
    "Based on the given context, {}",
    "Finally, {}",
    "Specifically, {}",
    "1. {}",
    "- {}",
    "The author states that {}",
    "It is reported that {}",
    "The article reports that {}",
    "As the source explains, {}",
]


def names(text: str) -> list[Span]:
    """Where names seem to stand."""
    found = []
    for match in _NAME.finditer(text):
        start, end = match.span()
        words = match[0].split()
        while words and words[0] in _NO_NAME:
            start += len(words[0]) + 1
            words = words[1:]
        starts = not text[:start].strip() or text[:start].rstrip()[-1] in ".!?"
        if words and (not starts or len(words) > 1):
            found.append((start, end))
    return found


def spans_of(text: str) -> dict[str, list[Span]]:
    """What can be exchanged for its like: names, numbers, nouns, what describes nouns."""
    return {
        "names": names(text),
        "numbers": [match.span() for match in _NUMBER.finditer(text)],
        "nouns": [match.span(1) for match in _NOUN.finditer(text)],
        "described": [match.span(1) for match in _DESCRIBED.finditer(text)],
    }


def exchange(text: str, first: Span, second: Span) -> str:
    """The text with two of its parts in each other's place."""
    (a, b), (c, d) = sorted((first, second))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def exchanged_parts(text: str, maker: Maker) -> str | None:
    """The same words, another meaning."""
    options = []
    for kind, spans in spans_of(text).items():
        for left in spans:
            for right in spans:
                between = text[left[1] : right[0]]
                unlike = text[slice(*left)].lower() != text[slice(*right)].lower()
                if left < right and unlike and len(between.split()) > 1 and not _BOTH.search(between[-30:]):
                    options.append((kind, left, right))
    if not options:
        return None
    chosen = maker.any(sorted({kind for kind, _, _ in options}))
    _, left, right = maker.any([option for option in options if option[0] == chosen])
    return upper_first(exchange(text, left, right))


def reordered(text: str, maker: Maker) -> str | None:
    """The same words in another order, the same meaning."""
    ways = []
    if match := _OPENING.match(text):
        ways.append(f"{upper_first(match[2])} {match[1][0].lower()}{match[1][1:]}.")
    if match := _CLOSING.match(text):
        ways.append(f"{upper_first(match[2])}, {_lower_first(match[1])}.")
    for left, right in zip(spans := names(text), spans[1:], strict=False):
        if _JOINED.match(text[left[1] : right[0]]):
            ways.append(exchange(text, left, right))
    if match := _OWNED.search(text):
        ways.append(text[: match.start()] + f"{match[2]}'s {match[1]}" + text[match.end() :])
    if match := _OWNER.search(text):
        ways.append(text[: match.start()] + f"the {match[2]} of {match[1]}" + text[match.end() :])
    if match := re.search(r"\b([a-z]{4,}) and ([a-z]{4,})(?=[ ,.])", text):
        if match[1][-2:] == match[2][-2:]:
            ways.append(text[: match.start()] + f"{match[2]} and {match[1]}" + text[match.end() :])
    return upper_first(maker.any(ways)) if ways else None


def _lower_first(text: str) -> str:
    return text[0].lower() + text[1:] if text.split()[0] in _NO_NAME and not text.startswith("I ") else text


def reworded(text: str, maker: Maker) -> str:
    """A few words replaced by synonyms, or left out where they add nothing."""
    for group in maker.shuffled(_SYNONYMS)[:60]:
        source, target = group if maker.odds(0.5) else group[::-1]
        if re.search(rf"\b{re.escape(source)}\b", text) and maker.odds(0.7):
            text = re.sub(rf"\b{re.escape(source)}(?=\b|\d)", target, text, count=1)
    if maker.odds(0.5):
        text = re.sub(r" \([^()]{2,60}\)", "", text)
    return text


def introduced(text: str, maker: Maker) -> str:
    """As an answer may begin it."""
    lead = maker.pick(_LEADS)
    return lead.format(_lower_first(text) if not lead.endswith((". {}", "! {}", "- {}")) else text)


def shortened(text: str) -> str | None:
    """Without its end, where that is an addition."""
    match = re.match(
        r"^(.{30,}?)(?:, (?:which|who|where|including|although|but|while|making|with|after|before)\b.*)\.$", text
    )
    return match[1] + "." if match else None


def changed(text: str, paragraph: str, maker: Maker) -> tuple[str, str] | None:
    """A sentence with one thing changed, and its label."""
    ways = maker.shuffled(["name", "name", "number", "number", "polarity", "opposite", "hedge"])
    for way in ways:
        new = _CHANGES[way](text, paragraph, maker)
        if new and new != text:
            return upper_first(new), "contradicted" if way in ("number", "polarity", "opposite") else "not_supported"
    return None


def _other_name(text: str, paragraph: str, maker: Maker) -> str | None:
    found = names(text)
    if not found:
        return None
    span = maker.any(found)
    here = [paragraph[slice(*each)] for each in names(paragraph)]
    others = [name for name in here if name not in text and not set(name.split()) & set(text[slice(*span)].split())]
    name = (
        maker.any(others)
        if others and maker.odds(0.75)
        else maker.any([people(maker, 1)[0], maker.pick(CITIES), maker.pick(COUNTRIES), maker.pick(LAST)])
    )
    return text[: span[0]] + name + text[span[1] :]


def _other_number(text: str, paragraph: str, maker: Maker) -> str | None:
    months = [match.span() for match in re.finditer(rf"\b(?:{'|'.join(MONTHS)})\b", text)]
    found = [match.span() for match in _NUMBER.finditer(text)]
    if months and maker.odds(0.3):
        span = maker.any(months)
        return text[: span[0]] + maker.any(MONTHS) + text[span[1] :]
    if not found:
        return None
    span = maker.any(found)
    old = text[slice(*span)]
    here = [match[0] for match in _NUMBER.finditer(paragraph) if match[0] not in text and len(match[0]) == len(old)]
    if here and maker.odds(0.5):
        return text[: span[0]] + maker.any(here) + text[span[1] :]
    value = float(old.replace(",", ""))
    if 1500 < value < 2100 and value.is_integer() and "," not in old:
        new = str(int(value) + maker.any([-30, -10, -7, -3, -2, -1, 1, 2, 3, 5, 8, 10, 20]))
    elif value.is_integer():
        factor = maker.any([0.5, 0.8, 0.9, 1.1, 1.3, 2, 3, 10])
        number = max(0, round(value * factor))
        number += number == value
        new = f"{number:,}" if "," in old else str(number)
    else:
        new = f"{value * maker.any([0.5, 0.7, 1.2, 1.5, 2]):.{len(old.split('.')[1])}f}"
    return text[: span[0]] + new + text[span[1] :]


def _other_polarity(text: str, paragraph: str, maker: Maker) -> str | None:
    for pattern, new in maker.shuffled(_POLARITY):
        if re.search(pattern, text):
            return re.sub(pattern, new, text, count=1)
    return None


def _opposite(text: str, paragraph: str, maker: Maker) -> str | None:
    found = [match for match in re.finditer(r"\b[a-z]+\b", text) if match[0] in _OPPOSITES]
    if not found:
        return None
    match = maker.any(found)
    return text[: match.start()] + _OPPOSITES[match[0]] + text[match.end() :]


def _unhedged(text: str, paragraph: str, maker: Maker) -> str | None:
    match = _HEDGE.search(text)
    return text[: match.start()] + _SINGLE[match[1]] + text[match.end() :] if match else None


_CHANGES = {
    "name": _other_name,
    "number": _other_number,
    "polarity": _other_polarity,
    "opposite": _opposite,
    "hedge": _unhedged,
}


def sentences_of(text: str) -> list[str]:
    """Whole sentences of a useful length."""
    found = [each.text.strip() for each in split_sentences(text)]
    return [each for each in found if 5 <= len(each.split()) <= 45 and each[-1:] == "." and each[:1].isupper()]


def word_order(texts: Sequence[str], maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of nearly the same words: a sentence, and itself with two parts exchanged, or in another order."""
    made = 0
    for text in maker.shuffled(texts):
        for sentence in sentences_of(text):
            if made >= number or len(sentence.split()) > 40:
                continue
            same = reordered(sentence, maker)
            other = exchanged_parts(sentence, maker)
            if same and same != sentence:
                claim = reworded(same, maker) if maker.odds(0.5) else same
                made += 1
                yield _either_way(sentence, claim, "supported", "order_same", maker)
                if twice := exchanged_parts(same, maker):
                    made += 1
                    yield _either_way(
                        sentence,
                        reworded(twice, maker) if maker.odds(0.5) else twice,
                        "not_supported",
                        "order_other",
                        maker,
                    )
            elif other and maker.odds(0.5):
                yield _either_way(sentence, reworded(sentence, maker), "supported", "order_reworded", maker)
            if other and maker.odds(0.8):
                made += 1
                claim = reworded(other, maker) if maker.odds(0.4) else other
                yield _either_way(sentence, claim, "not_supported", "order_other", maker)


def _either_way(evidence: str, claim: str, label: str, source: str, maker: Maker) -> Example:
    if maker.odds(0.4):
        evidence, claim = claim, evidence
    return Example(evidence, claim, label, source)


def extracts(texts: Sequence[str], maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of a paragraph and one of its sentences: as it is, changed, taken out of the paragraph, or two of them joined."""
    made = 0
    for text in maker.shuffled(texts):
        sentences = sentences_of(text)
        if len(set(sentences)) < 3:
            continue
        for place in maker.chance.sample(range(len(sentences)), 2):
            if made >= number:
                return
            example = _extract(sentences, place, maker)
            if example:
                made += 1
                yield example


def _extract(sentences: list[str], place: int, maker: Maker) -> Example | None:
    sentence, paragraph = sentences[place], " ".join(sentences)
    if len(sentence.split()) < 7:
        return None
    kind = maker.any(["kept", "kept", "changed", "changed", "changed", "missing", "joined", "half"])
    finish = maker.any([reworded, reworded, lambda text, _: text])
    claim = finish(
        shortened(sentence) or sentence if maker.odds(0.4) else reordered(sentence, maker) or sentence, maker
    )
    label, context = "supported", paragraph
    if kind == "missing":
        context, label = " ".join(each for each in sentences if each != sentence), "unsupported"
        if len(set(sentence.lower().split()) - set(context.lower().split())) < 4:
            return None
    elif kind == "changed":
        new = changed(claim, paragraph, maker)
        if new is None:
            return None
        claim, label = new
    elif kind in ("joined", "half"):
        other = maker.any([each for each in sentences if each != sentence])
        if len(other.split()) + len(sentence.split()) > 45:
            return None
        if kind == "half":
            new = changed(other, paragraph, maker)
            if new is None:
                return None
            other, label = new
        parts = maker.shuffled([claim, other])
        claim = parts[0][:-1] + maker.any([", and ", "; ", ", while ", ". "]) + parts[1]
    if maker.odds(0.3):
        claim = introduced(claim, maker)
    return selected(context, claim, label, f"extract_{kind}")
