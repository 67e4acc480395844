"""What the stock graders of published frameworks accept, and what they reject.

Each suite below ``suites/`` asks one framework's own scorers, offline, with the contract that a
reasonable user would hold. How a case comes about, settled before any run:

1. Every stock scorer of the framework that asks no model is tried, as its documentation shows
   it: with its defaults, and with the settings that make it another check.
2. The question, the target and the reference are such as the scorer is made for: a word, a
   number, a document, a few calls of tools. The reference is what a good model would answer.
3. The contract says what the question asks for, as its author would put it: the answer, the
   number, the document by schema and values, the calls and what they are given. It forgives what
   the scorer's documentation says that it forgives (case, order, other calls), and no more.
4. A score without a bar of its own is accepted at its best mark where that mark is documented to
   mean that nothing differs; scores of likeness get no bar, and are only asked whether any bar
   would do.
5. No case is dropped or changed because of what came out. A hole that is none is a bug in
   redhanded, and mended there.

Commands: ``python -m bench.graders list``, ``run NAME`` (in an environment with that framework)
and ``unread NAME``: holes without a verdict. Results are kept in ``results/NAME/run.json``, and in
``verdicts.toml`` beside it what a reader found of each hole.
"""
