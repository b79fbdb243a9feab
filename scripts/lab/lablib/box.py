"""How busy the box was: a run on a box that does other things too is told apart by it."""

import os


def snapshot():
    """Busy and total CPU time (ticks over all cores), and ms in which something waited for a core."""
    with open("/proc/stat") as f:
        t = [int(x) for x in f.readline().split()[1:9]]
    try:
        with open("/proc/pressure/cpu") as f:
            waited = int(f.readline().rsplit("total=", 1)[1]) / 1000
    except OSError:
        waited = None
    return {"busy": sum(t) - t[3] - t[4], "total": sum(t), "waited_ms": waited}


def between(a, b, ms):
    """Shares of the time between two snapshots that lie ms apart."""
    if a is None or ms <= 0:
        return None
    waited = None if a["waited_ms"] is None else round((b["waited_ms"] - a["waited_ms"]) / ms, 3)
    return {"cores": os.cpu_count(), "cpu_busy_share": round((b["busy"] - a["busy"]) / max(1, b["total"] - a["total"]), 3),
            "cpu_wait_share": waited}
