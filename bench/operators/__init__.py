"""What each operator makes on real code, and what becomes of it.

Every subject of ``bench/oracle/subjects.toml`` is run whole, without a sample's cap, by
``redhanded tests --matrix``; what ``subjects.toml`` here lists is run with the operators alone that
make too little there. How many mutants of each operator came out which way is kept in
``results/PYTHON.json`` and rendered into the documents. An operator that never made a mutant fails
the check.

Commands: ``python -m bench.operators fetch | run | table | check``.
"""
