"""What a dump of a module holds: the coordinates of its rows, and what the module made of them."""

import importlib.metadata

import numpy as np

# One for each module: the name of its dump, what is said of it, and the function that calls it.
MODULES = []


def module(name, path, *, family=None, compute="f32", convention=None):
    """Registers the function that calls the class or function `path` of a library.

    `family` is the convention of crates/check/tests/axes/families.json that it follows (by default `name`); `convention` one
    that is none of those. `compute` is the precision of its angles.
    """

    def register(function):
        said = {"module": path, "compute": compute}
        said |= {"convention": convention} if convention else {"family": family or name}
        MODULES.append((name, said, function))
        return function

    return register


def version(path):
    """The distribution that a dotted path comes from, with its version."""
    library = path.partition(".")[0]
    return f"{library} {importlib.metadata.version(library)}"


def coordinates(axes, *, most=40000, signed=False):
    """Rows of integers that tell axes apart: the origin, coordinates that do not grow together, and far ones on each axis."""
    rows = [[0] * axes]
    rows += [[[i % 7, i // 3, (3 * i + 2) % 11, (5 * i) % 13][axis] for axis in range(axes)] for i in range(9)]
    for axis in range(axes):
        rows += [[far if other == axis else 1 + other for other in range(axes)] for far in (258, 2051, most)]
    if signed:
        rows += [[-3 - axis for axis in range(axes)]]
    return np.array([[min(x, most) for x in row] for row in rows])


def grid(*sides):
    """The rows of a grid in raster order."""
    return np.stack(np.meshgrid(*(np.arange(side) for side in sides), indexing="ij"), axis=-1).reshape(-1, len(sides))


def picked(rows, most=20):
    """Some of so many rows, the first and the last among them."""
    return np.unique(np.linspace(0, rows - 1, most).astype(int))


def cross(*sides):
    """Rows of a grid in raster order through its first corner along each axis, of which any two differ along one alone, and the last."""
    coordinates = grid(*sides)
    moving = (coordinates > 0).sum(axis=1)
    return np.unique([*np.flatnonzero(moving <= 1), len(coordinates) - 1])


def array(tensor):
    return np.ascontiguousarray(tensor.detach().cpu().numpy())


def cache(positions, cos, sin, *, most=20, kept=None):
    """The rows of a cache, of which a few are kept."""
    cos, sin = array(cos).reshape(len(positions), -1), array(sin).reshape(len(positions), -1)
    kept = picked(len(positions), most) if kept is None else kept
    return {"positions": np.asarray(positions)[kept], "cos": cos[kept], "sin": sin[kept]}


def table(positions, entries):
    """The rows of a table, of which a few are kept."""
    kept = picked(len(positions))
    return {"positions": np.asarray(positions)[kept], "table": array(entries).reshape(len(positions), -1)[kept]}


def side_by_side(positions, both):
    """A cache that holds sines and then cosines in each row."""
    sin, cos = both.reshape(len(positions), -1).chunk(2, dim=-1)
    return cache(positions, cos, sin)


def vectors(rows, dim):
    """Numbers of binary32 between −1 and 1, the same in every run."""
    import torch

    return torch.from_numpy(np.random.default_rng(15).uniform(-1, 1, (rows, dim)).astype(np.float32))


def rotation(positions, x, y):
    return {"positions": np.asarray(positions), "x": array(x).reshape(len(positions), -1), "y": array(y).reshape(len(positions), -1)}
