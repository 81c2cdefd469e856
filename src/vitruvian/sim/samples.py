"""The output of the kernels as tables with a row for each item, before it is named."""

from typing import NamedTuple

import numpy as np


class Samples(NamedTuple):
    """The output of the kernels, cut to what a run reached: P poses, N samples of sensors and load cells."""

    pose: np.ndarray  # (P, body, pose.COUNT)
    coordinate: np.ndarray  # (P, body, 3)
    acceleration: np.ndarray  # (P, body, 6)
    joint: np.ndarray  # (P, body, out_row.JOINT)
    joint_energy: np.ndarray  # (P, body, 2)
    contact: np.ndarray  # (P, pair, out_row.PAIR)
    point: np.ndarray  # (P, pair, 3)
    depth: np.ndarray  # (P, pair)
    webbing: np.ndarray  # (P, webbing, out_row.STRAND)
    airbag: np.ndarray  # (P, airbag, out_row.BAG)
    dip: np.ndarray  # (P, dip, out_row.DIP)
    loop: np.ndarray  # (P, loop, out_row.CLOSURE)
    scalar: np.ndarray  # (P, scalar.COUNT)
    sensor: np.ndarray  # (N, sensor, 12)
    load_cell: np.ndarray  # (N, load_cell, 6)
    attitude: np.ndarray  # (N, body, 4)
    bone: np.ndarray  # (N, point, 3) strain, stress, bending moment
