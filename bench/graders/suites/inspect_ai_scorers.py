"""Inspect's stock scorers: match, includes, pattern, answer, choice, exact, f1 and math."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import redhanded as rh

scorers: Any = import_module("inspect_ai.scorer")

FRANCE = "What is the capital of France?"
SIDES = "How many sides does a pentagon have?"
SUM = "How much is 111111 + 12345?"
OPTIONS = {"A": "Lyon", "B": "Paris", "C": "Nice"}

PARIS = rh.answer("Paris", wrong=("Lyon", "Nice"))
LOOSE = ("case", "whitespace")
ALONE = rh.exact("Paris", ignore=LOOSE)
# Where the documentation says in what place the answer stands, a right one stands there.
FIRST = rh.all_of(PARIS, rh.pattern(r"^\W*paris\b", flags=re.I))
LAST = rh.all_of(PARIS, rh.pattern(r"\bparis\W*$", flags=re.I))
LAST_LINE = rh.all_of(PARIS, rh.pattern(r"^\s*answer:[^\n]*\s*\Z", flags=re.I | re.M))

suite = [
    # The text is found somewhere in the reply.
    rh.case(
        scorers.includes(),
        id="includes-word",
        input=FRANCE,
        target="Paris",
        good="The capital of France is Paris.",
        right=PARIS,
    ),
    rh.case(
        scorers.includes(),
        id="includes-number",
        input=SIDES,
        target="5",
        good="5",
        right=rh.number(5),
    ),
    # The reply begins or ends with the text, or is the text.
    rh.case(
        scorers.match(),
        id="match-word",
        input=FRANCE,
        target="Paris",
        good="The capital of France is Paris.",
        right=LAST,
    ),
    rh.case(
        scorers.match(location="begin"),
        id="match-begin-word",
        input=FRANCE,
        target="Paris",
        good="Paris is the capital of France.",
        right=FIRST,
    ),
    rh.case(
        scorers.match(location="any"),
        id="match-any-word",
        input=FRANCE,
        target="Paris",
        good="The capital of France is Paris.",
        right=PARIS,
    ),
    rh.case(
        scorers.match(location="exact"),
        id="match-exact-word",
        input=FRANCE,
        target="Paris",
        good="Paris",
        right=ALONE,
    ),
    # The same for numbers.
    rh.case(
        scorers.match(numeric=True),
        id="match-numeric-sum",
        input=SUM,
        target="123456",
        good="The total is 123456",
        right=rh.number(123456),
    ),
    rh.case(
        scorers.match(numeric=True),
        id="match-numeric-sides",
        input=SIDES,
        target="5",
        good="The answer is 5",
        right=rh.number(5),
    ),
    rh.case(
        scorers.match(numeric=True),
        id="match-numeric-price",
        input="What does the ticket cost?",
        target="12.50",
        good="The ticket costs $12.50",
        right=rh.number("12.50"),
    ),
    # Nothing but the text.
    rh.case(
        scorers.exact(),
        id="exact-word",
        input=FRANCE,
        target="Paris",
        good="Paris",
        right=ALONE,
    ),
    rh.case(
        scorers.exact(),
        id="exact-number",
        input=SIDES,
        target="5",
        good="5",
        right=rh.all_of(rh.number(5), rh.pattern(r"^\s*\S+\s*$")),
    ),
    rh.case(
        scorers.exact(),
        id="exact-language",
        input="In which language was the game written?",
        target="C++",
        good="C++",
        right=rh.exact("C++", ignore=LOOSE),
    ),
    # The words in common: a likeness, without a bar.
    rh.case(
        scorers.f1(),
        id="f1-headline",
        input="What is the headline?",
        target="dog bites man",
        good="dog bites man",
        right=rh.exact("dog bites man", ignore=LOOSE),
    ),
    rh.case(
        scorers.f1(),
        id="f1-word",
        input=FRANCE,
        target="Paris",
        good="Paris",
        right=ALONE,
    ),
    # What the reply was told to put behind a word.
    rh.case(
        scorers.pattern(r"ANSWER: (\w+)"),
        id="pattern-word",
        input=f"{FRANCE} End with ANSWER: and the answer.",
        target="Paris",
        good="ANSWER: Paris",
        right=PARIS,
    ),
    rh.case(
        scorers.pattern(r"ANSWER: (\d+)"),
        id="pattern-number",
        input=f"{SUM} End with ANSWER: and the number.",
        target="123456",
        good="ANSWER: 123456",
        right=rh.number(123456, locale="plain"),
    ),
    rh.case(
        scorers.answer("word"),
        id="answer-word",
        input=f"{FRANCE} End with ANSWER: and the answer.",
        target="Paris",
        good="ANSWER: Paris",
        right=PARIS,
    ),
    rh.case(
        scorers.answer("line"),
        id="answer-line",
        input=f"{FRANCE} End with ANSWER: and the answer.",
        target="Paris",
        good="ANSWER: Paris",
        right=LAST_LINE,
    ),
    rh.case(
        scorers.answer("letter"),
        id="answer-letter",
        input=FRANCE,
        target="B",
        good="ANSWER: B",
        right=rh.choice("B", options=OPTIONS),
        choices=list(OPTIONS.values()),
    ),
    rh.case(
        scorers.choice(),
        id="choice-letter",
        input=FRANCE,
        target="B",
        good="ANSWER: B",
        right=rh.choice("B", options=OPTIONS),
        choices=list(OPTIONS.values()),
    ),
    # What the reply's last expression is worth.
    rh.case(
        scorers.math(),
        id="math-half",
        input="What is 1 - 1/2?",
        target="1/2",
        good="1/2",
        right=rh.math("1/2"),
    ),
    rh.case(
        scorers.math(),
        id="math-number",
        input=SUM,
        target="123456",
        good="The total is 123456",
        right=rh.number(123456),
    ),
]
