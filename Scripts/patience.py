"""How long scripts wait for what has to come, as the tests do (Tests/Support/Patience.swift): two minutes on an idle machine, and
longer by as many programs as want each of its cores. TEST_PATIENCE is another length, in seconds.
"""

import os

AT_REST, LONGEST = 120, 10


def stretch():
    """How many times as long as on an idle machine things take now."""
    try:
        with open("/proc/loadavg") as file:
            average, _, _, running, _ = file.read().split()
        load = max(float(average), float(running.split("/")[0]))
    except OSError:
        load = 0
    return min(LONGEST, max(1, load / (os.cpu_count() or 1)))


def seconds():
    given = os.environ.get("TEST_PATIENCE")
    return float(given) if given else AT_REST * stretch()
