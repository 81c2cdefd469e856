"""Hash every variable of every ready scenario, and compare two such lists.

    python tools/channel_hashes.py before.json            run all ready scenarios and write their hashes
    python tools/channel_hashes.py after.json before.json the same, then compare with an earlier list

A change of the code that is not meant to change any number must leave all hashes as they are, on one machine. Exit code
1 if a variable has changed or is gone; new variables are only listed.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from vitruvian.scenario import Scenario, library


def hashes(name: str) -> dict[str, str]:
    """Run a ready scenario and return a hash of the bytes of each variable in its result file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.nc"
        Scenario.load(name).run(check=False).save(path)
        found: dict[str, str] = {}

        def visit(key: str, item: h5py.HLObject) -> None:
            if isinstance(item, h5py.Dataset):
                content = np.asarray(item[()])
                raw = repr(content.tolist()).encode() if content.dtype == object else content.tobytes()
                found[key] = hashlib.sha256(raw).hexdigest()[:16]

        with h5py.File(path) as file:
            file.visititems(visit)
    return found


def compare(before: dict[str, dict[str, str]], after: dict[str, dict[str, str]]) -> int:
    """Print what differs between two lists; return the number of variables that changed or are gone."""
    worse = 0
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        changed = sorted(key for key in old.keys() & new.keys() if old[key] != new[key])
        gone, added = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
        worse += len(changed) + len(gone)
        for word, keys in (("changed", changed), ("gone", gone), ("new", added)):
            if keys:
                print(f"{name}: {word}: {', '.join(keys)}")
    print(f"{len(after)} scenarios, {sum(map(len, after.values()))} variables, {worse} changed or gone")
    return worse


def main() -> int:
    """Write the list named first; compare it with the one named second."""
    target, *earlier = map(Path, sys.argv[1:])
    after = {name: hashes(name) for name in sorted(library())}
    target.write_text(json.dumps(after, indent=1) + "\n")
    if not earlier:
        print(f"{len(after)} scenarios, {sum(map(len, after.values()))} variables: {target}")
        return 0
    return 1 if compare(json.loads(earlier[0].read_text()), after) else 0


if __name__ == "__main__":
    sys.exit(main())
