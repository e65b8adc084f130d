"""What the files of candidates share: see judge_python.py."""

import numpy

ROWS = 16384
DIM = 64
CANDIDATES = {}


def candidate(name):
    def register(function):
        CANDIDATES[name] = function
        return function

    return register


def vectors(shape):
    """Vectors to rotate: no pair is short."""
    generator = numpy.random.default_rng(7)
    return ((0.5 + generator.random(shape)) * generator.choice([-1.0, 1.0], shape)).astype(numpy.float32)
