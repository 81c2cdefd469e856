"""Filters and injury criteria of sampled signals, in the order of operations of numpy, so that the bits are the same.

One axis at a time; the caller gives all buffers. Used where thousands of short records are judged (`study.quick`);
`signals` and `injury` have the definitions.
"""

from math import inf, sqrt

from .._jit import exact

BLOCK = 16  # samples of a block in the search for the best window


@exact
def lowpass(samples, start, section, padding, one, two, out):
    """Filter a signal forward and backward with a section of second order, as `signals.filter.both_ways` does.

    samples  (n) in any unit, which the output keeps [-]
    padding  samples of odd reflection; start: samples whose mean starts the filter
    one, two buffers (n + 2 padding); out (n)
    """
    n = samples.shape[0]
    total = n + 2 * padding
    for k in range(padding):
        one[k] = 2.0 * samples[0] - samples[padding - k]
        one[padding + n + k] = 2.0 * samples[n - 1] - samples[n - 2 - k]
    for k in range(n):
        one[padding + k] = samples[k]
    mean = 0.0
    for k in range(min(start, total)):
        mean += one[k]
    _recursion(one, two, section, mean / min(start, total), total)
    for k in range(total):
        two[k] = one[total - 1 - k]
    mean = 0.0
    for k in range(min(start, total)):
        mean += two[k]
    _recursion(two, one, section, mean / min(start, total), total)
    for k in range(n):
        out[k] = two[total - 1 - padding - k]


@exact
def _recursion(signal, other, section, first, n):
    """Replace a signal (n) by the outputs of a section whose first two outputs are given: recursive doubling."""
    b0, b1, b2, near, far = section[0], section[1], section[2], section[4], section[5]
    other[0] = b0 * signal[0]
    other[1] = b0 * signal[1] + b1 * signal[0]
    for k in range(n - 2):
        other[k + 2] = b0 * signal[k + 2] + b1 * signal[k + 1] + b2 * signal[k]
    other[0] = first
    other[1] = first + near * first
    stride, here = 1, 0
    while stride < n and max(abs(near), abs(far)) > 1e-30:
        if here == 0:
            _double(other, signal, near, far, stride, n)
        else:
            _double(signal, other, near, far, stride, n)
        here = 1 - here
        near, far = 2.0 * far - near * near, far * far
        stride *= 2
    if here == 0:
        for k in range(n):
            signal[k] = other[k]


@exact
def _double(before, after, near, far, stride, n):
    for k in range(stride):
        after[k] = before[k]
    for k in range(stride, min(2 * stride, n)):
        after[k] = before[k] - near * before[k - stride]
    here, new = before[2 * stride : n], after[2 * stride : n]
    for k in range(here.shape[0]):  # no index can be negative, so that the loop becomes vector instructions
        new[k] = here[k] - near * before[k + stride] + far * before[k]


@exact
def resultant(x, y, z, unit, out):
    """Write the resultant of three components, each divided by a unit first [-]."""
    for k in range(x.shape[0]):
        a, b, c = x[k] / unit, y[k] / unit, z[k] / unit
        out[k] = sqrt(a * a + b * b + c * c)


@exact
def integral(time, samples, sums):
    """Write the integral from the first sample to each, by straight lines, in the unit of the samples times [s]."""
    sums[0] = 0.0
    for k in range(1, time.shape[0]):
        step = 0.5 * (samples[k] + samples[k - 1]) * (time[k] - time[k - 1])
        sums[k] = step if k == 1 else sums[k - 1] + step


@exact
def best_window(time, samples, sums, window):
    """Return the largest span (total/span)^2.5 of a signal that is not negative, over all pairs within a window [s].

    Blocks of starts and ends that cannot exceed the best value so far are skipped: their total is at most that between
    their outer samples, their mean at most the largest sample.
    """
    n = time.shape[0]
    longest = window * (1.0 + 1e-9)
    peak, top = 0.0, 0
    for k in range(n):
        if samples[k] > peak:
            peak, top = samples[k], k
    steep = peak * sqrt(peak) * (1.0 + 1e-10)
    found = _best_of(time, sums, max(top - BLOCK, 0), min(top + 1, n), top, min(top + BLOCK, n), longest, 0.0)
    # windows about the peak first, because a high mark skips most of the others
    blocks = (n + BLOCK - 1) // BLOCK
    middle = top // BLOCK
    for turn in range(2 * blocks + 2):
        block = middle + (turn + 1) // 2 if turn % 2 == 1 else middle - turn // 2
        if block < 0 or block >= blocks:
            continue
        first, last = block * BLOCK, min((block + 1) * BLOCK, n)
        end = last - 1
        while end < n - 1 and time[end + 1] - time[last - 1] <= longest:
            end += BLOCK
        end = min(end, n - 1)
        if (sums[end] - sums[first]) * steep <= found:
            continue
        begin = first
        while begin < n and time[begin] - time[last - 1] <= longest:
            stop = min(begin + BLOCK, n)
            total = (sums[stop - 1] - sums[first]) * (1.0 + 1e-10)
            span = time[begin] - time[last - 1]
            mean = min(peak, total / span) if span > 0.0 else peak
            if total > 0.0 and total * mean * sqrt(mean) * (1.0 + 1e-10) > found:
                found = _best_of(time, sums, first, last, begin, stop, longest, found)
            begin = stop
    return found


@exact
def _best_of(time, sums, first, last, begin, stop, longest, found):
    """Return the best value of all pairs of two blocks, or the one found before if that is larger."""
    for i in range(first, last):
        for j in range(max(begin, i + 1), stop):
            span = time[j] - time[i]
            if span > longest:
                break
            mean = max(sums[j] - sums[i], 0.0) / span
            value = span * mean * mean * sqrt(mean)
            if value > found:
                found = value
    return found


@exact
def pieces(time, samples, level, lengths):
    """Write the length of every stretch at or above a level [s], and return their number."""
    n, count, begin = time.shape[0], 0, 0.0
    above = False
    for k in range(n):
        if samples[k] >= level:
            if not above:
                above = True
                begin = time[k]
                if k > 0:
                    begin -= (time[k] - time[k - 1]) * (samples[k] - level) / (samples[k] - samples[k - 1])
        elif above:
            above = False
            end = time[k - 1] + (time[k] - time[k - 1]) * (samples[k - 1] - level) / (samples[k - 1] - samples[k])
            lengths[count] = end - begin
            count += 1
    if above:
        lengths[count] = time[n - 1] - begin
        count += 1
    return count


@exact
def level_between(time, samples, levels, duration, lengths):
    """Return the place of the highest of some rising levels that is exceeded for a duration [s]; -1 for none."""
    low, high = -1, levels.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        total = 0.0
        for k in range(pieces(time, samples, levels[middle], lengths)):
            total += lengths[k]
        if total >= duration:
            low = middle
        else:
            high = middle
    return low


@exact
def largest(x, y, z, out):
    """Write the largest size of each of three components, in their unit [-]."""
    for axis in range(3):
        part = x if axis == 0 else (y if axis == 1 else z)
        most = -inf
        for k in range(part.shape[0]):
            most = max(most, abs(part[k]))
        out[axis] = most
