"""The slow and obvious way to find out which test fails on which mutant.

For each mutant: a fresh copy of the tree on disk, the mutated file written into it, a fresh
``PYTHON -m pytest`` over the suite, the outcome of each test read from a report that a plugin of
the oracle's own writes. What the engine of redhanded says is compared with that, cell by cell; a
cell on which the two differ is settled by that one test, run alone, in fresh processes.

The oracle shares no code with the engine: it imports neither ``redhanded`` nor
``redhanded_worker``, nor they the oracle. What a run of redhanded wrote is read as plain JSON.

Vocabulary of a cell: ``pass``, ``fail``, ``skip`` (an xfail that fails as expected is one),
``missing`` (the test was not collected). A test is compared if it passes, or xfails, in two runs
of the unmutated tree; the others are excluded by name.

How what redhanded writes maps to that:

=========================================  =================================================
a row's verdict                            the oracle's word
=========================================  =================================================
failed, died, budget, clock, memory        fail
passed, entered or not                     pass
skipped, xfailed                           skip
the test was not selected for the mutant   what the test does on the unmutated tree
lost, or a verdict without a witness, or   none: it differs from any stable word of the
failed and in no list of the result's      oracle's; a test that vanished agrees with
                                           ``missing``
=========================================  =================================================

Commands: ``python -m bench.oracle run | compare | settle | table``, and for what
``subjects.toml`` lists: ``fetch``, ``subjects``, ``measure``.
"""
