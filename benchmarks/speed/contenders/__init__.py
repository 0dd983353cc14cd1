"""The same calls made in several ways: each module is a program that makes them and prints what it took.

    python -m benchmarks.contenders.NAME --base-url URL --dialogues 40 --connections 50

A dialogue is five calls of `subject`, one after the other, and after each answer one call of each judge.
"""
