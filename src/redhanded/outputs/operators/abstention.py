"""Defects of abstentions: an answer is made up, bare or beside words of doubt."""

from __future__ import annotations

from redhanded.outputs.operators.base import Operator, Provenance
from redhanded.outputs.operators.replies import Framed

_ABSTENTION = "right=rh.abstention(invented=...)"

OPERATORS: tuple[Operator, ...] = (
    Framed(
        "fabrication",
        "A made-up answer, where an abstention is due.",
        "abstention",
        "fabrication",
        _ABSTENTION,
        (
            Provenance(
                "An evaluation rewarded confident answers to questions that have none.",
                "GioiaZheng/msmarco-genqa#98",
            ),
        ),
    ),
    Framed(
        "abstain-then-fabricate",
        "An abstention, and then a made-up answer.",
        "abstention",
        "abstain-then-fabricate",
        _ABSTENTION,
        (
            Provenance(
                "An evaluation rewarded confident answers to questions that have none.",
                "GioiaZheng/msmarco-genqa#98",
            ),
        ),
    ),
    Framed(
        "abstention-in-other-words",
        "An abstention in other words.",
        "abstention",
        "",
        _ABSTENTION,
        (
            Provenance(
                "A detector of abstentions knew none of eight real ones.",
                "heypinchy/pinchy#1163",
            ),
            Provenance(
                "A judge compared abstentions with one expected wording, and failed 23 right ones.",
                "bandr-ai/vektori#16",
            ),
        ),
        planted="equivalent",
    ),
)
