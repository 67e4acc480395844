"""What redhanded says of real changes: the commits of ``bench/subjects/commits.toml``.

Each is run as a reader would: ``redhanded delta --base COMMIT^ --head COMMIT`` in a fresh clone.
What came out, failures included, is kept in ``results/NAME/COMMIT.json``; beside the engine's
statuses stand those that the slow and obvious way gives for the same mutants, where it was run.

Commands: ``python -m bench.changes run | oracle | table``.
"""
