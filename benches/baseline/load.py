"""Loads a file with the Python module, and with `look` makes all of its objects. Prints the fastest of N runs.

    load.py FILE N [look]
"""

import os
import sys
import time

# Idle threads of numpy would compete with the reader for cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import ligament  # noqa: E402

look = "look" in sys.argv[3:]
best = float("inf")
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    scene = ligament.load(sys.argv[1])
    if look:
        scene.nodes  # noqa: B018
    # As in the baseline, the scene is freed before the clock stops.
    del scene
    best = min(best, time.perf_counter() - start)
print(f"seconds {best:.9f}")
