"""Proof that a grader, and the library it wraps, was entered in a call.

A call runs under a :class:`~redhanded.outputs.witness.token.Token`. What is watched are code
objects: the grader's own and its upstream's. Each entry is kept with its token, instance, place in
the tree of entries, and with what came back. Python functions can be watched; C callables can't,
unless a Python function is wrapped around them.

=============  ==================================================================
3.12 and later  ``sys.monitoring``: entries in every thread, whenever it began
3.10, 3.11      ``sys.setprofile``: entries in this thread and in those begun during
                the call; what exception left a function is known where it reached us
=============  ==================================================================
"""
