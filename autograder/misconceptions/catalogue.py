"""The catalogue of known mistakes: identifiers, and one hint each that leads and never tells.

The identifiers are a contract: `autograder grade --json` names them.
"""

from __future__ import annotations

from ..finding import Finding

UNKNOWN = "unknown"

HINTS = {
    "overwrite-gradient": "How many paths lead from here to the output?",
    "backward-called-at-build": "Is that the function, or its result?",
    "backward-not-attached": "Who will call it, and how do they find it?",
    "backward-on-self": "Whose gradient does it wait for?",
    "recursive-backward": "Is out.grad complete when it is used?",
    "no-visited-guard": "How often is a shared node listed?",
    "breadth-first-order": "Have all its consumers run yet?",
    "unreversed-order": "Where does the gradient start?",
    "missing-seed": "What is dL/dL?",
    "seed-is-data": "The output's slope against itself?",
    "seed-accumulates": "What should the root hold at a second call?",
    "stale-inner-gradients": "Who else still holds a gradient?",
    "no-coercion": "What type is other?",
    "rewraps-values": "Is it the same object as the caller's?",
    "missing-reflected": "What does sum() start with, and who is asked when the number stands on the left?",
    "reflected-recursion": "Which method does that call?",
    "rsub-swapped": "Does the order matter here?",
    "sub-sign-lost": "Nudge the second operand: which way does it go?",
    "mul-own-operand": "Which number scales a?",
    "upstream-ignored": "What arrives from above?",
    "lost-operand": "Can both operands be reached from out?",
    "result-detached": "What does out remember?",
    "operand-keyed-gradient": "What if both operands are the same object?",
    "missing-return": "What does the caller get?",
    "pow-exponent-not-reduced": "Try x other than 1.",
    "pow-factor-missing": "Which sign has the slope of 1/x?",
    "pow-always-logs": "Is the exponent a variable here?",
    "pow-value-exponent": "Is the exponent constant?",
    "tanh-derivative-of-input": "The square of the input, or of the output?",
    "tanh-overflow": "How large is e^710?",
    "exp-derivative-is-input": "What is the slope of e^x?",
    "relu-gate-on-output": "Can the output be negative?",
    "relu-gate-on-gradient": "What chose the branch?",
    "no-zero-grad": "What was in grad before this step?",
    "uphill": "Uphill or downhill?",
    "parameter-rebound": "Did the model's own object change?",
    "value-in-data": "A number, or a node?",
    "loss-from-data": "Is the graph connected?",
    "loss-not-squared": "Can a loss be negative?",
    "symmetric-init": "What tells two neurons apart?",
    "bias-missing": "Count one neuron's knobs.",
    "shared-neurons": "How many objects exist?",
    "layer-always-list": "What shape has one output?",
    "input-size-unchecked": "What does zip drop?",
    "targets-out-of-reach": "Which range can the output reach?",
    "recursion-depth": "How deep do the calls go?",
    "unhashable-values": "The same value, or the same node?",
    "late-binding": "When is x looked up?",
    UNKNOWN: "What is the smallest example that still goes wrong? Do it by hand, and compare a step at a time.",
}


def found(name: str, op: str = "") -> Finding:
    """The finding of one mistake of the catalogue. Raises KeyError for an identifier that is not in it."""
    return Finding(name, op, HINTS[name])
