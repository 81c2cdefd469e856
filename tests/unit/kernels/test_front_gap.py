"""The gap between a front and a shape is that of all heights and directions at once, bit for bit."""

import numpy as np

from vitruvian.kernels.front_gap import nearest


def test_the_gap_is_that_of_all_heights_and_directions():
    random = np.random.default_rng(0)
    angle = np.linspace(0.5 * np.pi, 1.5 * np.pi, 61)[1:-1]
    sine, cosine = np.sin(angle), np.cos(angle)
    for case in range(40):
        corners = np.column_stack([random.uniform(-1.0, 0.0, 9), np.sort(random.uniform(0.2, 1.4, 9))])
        if case % 4 == 0:
            corners[4, 1] = corners[3, 1]  # a level piece
        x0, z0, x1, z1 = pieces = np.ascontiguousarray(np.hstack([corners[:-1], corners[1:]]).T)
        middle, ahead = random.uniform(0.0, 1.8), random.uniform(-2.0, 2.0)
        half = random.uniform(0.05, 0.3, 2)
        reach = np.hypot(half[0] * cosine, half[1] * sine)
        height = np.concatenate([np.linspace(middle - half[1], middle + half[1], 31), corners[:, 1]])
        height = height[abs(height - middle) <= half[1]]

        rear = ahead + ((reach[:, None] - sine[:, None] * (height - middle)) / cosine[:, None]).max(axis=0)
        z = height[:, None]
        rise = np.where(z1 != z0, z1 - z0, 1.0)
        along = np.where(z1 != z0, x0 + (x1 - x0) * (z - z0) / rise, np.maximum(x0, x1))
        inside = (z >= np.minimum(z0, z1)) & (z <= np.maximum(z0, z1))
        expected = (rear - np.where(inside, along, -np.inf).max(axis=1)).min(initial=np.inf)
        assert nearest(reach, sine, cosine, height, middle, ahead, pieces) == expected
