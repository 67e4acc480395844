"""Stock scorers of inspect-ai, with the contract that a reasonable user would hold."""

from inspect_ai.scorer import answer, choice, exact, f1, includes, match, pattern

import redhanded as rh

suite = [
    rh.case(includes(), id="includes-word", good="The answer is Paris.", target="Paris",
            right=rh.answer("Paris")),
    rh.case(includes(), id="includes-number", good="5", target="5", right=rh.number(5)),
    rh.case(match(), id="match-word", good="The answer is Paris", target="Paris",
            right=rh.answer("Paris")),
    rh.case(match(numeric=True), id="match-numeric", good="The total is 123456", target="123456",
            right=rh.number(123456)),
    rh.case(exact(), id="exact-number", good="5", target="5", right=rh.number(5)),
    rh.case(exact(), id="exact-text", good="C++", target="C++", right=rh.exact("C++")),
    rh.case(answer("line"), id="answer-line", good="ANSWER: Paris", target="Paris",
            right=rh.answer("Paris")),
    rh.case(pattern(r"answer is (\w+)"), id="pattern-word", good="The answer is Paris.",
            target="Paris", right=rh.answer("Paris")),
    rh.case(choice(), id="choice-letter", good="ANSWER: B", target="B",
            right=rh.choice("B", options={"A": "Rome", "B": "Paris", "C": "Oslo"})),
    rh.case(f1(), id="f1-word", good="Paris", target="Paris", pass_at=1, right=rh.answer("Paris")),
]  # fmt: skip
