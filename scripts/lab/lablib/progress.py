"""How far the driver is, read from the '@' lines on its stdout."""

import threading
import time

from . import box


def now_ms():
    return time.time_ns() // 1000000


class Progress(threading.Thread):
    """Counts of the main phase; `wait` blocks until a trigger holds or the driver has ended."""

    def __init__(self, stdout):
        super().__init__(daemon=True)
        self.stdout = stdout
        self.changed = threading.Condition()
        self.main_ms = None
        self.main_box = None
        self.plan = None
        self.tasks = 0       # successful task ends
        self.again = 0       # successful task ends of stage attempts after the first
        self.stages = 0
        self.jobs = 0
        self.batch = -1
        self.batch_tasks = 0
        self.batch_ended = -1
        self.result = None
        self.seen = []       # batch ends and the like: [what, number, ms]
        self.ended = False
        self.start()

    def run(self):
        for line in self.stdout:
            if line.startswith("@"):
                with self.changed:
                    self._take(line[1:].split())
                    self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _take(self, words):
        what, rest = words[0], words[1:]
        if what == "main":
            self.main_ms = now_ms()
            self.main_box = box.snapshot()
        elif what == "plan":
            self.plan = int(rest[0])
        elif what == "result":
            self.result = {"rows": int(rest[0]), "hash": rest[1]}
        elif self.main_ms is None:
            return
        elif what == "task" and rest[2] == "1":
            self.tasks += 1
            self.batch_tasks += 1
            self.again += int(rest[1]) > 0
        elif what == "stage":
            self.stages += 1
        elif what == "job":
            self.jobs += 1
        elif what in ("batch", "batchend"):
            self.seen.append([what, int(rest[0]), now_ms()])
            if what == "batch":
                self.batch, self.batch_tasks = int(rest[0]), 0
            else:
                self.batch_ended = int(rest[0])

    def wait(self, trigger, last_ms, timeout_s):
        """Blocks until the trigger holds. False when the driver ended first, or time ran out.

        A trigger is a number (share of the plan's task ends) or WHAT:N with WHAT one of
        tasks, stage, job (the Nth begins), again (N pieces of later attempts ended since now),
        batch (batch:4+6 = six task ends of batch 4), batchend, ms (since the main phase began), after (ms since the last action).
        """
        until = time.monotonic() + timeout_s
        with self.changed:
            again = self.again
            while True:
                if self._holds(trigger, last_ms, again):
                    return True
                left = until - time.monotonic()
                if self.ended or left <= 0:
                    return False
                self.changed.wait(min(left, 0.02 if str(trigger)[:2] in ("ms", "af") else 1.0))

    def _holds(self, trigger, last_ms, again):
        if self.main_ms is None:
            return False
        if not isinstance(trigger, str):
            return self.plan is not None and self.tasks >= trigger * self.plan
        what, n = trigger.split(":")
        n, more = (int(x) for x in (n.split("+") + ["0"])[:2])
        return {
            "tasks": lambda: self.tasks >= n,
            "stage": lambda: self.stages >= n,
            "job": lambda: self.jobs >= n,
            "again": lambda: self.again - again >= n,
            "batch": lambda: self.batch > n or (self.batch == n and self.batch_tasks >= more),
            "batchend": lambda: self.batch_ended >= n,
            "ms": lambda: now_ms() - self.main_ms >= n,
            "after": lambda: now_ms() - (last_ms or self.main_ms) >= n,
        }[what]()
