"""How much evidence the umpire wants, and how far it looks: all in one place.

Measured by `python tests/benchmarks/thresholds.py`, which judges the photographed stories, as they were read and as
poorer eyes would have read them, under several of these. Of 69 rulings on eleven stories with 13 faults:

    illegal needs    as read: right, false, unclear    poor eyes: right, false, missed, unclear
    0.8                       67     0      2                     53     1       1       14
    0.9                       67     0      2                     54     1       1       13
    0.95                      67     0      2                     56     0       1       12

With less than 0.95 poor eyes accuse somebody falsely, and find no fault more.
"""

from __future__ import annotations

ILLEGAL_NEEDS = 0.95  # share of the evidence that must leave no legal way
KEPT = 0.1  # a state so likely, measured by the likeliest, may be the case; a first guess
TRUST = 10.0  # how much likelier pieces stay than are taken, and are ones the board has than others
LEAST = 0.01  # a reading of a stack with a smaller share is not looked at
READINGS = 32  # positions looked at in one scene, likeliest first, shared by the states it is judged from
PLAYS = 5000  # moves tried for one scene, shared by its readings and by the states it is judged from
STATES = 8  # that may be the case after one scene
CHOICES = 5  # lines offered with an unclear ruling
