"""German, Spanish, French and Chinese: simple facts, said again, changed or left out."""

from __future__ import annotations

from collections.abc import Iterator

from examples import Example
from synthetic.maker import Maker
from synthetic.words import CITIES, people

# Per language: forms of one fact; what denies it; what it leaves open. a, b people; c, d cities; n, m numbers.
FACTS = {
    "de": [
        (
            ["{a} wurde {y} in {c} geboren.", "{a} kam {y} in {c} zur Welt.", "In {c} wurde {a} im Jahr {y} geboren."],
            ["{a} wurde {y} in {d} geboren.", "{a} wurde {z} in {c} geboren."],
            ["{a} lebt heute in {d}.", "{a} hat {n} Kinder."],
        ),
        (
            ["{a} kaufte das Auto von {b}.", "{b} verkaufte {a} das Auto.", "Das Auto wurde von {b} an {a} verkauft."],
            ["{b} kaufte das Auto von {a}.", "{a} verkaufte {b} das Auto."],
            ["Das Auto kostete {n} Euro.", "Das Auto war rot."],
        ),
        (
            ["Die Rückgabe ist innerhalb von {n} Tagen möglich.", "Sie können die Ware binnen {n} Tagen zurückgeben."],
            ["Die Rückgabe ist nicht möglich.", "Die Rückgabe ist innerhalb von {m} Tagen möglich."],
            ["Die Versandkosten werden erstattet.", "Die Ware wird in {c} hergestellt."],
        ),
        (
            ["Das Museum ist am Montag geschlossen.", "Montags hat das Museum nicht geöffnet."],
            ["Das Museum ist am Montag geöffnet."],
            ["Der Eintritt kostet {n} Euro.", "Das Museum liegt in {c}."],
        ),
        (
            ["Die Versandkosten werden nicht erstattet.", "Für den Versand gibt es kein Geld zurück."],
            ["Die Versandkosten werden erstattet."],
            ["Der Versand dauert {n} Tage."],
        ),
        (
            ["{a} arbeitet seit {y} bei der Bank in {c}.", "Seit {y} ist {a} bei der Bank in {c} beschäftigt."],
            ["{a} arbeitet seit {z} bei der Bank in {c}.", "{a} hat nie bei einer Bank gearbeitet."],
            ["{a} verdient {n} Euro.", "{b} arbeitet bei der Bank."],
        ),
    ],
    "es": [
        (
            ["{a} nació en {c} en {y}.", "En {y}, {a} nació en {c}."],
            ["{a} nació en {d} en {y}.", "{a} nació en {c} en {z}."],
            ["{a} vive en {d}.", "{a} tiene {n} hijos."],
        ),
        (
            ["{a} compró la casa a {b}.", "{b} vendió la casa a {a}."],
            ["{b} compró la casa a {a}.", "{a} vendió la casa a {b}."],
            ["La casa costó {n} euros.", "La casa es roja."],
        ),
        (
            ["Los pedidos se entregan en {n} días.", "La entrega de los pedidos tarda {n} días."],
            ["Los pedidos se entregan en {m} días.", "Los pedidos no se entregan."],
            ["Los pedidos se pagan con tarjeta.", "El envío es gratis."],
        ),
        (
            ["El museo está cerrado los lunes.", "Los lunes el museo no abre."],
            ["El museo abre los lunes."],
            ["La entrada cuesta {n} euros.", "El museo está en {c}."],
        ),
        (
            ["Los gastos de envío no se devuelven.", "No se reembolsan los gastos de envío."],
            ["Los gastos de envío se devuelven."],
            ["El envío tarda {n} días."],
        ),
        (
            ["{a} trabaja en {c} desde {y}.", "Desde {y}, {a} trabaja en {c}."],
            ["{a} trabaja en {d} desde {y}.", "{a} nunca ha trabajado en {c}."],
            ["{a} gana {n} euros.", "{b} trabaja en {d}."],
        ),
    ],
    "fr": [
        (
            ["{a} est né à {c} en {y}.", "En {y}, {a} est né à {c}."],
            ["{a} est né à {d} en {y}.", "{a} est né à {c} en {z}."],
            ["{a} habite à {d}.", "{a} a {n} enfants."],
        ),
        (
            ["{a} a acheté la maison à {b}.", "{b} a vendu la maison à {a}."],
            ["{b} a acheté la maison à {a}.", "{a} a vendu la maison à {b}."],
            ["La maison a coûté {n} euros.", "La maison est rouge."],
        ),
        (
            ["Le retour est possible pendant {n} jours.", "Vous pouvez retourner l'article pendant {n} jours."],
            ["Le retour est possible pendant {m} jours.", "Le retour n'est pas possible."],
            ["Les frais de port sont remboursés.", "L'article est fabriqué à {c}."],
        ),
        (
            ["Le musée est fermé le lundi.", "Le lundi, le musée n'est pas ouvert."],
            ["Le musée est ouvert le lundi."],
            ["L'entrée coûte {n} euros.", "Le musée se trouve à {c}."],
        ),
        (
            ["Les frais de port ne sont pas remboursés.", "On ne rembourse pas les frais de port."],
            ["Les frais de port sont remboursés."],
            ["La livraison prend {n} jours."],
        ),
        (
            ["{a} travaille à {c} depuis {y}.", "Depuis {y}, {a} travaille à {c}."],
            ["{a} travaille à {d} depuis {y}.", "{a} n'a jamais travaillé à {c}."],
            ["{a} gagne {n} euros.", "{b} travaille à {d}."],
        ),
    ],
    "zh": [
        (["博物馆星期一关门。", "星期一博物馆不开门。"], ["博物馆星期一开门。"], ["门票{n}元。"]),
        (["退货期为{n}天。", "您可以在{n}天内退货。"], ["退货期为{m}天。", "不能退货。"], ["运费由公司支付。"]),
        (["公司有{n}名员工。", "员工人数为{n}人。"], ["公司有{m}名员工。"], ["公司在北京。"]),
    ],
}


def languages(maker: Maker, number: int) -> Iterator[Example]:
    """Pairs in one language each."""
    for _ in range(number):
        language = maker.any(["de", "de", "es", "es", "fr", "fr", "zh"])
        same, against, leaves_open = maker.any(FACTS[language])
        c, d = maker.several(CITIES, 2)
        a, b = people(maker, 2)
        small, when = maker.number(2, 60), maker.number(1900, 2020)
        words = {
            "a": a,
            "b": b,
            "c": c,
            "d": d,
            "n": small,
            "m": small + maker.number(1, 30),
            "y": when,
            "z": when + maker.number(1, 20),
        }
        label, claims = maker.any(
            [("supported", same), ("supported", same), ("contradicted", against), ("unsupported", leaves_open)]
        )
        evidence = [maker.any(same)]
        others = [fact for fact in FACTS[language] if fact[0] is not same]
        evidence += [maker.any(maker.any(others)[0]) for _ in range(maker.any([0, 1, 1]))]
        text = " ".join(maker.shuffled(evidence)).format(**words)
        yield Example(text, maker.any(claims).format(**words), label, f"language_{language}")
