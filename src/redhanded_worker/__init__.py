"""The part that runs inside the project's own interpreter: standard library only.

Python 3.10 to 3.13. It imports nothing but the standard library and, in the
children that run tests, the project's own pytest.
"""
