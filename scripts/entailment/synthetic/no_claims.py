"""Sentences that claim nothing of the matter: greetings, refusals, questions, closings; and look-alikes that do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from examples import Example
from synthetic.maker import Maker
from synthetic.rewriting import introduced, sentences_of
from synthetic.words import upper_first

TOPICS = """your question|this topic|your order|the refund policy|that product|the history of the city|your account|the results|this matter|
your request|the study|the article|opening hours|the event|pricing|the recipe|your trip|the contract|climate|the report|the software|
your appointment|the delivery|the schedule|medical matters|legal questions|the exam|your device|this feature|the book|the match""".replace(
    "\n", ""
).split("|")
PATTERNS = [
    "Hello! How can I help you today?",
    "Hi there!",
    "Hello, {n}!",
    "Good morning!",
    "Thanks for reaching out about {t}.",
    "Thank you for your question about {t}.",
    "Thank you for contacting us.",
    "I'm happy to help you with {t}.",
    "I'd be glad to assist you.",
    "Sure, I can help with that.",
    "Of course!",
    "Great question!",
    "That's an interesting question about {t}.",
    "Certainly!",
    "Here is what I found:",
    "Here is a summary of {t}:",
    "Here's what the documents say about {t}:",
    "Let me look into {t} for you.",
    "Let me explain.",
    "Below is an overview.",
    "Let's take a closer look at {t}.",
    "Let's break this down step by step.",
    "I'm sorry, but I can't help with {t}.",
    "I cannot answer that based on the documents.",
    "Unfortunately, the provided context does not contain information about {t}.",
    "I don't have enough information to answer.",
    "I don't know.",
    "I am not sure about {t}.",
    "As an AI language model, I don't have opinions.",
    "As an AI, I can't give advice on {t}.",
    "I'm unable to find anything about {t} in the passages.",
    "The passages do not say anything about {t}.",
    "Unable to answer based on given passages.",
    "The answer to your question is not in the documents.",
    "There is no mention of {t} in the text.",
    "I apologize for the inconvenience.",
    "Sorry for the confusion.",
    "I apologize, but I cannot share that.",
    "Is there anything else I can help you with?",
    "Let me know if you have any other questions.",
    "Feel free to ask if you need more details about {t}.",
    "Please let me know how I can assist further.",
    "I hope this helps!",
    "Hope that answers your question.",
    "Have a great day!",
    "Best regards,",
    "Kind regards, the support team",
    "Take care!",
    "Goodbye!",
    "You're welcome.",
    "Thanks again for your patience.",
    "Do you want to know more about {t}?",
    "What would you like to know about {t}?",
    "Could you tell me more about {t}?",
    "Would you like me to go on?",
    "Can you share your order number?",
    "Which one do you mean?",
    "Why is that so?",
    "Does that make sense?",
    "Are you interested in {t}?",
    "Have you tried that already?",
    "How does this work?",
    "Based on the documents:",
    "Based on the documents, here is the answer.",
    "According to the provided context:",
    "To answer your question:",
    "In summary:",
    "Summary:",
    "Answer:",
    "Key points:",
    "Conclusion",
    "Overview of {t}",
    "Note:",
    "Sources:",
    "Steps:",
    "Please contact support if you need further help.",
    "Please consult a professional about {t}.",
    "Please check the official website for {t}.",
    "If you have more questions, just ask.",
    "Please provide more details.",
    "Please rephrase your question.",
    "Please note the following:",
    "Good luck!",
    "Enjoy!",
    "Congratulations!",
    "I understand your frustration.",
    "I see.",
    "Okay.",
    "Yes.",
    "No problem!",
    "Absolutely!",
    "Got it, thanks.",
    "Welcome back!",
    "Nice to meet you!",
    "My pleasure.",
    "Dear customer,",
    "Hey {n}, thanks for waiting.",
    "I hope you are doing well.",
    "I'd recommend asking an expert about {t}.",
    "I will do my best to answer.",
    "I'll be happy to explain {t}.",
    "Let me check that for you.",
    "One moment, please.",
    "Give me a second to look at {t}.",
    "That depends on what you mean by {t}.",
    "Tell me if you need anything else regarding {t}.",
    "Don't hesitate to get in touch.",
    "We appreciate your feedback.",
    "We value your interest in {t}.",
    "I can only answer questions about {t}.",
    "I can't discuss {t}.",
    "I'm afraid that I can't tell you that.",
    "Without more context I cannot say.",
    "The context doesn't provide an answer.",
    "No information on {t} is given in the provided documents.",
    "It is not possible to answer this from the given text.",
    "The documents don't mention it.",
    "The given passages do not provide details about {t}.",
]
NAMES = "Anna Ben Carla Dev Elif Finn Gita Hans Ida Jo Karim Lena Mo Nils Olga".split()
_STARTS = ["", "", "", "", "Hi! ", "Okay, ", "Well, ", "Hello! ", "Sure. ", "Thanks! "]


def no_claims(texts: Sequence[str], maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of any evidence and a sentence that claims nothing, and as many of claims that begin or end like one."""
    part = [text for text in maker.shuffled(texts) if len(sentences_of(text)) > 1]
    for text in part[:number]:
        pattern = maker.pick(PATTERNS)
        claim = pattern.format(t=maker.pick(TOPICS), n=maker.pick(NAMES))
        start = maker.any(_STARTS)
        if (
            start
            and claim[0] not in "IB"
            and claim.split()[0].rstrip(",!.") not in ("Hello", "Hi", "Hey", "Okay", "Unable")
        ):
            claim = start + (claim if start.endswith(("! ", ". ")) else claim[0].lower() + claim[1:])
        yield Example(text, _styled(claim, maker), "no_claim", "no_claim")
        first, second = maker.chance.sample(sentences_of(text), 2)
        lead = maker.any(
            [
                "Hello! {}",
                "Thanks for asking! {}",
                "I'm sorry, but {}",
                "Sure, {}",
                "Unfortunately, {}",
                "Great question! {}",
                "Please note that {}",
                "Let me explain: {}",
                "As you can see, {}",
                "I found that {}",
                "{} Let me know if you have questions.",
            ]
        )
        said = first if lead.startswith("{") or lead.endswith(("! {}", ": {}")) else first[0].lower() + first[1:]
        if maker.odds(0.5):
            yield Example(text, lead.format(said), "supported", "claim_greeted")
        elif len(set(first.lower().split()) - set(second.lower().split())) > 4:
            yield Example(
                second,
                lead.format(said) if maker.odds(0.7) else introduced(first, maker),
                "unsupported",
                "claim_greeted",
            )


def _styled(claim: str, maker: Maker) -> str:
    if maker.odds(0.1):
        claim = claim.rstrip(".!")
    if maker.odds(0.1):
        claim = claim.lower()
    return upper_first(claim) if maker.odds(0.9) else claim
