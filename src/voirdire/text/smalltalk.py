"""Sentences that claim nothing of the matter: greetings, thanks, offers of help, refusals, "I don't know".

A sentence is one of these only as a whole: every clause of it must be. "I'm sorry, but the tower was closed in 1990."
is an apology and a claim, and therefore a statement. So is "The context does not say when it opens", which the context
can prove wrong; "I don't know when it opens" is not. A text is a refusal if its first clause that is no greeting or
apology declines, whatever follows.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from voirdire.data.packaged_files import read_yaml
from voirdire.errors import a_type
from voirdire.text.overlap import content_words, words

SMALL_TALK = "greetings, refusals, offers of help"
"""What it is, to a reader."""
_LONGEST = 400  # characters
_CLAUSE = re.compile(r"[,;:.!?…–—]+(?:\s|$)|\s-\s")
_TURN = r"because|since|but|which|although|though|whereas|while|however|and (?:the|it|he|she|they)"
_TURNS = re.compile(rf" (?:{_TURN}) ")
_REST = rf"(?: (?!(?:{_TURN}) )\S+)"
_ANY = rf"{_REST}{{0,25}}"
_ABOUT = rf"(?: (?:about|on|regarding|for|to|of|in|available){_ANY})?"
_SOURCE = (
    r"(?:context|documents?|documentation|docs|texts?|passages?|sources?|excerpts?|materials?|manuals?|articles?"
    r"|search results|knowledge base)"
)
_GIVEN = r"(?:provided |given |available |retrieved |supplied |above )?"
_SOURCES = rf"(?:the |these |this |your |my )?{_GIVEN}{_SOURCE}(?: provided| given| above| available| i have)?"
_NOT = r"(?: not|n't)"
_WORD = r"[^\W\d_]+"
_PLAIN = rf"(?!(?:{_TURN}|that|who) )[^\W\d_][^\W\d_'-]*"
"""A word that neither opens another clause nor has a figure."""
_UNDERSTAND = r"(?:i|we)(?: (?:completely|fully|can))? understand"
_OFFER = re.compile(r"\b(?:feel free to|would you like|do you want|(?:how|what) (?:can|may|could) (?:i|we))\b")
_OF_SOMETHING = re.compile(
    r"^(?:it|its|this|that|these|those|the|there)\b|\b(?:he|she|they|him|her|them|his|their|because)\b"
)
_UNABLE = rf"(?:i|we)(?: can(?:not| not|'t)| could{_NOT}|(?: am| are|'m|'re)(?: unable| not able) to)"
_UNWILLING = rf"i (?:won't|will not|would{_NOT}|do{_NOT}|must not)"
_AS_AI = (
    r"as an? (?:ai|artificial intelligence|(?:large )?language model|virtual assistant|assistant)"
    r"(?: language)?(?: model| assistant)?(?: (?:made|trained|created|developed) by \S+)?"
)
_LEAD = (
    r"(?:but|and|so|or|however|unfortunately|(?:(?:i'm|i am) )?(?:very )?sorry|hi|(?:i'm|i am) afraid(?: that)?|please"
    rf"|{_AS_AI})"
)
_REFUSALS = (
    rf"(?:{_UNABLE}|{_UNWILLING})(?: \w+)? (?:help|assist|answer|comment|comply|discuss|engage|fulfil?l?|give|provide"
    r"|respond|share|do that|feel comfortable)",
    rf"i do{_NOT} have (?:(?:any |enough |this |that )?(?:information|access)|an opinion)",
    r"(?:i'm|i am) not (?:allowed|permitted|comfortable)",
    r"i (?:have to |\w+ )?(?:decline|refuse)(?:$| to (?:answer|help|assist|comment|comply|discuss|respond))",
    r"(?:this|that) is not something (?:that )?i can",
)
_REFUSALS_ELSEWHERE = (
    # German
    r"(?:(?:es )?tut mir (?:sehr )?leid[,.]? |entschuldigung[,.]? |leider )?(?:aber )?(?:(?!ich )\w+ ){0,4}?"
    r"(?:(?:kann|darf) ich|ich (?:kann|darf))(?: \w+){0,5}? (?:nicht|keine)(?: \w+){0,5}? "
    r"(?:(?:weiter)?helfen|beantworten|auskunft|unterstützen)\b"
    r"|(?:leider )?(?:bin ich|ich bin)(?: leider)? nicht in der lage\b"
    r"|als (?:ki|sprachmodell)\S*(?: \w+)? (?:kann|darf) ich(?: \w+){0,4} (?:nicht|nichts|keine)\b",
    # French
    r"(?:(?:je suis )?(?:vraiment )?désolée?[,.]? |malheureusement,? )?(?:mais )?"
    r"(?:je ne (?:peux|puis)(?: \w+)? pas (?:vous |y |t')?(?:aider|répondre|fournir|assister)\b"
    r"|je ne suis pas en mesure d|il m'est impossible d)",
    # Spanish
    r"(?:lo siento(?: mucho)?[,.]? |lamentablemente,? |disculpa[,.]? )?(?:pero )?"
    r"(?:no (?:te |le )?puedo (?:ayudar|responder|proporcionar|asistir)|no me es posible|no estoy en condiciones de)",
    # Italian
    r"(?:(?:mi )?(?:dispiace|spiace)[,.]? |purtroppo,? |scusa(?:mi|te)?[,.]? )?(?:ma )?"
    r"(?:(?:in quanto|come) (?:ia|modello)\b[^,.]*, )?"
    r"(?:non posso (?:(?:aiutar|risponder|fornir|assister|dar)\w*|soddisfare)\b|non sono in grado di\b"
    r"|non mi è possibile\b)",
    # Portuguese
    r"(?:(?:desculpe?|lamento|sinto muito|peço desculpas?)[,.]? |infelizmente,? )?(?:mas )?"
    r"(?:como (?:uma? )?(?:ia|modelo)\b[^,.]*, )?(?:eu )?"
    r"(?:não (?:te |lhe |o |a )?(?:posso|consigo) (?:ajud|respond|fornec|atend|dar)\w*|não me é possível\b"
    r"|não estou em condições de\b)",
    # Chinese
    r"(?:(?:非常|很|十分)?(?:抱歉|对不起|對不起|遗憾)[，,。！! ]*)?(?:但)?我(?:无法|無法|不能|没办法)[^，。！？]{0,10}"
    r"(?:回答|提供|帮助|幫助|满足|协助)",
    # Japanese
    r"(?:申し訳(?:ありません|ございません)|すみません)[^。]{0,30}(?:答え|回答|手伝い|対応|提供|応え)[^。]{0,6}"
    r"(?:できません|できかねます|しかねます)",
)
"""At the beginning of a text, in lower case; no more than every assistant says."""
_INFORMATION = (
    r"(?:any |(?:specific|further|more|enough) )*(?:information|details?|data|mention|answers?)"
    r" (?:about|on|regarding|of|for|to|as to) "
)
_SAY = "contain|mention|say|specify|include|provide|state|give|cover|address|discuss|indicate|have"
_STATED = "(?:given|mentioned|stated|specified|listed|indicated)"
_PRICE = "(?:exact )?(?:prices?|costs?|fees?)"
_MEASURE = (
    "(?:weights?|heights?|lengths?|widths?|depths?|thickness|sizes?|dimensions|distances?|speeds?|temperatures?|power"
    "|capacity|volumes?|ages?|noise levels?|loudness|colou?rs?)"
)
_FIGURE = (
    rf"(?:{_PRICE}|(?:exact )?(?:{_MEASURE}|amounts?|dates?|times?|figures?|numbers?|names?|address(?:es)?|durations?))"
)
_IS = "(?:is|are|was|were)"
_OF = " (?:for|of|on) [^;:.!?]+?"
_SILENT = (
    rf"(?:{_SOURCES}|(?:the )?(?:provided |given )?information(?: provided| given)?)"
    rf" (?P<silent>(?:(?:do|does|did){_NOT} (?:{_SAY})(?: (?:anything )?about)?"
    rf"|(?:contains?|has|have|makes?) no(?= {_INFORMATION})|(?:gives?|provides?|mentions?|states?|specif(?:y|ies)) no"
    rf"|(?:contains?|says?|mentions?|states?) nothing (?:about|on|regarding))"
    rf" (?:{_INFORMATION})?(?P<what>[^;:.!?]+))",
    rf"(?P<silent>there (?:is|was|'s) no {_INFORMATION}(?P<what>[^;:.!?]+?))(?: in {_SOURCES})?",
    rf"(?P<silent>no (?P<what>{_FIGURE} {_IS} {_STATED}{_OF}|(?:{_PRICE}|{_MEASURE}) {_IS} {_STATED}))"
    rf"(?: in {_SOURCES})?",
    rf"(?P<silent>there {_IS} no (?P<what>{_FIGURE} given{_OF}))(?: in {_SOURCES})?",
    rf"(?P<silent>nothing {_IS} (?:said|stated|mentioned) (?:about|on) (?P<what>[^;:.!?]+?))(?: in {_SOURCES})?",
    rf"(?P<silent>it {_IS}{_NOT} {_STATED} (?P<what>(?:how|when|where|who|why|what|which|whether|if) [^;:.!?]+?))"
    rf"(?: in {_SOURCES})?",
    rf"(?P<silent>(?:the|an?|any) (?P<what>{_FIGURE}(?:{_OF})? {_IS}{_NOT} {_STATED}))(?: in {_SOURCES})?",
)
_IS_STATED = re.compile(rf"(?i) {_IS}(?:{_NOT})? {_STATED}(?= |$)")
_DENIAL = re.compile(r"(?i)n['’]t\b|\b(?:not?|nothing)\b")
_OR = re.compile(r"\bn?or\b")
_COMMA_OR = re.compile(r",? n?or |, ")
_TITLE = r"(?:mr|mrs|ms|miss|mx|dr|prof|herrn?|frau|m|mme|mlle|monsieur|madame|sra?|señora?|señorita)\.?"
_ADDRESSED = re.compile(
    r"(?:^|(?<=[,;:.!?] ))(?:(?i:hello|hi|hey|greetings|welcome|dear|good (?:morning|afternoon|evening|day)|thanks"
    r"|thank you|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|danke|bonjour|bonsoir|chère?|merci"
    r"|hola|buen[oa]s (?:días|tardes|noches)|estimad[oa]|querid[oa]|gracias)),?"
    rf"(?: (?i:{_TITLE}))*(?: (?![a-zà-öø-ÿ])[^\W\d_][\w'-]*){{1,3}}(?=\s?[,;:!…–—]|\.?$)"
)
"""A greeting, with the name of whom it greets."""
_OPENINGS = (
    # greetings
    r"(?:hello|hi|hey|greetings|welcome|good (?:morning|afternoon|evening|day))(?: there| again| everyone| all)?",
    r"dear(?: (?:customer|user|sir|madam|sir or madam|all|team|colleague|friend|guest|reader)s?)",
    r"(?:many )?(?:thanks|thank you)(?: (?:so|very) much| a lot)?"
    r"(?: for (?:your|the|reaching|asking|contacting|getting|sharing|letting|waiting|bringing)\b(?: \S+){0,5})?",
    r"(?:that(?:'s| is) |what )?an? (?:very |really )?(?:great|good|excellent|interesting) question"
    r"|(?:great|good|excellent|interesting) question",
    r"sure(?: thing)?|of course|certainly|absolutely|no problem|okay|ok|got it|i see|understood",
    r"(?:i|we)(?:'d| would) be (?:happy|glad|delighted) to (?:help|assist)(?: you)?(?: with (?:that|this|it))?",
    r"(?:i|we)(?: can|'ll| will)(?: certainly| gladly)? (?:help|assist)(?: you)?(?: with (?:that|this|it))?"
    r"|(?:happy|glad) to help",
    r"here(?:'s| is| are) (?:what i found|(?:the|an?|your|some|my) (?:brief |short |quick |detailed |key )?"
    r"(?:answer|summary|overview|list|information|details|breakdown|response|points)"
    rf"(?: (?:of|about|on|from|to|for|based){_ANY})?)",
    rf"(?:i|we)(?:'d| would) be (?:happy|glad|delighted) to (?:look into|check) (?:your {_WORD}|that|this|it)"
    r"(?: for you)?",
    r"(?:so )?(?:how|what) (?:can|may|could) (?:i|we) (?:help|assist|do for)(?: you)?(?: with)?"
    r"(?: (?:today|otherwise|else|further))?",
    _AS_AI,
    rf"(?:based on|according to|from|in) {_SOURCES}|based on the information (?:provided|given|available)",
    # apologies
    r"(?:(?:i'm|i am|we're|we are) )?(?:so |very |really |terribly )?sorry"
    r"(?: about that| for (?:the|any|this|that)(?: \S+){1,2})?",
    r"(?:(?:i'm|i am|we're|we are) )?(?:so |very |really |terribly )?sorry to hear"
    rf"(?: that| (?:that you(?:r|rs|'re|'ve|'d)?|about)(?: (?!(?:{_TURN}|and) )[^\s\d]+){{1,12}})",
    r"(?:(?:i|we) apologi[sz]e|(?:my )?apologies)(?: for (?:the|any|this|that)(?: \S+){1,2})?",
    r"unfortunately|regrettably|(?:i'm|i am) afraid(?: not)?",
)
_OTHERS = (
    # not knowing
    rf"(?:i|we) (?:do|did){_NOT} (?:currently )?have"
    r"(?: any| enough| sufficient| specific| more| the| this| that| access to)*"
    rf" (?:information|details?|data|knowledge|context|answers?){_ABOUT}",
    rf"(?:i|we) have no (?:information|details?|data|knowledge|idea|answer){_ABOUT}",
    rf"{_UNABLE} (?:find|determine|confirm|tell|say|offer|locate|advise|speculate)\b{_ANY}",
    rf"(?:i|we) (?:do{_NOT} know|am not sure|are not sure)\b{_ANY}|i'm not (?:sure|certain)\b{_ANY}",
    rf"{_SOURCES} (?:do|does|did){_NOT} (?:{_SAY})\b{_ANY}",
    rf"there (?:is|was|'s) no (?:information|details?|data)(?: (?:about|on|regarding|available|given|provided){_ANY})"
    rf"|there (?:is|was) no mention of{_ANY} in {_SOURCES}",
    rf"no (?:such |further )?(?:information|details?) (?:is|are|was|were) (?:available|given|provided){_ABOUT}",
    rf"(?:that|this|it|such) (?:information )?(?:is{_NOT}|was{_NOT}) (?:available|provided|included|mentioned"
    rf"|specified|given|covered|stated) in {_SOURCES}",
    # offers and farewells
    rf"(?:please )?let (?:me|us) know (?:if|whether|when|which|what|how)(?: {_PLAIN}){{1,12}}",
    r"(?:i|we)(?:'d be (?:happy|glad) to| can| could)(?: (?:also|gladly|then|certainly)){0,2}"
    r" (?:send|show|tell|explain|give|check|list|summari[sz]e|connect|put|help|walk)"
    rf"(?: {_PLAIN}){{1,10}} if (?:you (?:like|want|wish|prefer)|you'd (?:like|prefer)|that helps|needed)",
    rf"(?:i|we)(?:'ll| will)(?: now| gladly| then)? (?:pass|forward|send) (?:this|that|it|your {_WORD})(?: on| along)?"
    rf"(?: to (?:my|our|the|a) {_WORD})?",
    rf"{_UNDERSTAND}(?: that| how)? (?:this|that|it)(?: (?:is|must be|can be|may be))?(?: {_WORD})?"
    r" (?:frustrating|annoying|inconvenient|stressful|upsetting|confusing|disappointing|worrying)",
    rf"{_UNDERSTAND} your (?:frustration|concerns?|worry|worries|situation|disappointment)",
    rf"(?:just |please )*reply to this (?:message|e-?mail|chat)(?: if you (?:need|have)(?: {_PLAIN}){{1,4}})?",
    rf"(?:please )?give me a (?:moment|second|minute) (?:while|so) i(?: can)? {_WORD}(?: {_WORD})?",
    r"(?:(?:do |please )?let (?:me|us) know )?if (?:anything|something)(?: else)? (?:is|was|remains)(?: still)? "
    r"(?:unclear|not clear)",
    r"(?:please |just |then )*ask(?: me| us)?(?: again)?",
    rf"(?:please |do |just )*let (?:me|us) know if you (?:have|need) (?:any |some )?"
    rf"(?:(?:other|more|further|additional) )?(?:questions?|help|assistance)"
    rf"(?: (?:about|on|regarding|with) (?:your|this|the|our)(?: {_WORD}){{1,2}})?",
    rf"do you have (?:any )?(?:other |more |further )?questions(?: (?:about|on){_ANY})?",
    r"(?:best|kind|warm)(?:est)? wishes|take care",
    r"have an? (?:great|nice|good|wonderful|lovely) (?:day|evening|weekend|one|time)(?: ahead)? and take care",
)


_NOUN = (
    r"(?!(?:free|new|complimentary|included|discounted|gratis|neue[nmrs]?|kostenlose[nmrs]?|freie[nmrs]?)\b)"
    r"[^\W\d_][^\W\d_-]*"
)
"""A word that a wish is about; what the speaker offers is a claim."""
_GOOD = r"(?:great|nice|good|wonderful|lovely|fantastic|pleasant|safe|relaxing|enjoyable|fun|restful|happy|amazing)"
_NEW = (
    r"(?:new (?:home|house|flat|car|bike|job|role|position|baby|puppy|kitten|dog|cat|pet|companion|friend|arrival"
    r"|family member))"
)
_YOURS = rf"(?:everything|it|that|this|your {_NEW}|your {_NOUN}(?: {_NOUN})?)"
_AGAIN = r"(?: (?:again|soon|there|then|today|tomorrow|tonight|next (?:week|time)|ahead))*"
_STAY = "(?:safe|healthy|well|warm|strong|tuned)"
_LOOK = "(?:look|check|find|search|see|have a (?:quick )?look|take a (?:quick )?look|dig)"
_WISH_GERMAN = (
    rf"(?:(?:einen?|ein|eine) (?:schöne[nsr]?|angenehme[nsr]?|gute[nsr]?|erholsame[nsr]?|tolle[nsr]?) {_NOUN}"
    r"|viel (?:spaß|spass|erfolg|freude|vergnügen|glück)"
    rf"(?: (?:beim|bei (?:der|dem|ihre[rmn]|deine[rmn])|mit (?:ihre[rmn]|deine[rmn])) {_NOUN})?"
    r"|alles (?:gute|liebe)|gute (?:besserung|reise|fahrt|heimreise|erholung)|guten (?:appetit|flug)|guten rutsch"
    r"|(?:schöne|frohe) (?:feiertage|ferien|weihnachten|ostern|woche))"
)
_WISHES = (
    rf"have (?:an? (?:really |very )?{_GOOD} {_NOUN}(?: (?:around|on|in|at|to) (?:the|our|your) {_NOUN})?|fun)"
    rf"(?: with your {_NEW})?{_AGAIN}",
    rf"enjoy (?:your|the rest of your) (?:{_NEW}|stay|meal|visit|day|evening|afternoon|weekend|week|holidays?"
    r"|vacation|trip|journey|workout|training|swim|class|session|time|game|match|lunch|dinner|break|flight|ride|tour|walk|reading"
    rf"|book|film|movie|birthday){_AGAIN}",
    r"happy (?:[a-z]+ing|holidays|birthday|new year|easter|christmas|travels)|safe (?:travels|trip|journey)|bon voyage",
    rf"see you(?: all)?(?: (?:at|in|on) the (?:pool|gym|courts?|club|class|desk))?{_AGAIN}",
    r"(?:(?:i|we)(?:'m|'re| am| are)? )?(?:really )?look(?:ing)? forward to (?:seeing|meeting|welcoming|hearing from"
    rf"|helping|talking to|working with|serving) (?:from )?you{_AGAIN}",
    rf"(?:i|we) (?:can(?:'t|not) wait|hope) to (?:see|meet|welcome|hear from) you{_AGAIN}",
    rf"(?:good|best of) luck (?:with|on|in|for) {_YOURS}{_AGAIN}",
    rf"(?:(?:i|we) )?wish(?:ing)? you(?: all| and your (?:{_NEW}|{_NOUN}))? (?:(?:all )?the (?:very )?best"
    rf"|(?:every )?success|well|(?:good|best of) luck"
    rf"|an? (?:speedy|quick|full|swift|{_GOOD}) {_NOUN})(?: (?:with|for|in) {_YOURS})?{_AGAIN}",
    rf"stay {_STAY}(?: and (?:stay )?{_STAY})?(?: out there)?|keep up the (?:good|great|excellent) work",
    rf"congrat(?:ulation)?s(?: on {_YOURS})?",
    r"well done|keep it up|you've got this|good to know|i'll be right back",
    r"(?:just )?let (?:me|us) know (?:what you(?:'d| would) (?:like|prefer)(?: to (?:do|know))?(?: next)?|how it goes)",
    # acknowledgements
    rf"(?:i'll|i will|let me|allow me to|i'm going to|i am going to)(?: just| quickly)? {_LOOK}"
    r"(?: (?:that|this|it|into|up|out|for|you|now|right|away))*",
    r"(?:just )?(?:one|a) (?:moment|second|minute)|(?:please )?(?:hold on(?: a (?:moment|second))?|bear with me)"
    r"|give me a (?:moment|second|minute)",
    r"(?:great|good|excellent|nice|wonderful|perfect) (?:choice|idea|point|thinking)"
    r"|(?:great|perfect|wonderful|awesome|fantastic|sounds (?:good|great)|noted|fair enough)",
    r"that (?:makes (?:perfect |total )?sense|sounds (?:good|great|wonderful|lovely|fun))"
    r"|(?:(?:i'm|i am) )?(?:so )?(?:good|great|glad|happy|nice|lovely) to hear(?: that| it)?",
    r"(?:i|we) hope (?:this|that|it) clears (?:things|that|it|everything) up",
    # German
    rf"(?:(?:ich wünsche|wir wünschen|wünsche) (?:ihnen|dir|euch) )?(?:noch |weiterhin )*{_WISH_GERMAN}"
    r"(?: wünsch(?:e ich|en wir) (?:ihnen|dir|euch))?",
    rf"(?:ich freue mich|wir freuen uns)(?: sehr| schon)* auf (?:ihren?|deinen?|eure[nr]?) {_NOUN}",
    r"(?:ich freue mich|wir freuen uns)(?: sehr| schon)* (?:auf (?:sie|dich|euch)|darauf|von ihnen zu hören)",
    r"(?:nur )?(?:einen )?(?:kleinen |kurzen )?(?:moment|augenblick)(?: bitte| noch)?",
    r"(?:ich (?:schaue|sehe|prüfe|suche)|lassen sie mich)(?: (?:gerne?|mal|kurz|das|es|für sie|für dich|gleich|sofort"
    r"|einmal|schnell))*(?: nach| nachsehen| nachschauen| prüfen)?",
    r"(?:bitte )?meld(?:en sie sich|e dich|et euch)(?: (?:gerne?|jederzeit|einfach|bei mir|bei uns|wieder|ruhig))*",
    r"(?:wenn|falls|sollten) (?:sie|du|ihr) (?:noch |sonst )*(?:etwas|was|hilfe|mehr) (?:brauch(?:en|st|t)|benötigen)",
    r"das hilft (?:ihnen|dir|euch) weiter|ich hoffe|bleib(?:en sie)? gesund",
)


_BE = r"(?:is|are|am|was|were|do|does|did|have|has|had|can|could|may|might|shall|should|will|would|must)"
_ASKED = re.compile(
    r"(?:(?:and|so|or|but|if so|otherwise|in that case),? )?"
    r"(?:to (?:help|assist|check|find|look|confirm|verify|be|make|get|book|process|arrange|continue|proceed|start)\b"
    r"[^,?]*, )?"
    rf"(?:{_BE} (?!not )\S|(?:(?:at|by|for|from|in|on|to|with|until) )?(?:what|which|who|whose|where|when|why|how)\b)"
    r"[^?;:.!]*\?"
)
"""A whole question, in lower case."""
_PRESUMES = re.compile(
    r"\b(?:that|because|since|although|while|whereas)\b|\S,? (?:which|who|whose) (?:is|are|was|were|has|have|will)\b"
    r"|^(?:did you know|do you know the|did you notice|are you aware)\b"
)
"""In a question that says something, too: "the order that shipped"."""
_REFERRAL = re.compile(
    r"(?:please |kindly |just |so |you (?:can|could|may) |you (?:may|might) want to |i (?:suggest|recommend) you )*"
    r"(?:ask|call|contact|phone|e-?mail|consult|check with|speak (?:to|with)|write to|reach out to|get in touch with)"
    r"(?: (?!at|on|in|by|from|before|within)[a-z'-]+){1,4}"
    r"(?: directly| for (?:more|further) (?:information|details|help))?"
)
"""Beside a clause that claims nothing; alone it may be the answer."""
_ON = r"(?: (?!(?:aber|sondern|weil|da|und|pero|sino|porque|ya|y|mais|car|parce|et)\b)\S+){0,12}"
_NO_INFORMATION_ELSEWHERE = (
    # German
    r"(?:(?:da(?:zu|rüber|von)|hierzu|leider)(?: (?:habe|finde|besitze) ich| haben wir)"
    r"|ich (?:habe|finde|besitze)|wir haben)"
    r"(?: (?:da|hier)(?:zu|rüber))?(?: leider)? (?:keine(?:rlei)?|nicht genug|nicht genügend) "
    rf"(?:\w+ )?(?:informationen|angaben|daten|auskünfte)(?: (?:dazu|darüber|hierzu|über|zu[mr]?){_ON})?",
    # Spanish
    r"no (?:tengo|dispongo de|cuento con|encuentro) (?:suficiente |más |ninguna )?(?:información|datos|detalles)"
    rf"(?: (?:sobre|acerca|al respecto|de|del|para){_ON})?",
    # French
    r"je (?:n'ai|ne dispose|ne trouve)(?: pas)?(?: assez)? (?:d'|de |aucune )(?:informations?|données|détails?)"
    rf"(?: (?:sur|à|au|concernant|pour){_ON})?",
    # Italian
    r"non (?:ho|dispongo di|trovo) (?:abbastanza )?(?:informazioni|dati|dettagli)"
    rf"(?: (?:su|sul|sulla|riguardo|in){_ON})?",
    # Chinese
    r"我没有(?:关于|有关|相关)?[^，。！？但]{0,15}(?:信息|资料|数据)。?",
)


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence says nothing that evidence could support or contradict.

    Plain "yes" and "no" do: they answer the question.

    Raises:
        TypeError: it is no text.
    """
    if not isinstance(sentence, str):
        raise TypeError(f"is_small_talk takes a text, not {a_type(sentence)}.")
    return len(sentence) <= _LONGEST and _claims_nothing(sentence)


@lru_cache(maxsize=4096)
def _claims_nothing(sentence: str) -> bool:
    if _only_asks(sentence):
        return True
    clauses = _clauses(sentence)
    others = [clause for clause in clauses if not _REFERRAL.fullmatch(clause)] or clauses
    return bool(clauses) and all(map(_is_talk, others)) and source_denial(sentence) is None


def _only_asks(sentence: str) -> bool:
    """Whether a sentence is a question and no more; what a question takes for granted, or denies, is a claim."""
    plain = _plain(sentence).lower()
    while ", " in plain and not _ASKED.fullmatch(plain) and _is_talk(plain.partition(", ")[0]):
        plain = plain.partition(", ")[2]
    return _ASKED.fullmatch(plain) is not None and _PRESUMES.search(plain) is None


def is_refusal(text: str) -> bool:
    """Whether a text declines before it says anything else: "I'm sorry, but I can't discuss that", whatever follows.

    Of German, French, Spanish, Italian, Portuguese, Chinese and Japanese it knows the plainest formulas.
    """
    if _refusal_elsewhere().match(_plain(text[:_LONGEST]).lower()):
        return True
    first = next((clause for clause in _clauses(text[:_LONGEST]) if not _opening().fullmatch(clause)), "")
    return _refusal().match(first) is not None


def beyond_refusal(text: str) -> str:
    """What a text says beside declining: "sales fell" of "I can't answer that, but sales fell"; "" where nothing."""
    rest = (_after_turn(clause) if _refusal().match(clause) else clause for clause in _clauses(text))
    return ", ".join(clause for clause in rest if clause and not _is_talk(clause))


class SourceDenial(NamedTuple):
    """That the source of an answer says nothing of something."""

    text: str
    """As it stands: "does not say when it opens"."""
    subjects: tuple[str, ...]
    """What the source is said to be silent on, one by one."""


@lru_cache(maxsize=1024)
def source_denial(sentence: str) -> SourceDenial | None:
    """What a sentence says that its source is silent on: "the price" of "Sorry, the text doesn't mention the price".

    `None` where it says anything else besides, or speaks of the one who answers: "I don't know the price".
    """
    if len(sentence) > _LONGEST or not _DENIAL.search(sentence):
        return None
    plain = _plain(sentence)
    result = next((match for pattern in _silent() if (match := pattern.fullmatch(plain)) is not None), None)
    if result is None or _TURNS.search(result["what"]) or not all(map(_is_talk, _clauses(result["lead"] or ""))):
        return None
    parts = result["what"].strip().split(", ")
    while len(parts) > 1 and _is_talk(parts[-1].lower()):
        parts.pop()
    what = ", ".join(parts)
    if (len(parts) > 1 and not _OR.search(what)) or not content_words(what) or _talk()[0].covers(content_words(what)):
        return None
    end = plain.index(what, result.start("what")) + len(what)
    return SourceDenial(plain[result.start("silent") : end], tuple(_COMMA_OR.split(_IS_STATED.sub("", what))))


@cache
def _silent() -> tuple[re.Pattern[str], ...]:
    lead = rf"(?:(?P<lead>[^;:.!?]*[,;:.!?]+) )?(?:{_LEAD} )*"
    return tuple(re.compile(rf"(?i){lead}{pattern}[.!]?") for pattern in _SILENT)


def _after_turn(clause: str) -> str:
    """What follows "because" or "but" in a clause that declines."""
    turn = _TURNS.search(clause)
    return "" if turn is None else clause[turn.end() :]


def _is_talk(clause: str) -> bool:
    """Whether a clause is small talk, or each of several is that "and" joins: "thank you for asking and take care"."""
    if _small_talk().fullmatch(clause) is not None or _is_only_talk(clause):
        return True
    first, joined, rest = clause.partition(" and ")
    return bool(joined) and _is_talk(first) and _is_talk(rest)


def _clauses(text: str) -> list[str]:
    return [
        clause
        for part in _CLAUSE.split(_ADDRESSED.sub("hello", _plain(text)).lower())
        if (clause := part.strip(" \"'“”()¡¿«»"))
    ]


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("*", "").split())


def _is_only_talk(clause: str) -> bool:
    """Whether all that a clause speaks of is the talk itself, in some language: "thank you", "any questions"."""
    if any(clause in talk.phrases for talk in _talk()):
        return True
    clause = _OFFER.sub("help", clause)
    if _OF_SOMETHING.search(clause):
        return False
    english, *others = _talk()
    tokens = words(clause.replace("'", " "))
    return english.covers(content_words(clause)) or any(talk.covers(tokens) for talk in others)


class _Talk(NamedTuple):
    signs: frozenset[str]
    words: frozenset[str]
    """The signs, and what may stand beside them."""
    phrases: frozenset[str]
    """Whole clauses."""

    def covers(self, tokens: Collection[str]) -> bool:
        return not self.signs.isdisjoint(tokens) and self.words.issuperset(tokens)


@cache
def _talk() -> tuple[_Talk, ...]:
    """The lists of each language: stems in English, which comes first, and words in the others."""
    lists: dict[str, dict[str, str]] = read_yaml("lexicons/smalltalk.yaml")
    talks = []
    for language, listed in lists.items():
        signs, others = (
            frozenset((content_words if language == "en" else words)(listed[key])) for key in ("signs", "words")
        )
        phrases = frozenset(each.strip() for each in listed["phrases"].split(","))
        talks.append(_Talk(signs, signs | others, phrases))
    return tuple(talks)


@cache
def _small_talk() -> re.Pattern[str]:
    refusals = rf"(?:{'|'.join(_REFUSALS)})\b{_ANY}"
    others = (*_OTHERS, *_WISHES, *_NO_INFORMATION_ELSEWHERE)
    return _led_in(*_OPENINGS, refusals, *others, end=r"(?: (?:at this time|at the moment|right now))?")


@cache
def _opening() -> re.Pattern[str]:
    return _led_in(*_OPENINGS)


@cache
def _refusal() -> re.Pattern[str]:
    return _led_in(*_REFUSALS, end=r"\b")


@cache
def _refusal_elsewhere() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in _REFUSALS_ELSEWHERE))


def _led_in(*phrases: str, end: str = "") -> re.Pattern[str]:
    alternatives = "|".join(f"(?:{phrase})" for phrase in phrases)
    return re.compile(rf"(?:{_LEAD} ){{0,3}}(?:{alternatives}){end}")
