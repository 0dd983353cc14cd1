"""Facts with figures and one sentence each: half with a figure changed, half that say the same in other words.

They were written before the rules were changed for them. Every fact is judged beside the other facts of its case, so
that their figures are there to be reckoned with.
"""

from __future__ import annotations

FACTS = (
    "The frame is guaranteed for 6 years from the day of delivery.",
    "The motor gives up to 0.9 kW.",
    "The bicycle weighs 18 kg with its battery.",
    "The battery works down to -15 °C.",
    "A full charge takes 4 hours.",
    "One charge lasts for 70 km on level roads.",
    "The rear rack carries 25 kg.",
    "The tyres are pumped to 3.5 bar.",
    "The brake pads are replaced after 2,000 km.",
    "The lamp has a range of 80 m.",
    "The first service is due after 3 months.",
    "The motor switches off at 25 km/h.",
    "The spare key costs 12 euros.",
    "The chain is oiled every 2 weeks.",
    "The store in Delft opened in 2011.",
    "About 40 percent of the frame is recycled aluminium.",
)

CHANGED = (
    "The frame is guaranteed for 8 years from the day of delivery.",
    "The frame is guaranteed for 60 years from the day of delivery.",
    "The motor gives up to 9 kW.",
    "The bicycle weighs 18 g with its battery.",
    "The battery works down to -30 °C.",
    "The battery works down to 15 °C.",
    "A full charge takes 4 minutes.",
    "One charge lasts for 140 km on level roads.",
    "The rear rack carries 50 kg.",
    "The tyres are pumped to 7 bar.",
    "The lamp has a range of 160 m.",
    "The first service is due after 12 months.",
    "The motor switches off at 45 km/h.",
    "The chain is oiled every 8 weeks.",
    "The brake pads are replaced after 20,000 km.",
)

FAITHFUL = (
    "You have a guarantee of six years on the frame, counted from delivery.",
    "The frame's guarantee runs for 72 months from the day of delivery.",
    "At most, the motor gives 900 W.",
    "With its battery the bicycle comes to 18 kilograms.",
    "The bicycle weighs 18,000 g with its battery.",
    "The battery still works at -15 degrees Celsius.",
    "The battery works down to −15 °C, which is 5 °F.",
    "It takes 240 minutes to charge the battery in full.",
    "On level roads one charge lasts for about 70 kilometres.",
    "Load the rear rack with 25 kg at most.",
    "The first service is due after a quarter of a year, that is after three months.",
    "Two spare keys cost 24 euros in total, at 12 euros each.",
    "The chain is oiled every 14 days.",
    "The brake pads are replaced after 2000 km.",
    "If 40 percent of the frame is recycled aluminium, the remaining 60 percent is something else.",
)
