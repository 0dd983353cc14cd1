"""Text handling: sentences, alignment, numbers and names, overlap. Knows only the records."""

from voirdire.text.alignment import Alignment, align, span_to_sentences
from voirdire.text.entities import Name, find_names, knows, name_key, same_name
from voirdire.text.numbers import Number, agree, comparable, find_numbers, with_sign
from voirdire.text.overlap import content_words, salience, stem, words
from voirdire.text.phrases import any_phrase
from voirdire.text.sentences import Sentence, cut_answer, split_sentences

__all__ = [
    "Alignment",
    "Name",
    "Number",
    "Sentence",
    "agree",
    "align",
    "any_phrase",
    "comparable",
    "content_words",
    "cut_answer",
    "find_names",
    "find_numbers",
    "knows",
    "name_key",
    "salience",
    "same_name",
    "span_to_sentences",
    "split_sentences",
    "stem",
    "with_sign",
    "words",
]
