"""One lab run at a time: two would disturb each other's times and namespaces."""

import fcntl

from . import tools


def take():
    """An open, locked file to be kept until the end; None when another run holds it."""
    tools.LAB.mkdir(parents=True, exist_ok=True)
    lock = open(tools.LAB / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock
