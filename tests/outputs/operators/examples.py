"""Cases of every contract of text and number, for the operators to work on."""

from typing import cast

from redhanded.model.output import Message, Output
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import AllOf, Contract
from redhanded.outputs.contract.choice import choice, one_of
from redhanded.outputs.contract.math import math
from redhanded.outputs.contract.meaning import Answer, answer, injection
from redhanded.outputs.contract.number import number
from redhanded.outputs.contract.text import contains, exact, pattern

CITIES = {"A": "Lyon", "B": "Paris", "C": "Rome", "D": "Oslo"}
FREE = ("case", "whitespace", "unicode", "fence", "article")


def made(name: str, good: Output | str, right: Contract, **more: object) -> Case:
    """A case without a grader: operators never look at one."""
    output = Output(text=good) if isinstance(good, str) else good
    declared = right.declared(output) if isinstance(right, Answer) else right
    return Case(name, None, output, declared, **more)  # type: ignore[arg-type]


BOTH = cast(Contract, answer("Paris").declared(Output(text="The answer is Paris.")))

EXAMPLES = [
    made("sentence", "The capital of France is Paris.", answer("Paris")),
    made("bare", "Paris", answer("Paris", wrong=["Lyon", "Rome"]), target="Paris"),
    made("approved", "The request was approved.", answer("approved")),
    made("language", "It is C++.", answer("C++", aliases=["cpp"])),
    made("labelled", "ANSWER: Paris", answer("Paris", wrong=["Lyon"])),
    made("yes", "Yes", answer("yes")),
    made("digit", "5", answer("5")),
    made("q", "q", answer("q")),
    made("total", "The total is 123456", number(123456), target="123456"),
    made("five", "5", number(5), target=5),
    made("zero", "It is 0.", number(0)),
    made("minus", "It is -3.5.", number(-3.5)),
    made("km", "It is 42.0 km.", number(42, tolerance=0.5, unit="km")),
    made("share", "60%", number(60, unit="%"), target="60%"),
    made("money", "The cost is $1,234.50.", number("1234.5", unit="$")),
    made("year", "It was 1999.", number(1999)),
    made("german", "Es sind 1.234,5 m.", number("1234.5", unit="m", locale="de")),
    made("relative", "It is 300.", number(300, relative=0.01)),
    made("digits", "It is 3.14.", number(3.14159, digits=3)),
    made("data", Output(value=42.0), number(42, tolerance=0.5)),
    made("worked", "2 apples and 3 more.\nANSWER: 5", number(5, which="last")),
    made("huge", "100000000000000000000", number("1e20"), target=1e20),
    made("cpp", "C++", exact("C++")),
    made("exact-5", "5", exact("5"), target=5),
    made("exact-share", "60%", exact("60%")),
    made("dog", "the dog bites the man.", exact("the dog bites the man.", ignore=FREE)),
    made("city", "New York City", exact("New York City", ignore=FREE)),
    made("accent", "Zürich", exact("Zürich", ignore=FREE)),
    made("name", "John Doe", exact("John Doe")),
    made(
        "red",
        "red",
        one_of("red", "green", ignore=FREE),
        target=("red", "green"),
        hints={"distractors": ["blue", "black"]},
    ),
    made("letter", "B", choice("B", options=CITIES)),
    made("letter-line", "I think so.\nANSWER: B", choice("B", options=CITIES), channel="GRADE:"),
    made("option", "Paris", choice("B", options=CITIES)),
    made("half", r"So it is \boxed{\frac{1}{2}}", math("1/2")),
    made("root", r"2\sqrt{3}", math(r"2\sqrt{3}")),
    made("integer", "12", math("12")),
    made("was", "was approved", contains("approved", forbids=("not approved",))),
    made("words", "It is Paris.", contains("Paris", words=True)),
    made("pattern", "abc-123", pattern(r"^[a-z]+-\d{3}$")),
    made("marker", "Here is your summary.", injection("ZEBRA-77")),
    made(
        "both",
        "The answer is Paris.",
        AllOf((BOTH, injection("ZEBRA"))),
        channel="verdict",
        hints={"distractors": ["Lyon", "Rome"]},
    ),
    made(
        "chat",
        Output(
            text="The total is 7.",
            messages=(Message("user", "How many?"), Message("assistant", "The total is 7.")),
        ),
        number(7),
        channel="submit_score",
    ),
]
