"""Pairs rotated by NumPy in the format named, from the bits of x, y, c and s as binary64, a line for each pair."""

import sys

import numpy

kind = numpy.dtype(sys.argv[1])
bits = numpy.array([[int(word, 16) for word in line.split()] for line in sys.stdin], dtype=numpy.uint64)
with numpy.errstate(all="ignore"):
    x, y, c, s = bits.view(numpy.float64).astype(kind).T
    turned = numpy.stack([x * c - y * s, x * s + y * c], axis=1)
for row in turned.astype(numpy.float64).view(numpy.uint64):
    print(*(f"{word:x}" for word in row))
