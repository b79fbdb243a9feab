"""What the scripts of scripts/bench share: running, timing, tables. Standard library only."""

import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("TRACEREPLAY_CORPUS", ROOT.parent / "shared" / "corpus"))
REPLAY = ROOT / "bin" / "replay"


def build():
    """Builds bin/replay as scripts/replay.sh does."""
    subprocess.run(["go", "build", "-o", str(REPLAY), "./cmd/replay"], cwd=ROOT, check=True)


def unpacked(log, dir):
    """The path of a plain form of a log: itself, or, of a .zstd, a file in dir."""
    if not str(log).endswith(".zstd"):
        return log
    out = os.path.join(dir, "log")
    subprocess.run(["zstd", "-dqf", str(log), "-o", out], check=True)
    return out


def say(text):
    print(text, file=sys.stderr, flush=True)


def timed(cmd, **kw):
    """Runs cmd; wall seconds, processor seconds, and peak resident MB."""
    begin = time.monotonic()
    child = subprocess.Popen([str(c) for c in cmd], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **kw)
    text = child.stderr.read().decode(errors="replace")
    _, status, use = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, cmd))}: exit {child.returncode}\n{text}")
    return time.monotonic() - begin, use.ru_utime + use.ru_stime, use.ru_maxrss / 1024


def go_bench(package, pattern, *more, env=None):
    """Runs Go benchmarks; name -> {unit: value}."""
    cmd = ["go", "test", package, "-run", "^$", "-bench", pattern, "-timeout", "60m", *more]
    done = subprocess.run(cmd, cwd=ROOT, env=dict(os.environ, **(env or {})), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    out = {}
    for line in done.stdout.splitlines():
        m = re.match(r"^(Benchmark\S*?)(?:-\d+)?\s+\d+\s+(.*)$", line)
        if m:
            words = m.group(2).split()
            out[m.group(1)] = {unit: float(v) for v, unit in zip(words[::2], words[1::2])}
    return out


def table(head, rows):
    """A markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if i == 0 else "--:" for i in range(len(head))) + "|"]
    lines += ["| " + " | ".join(str(c) for c in r) + " |" for r in rows]
    print("\n".join(lines))


def exponent(points):
    """The slope of log y over log x: how cost grows with size."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def machine():
    """One line on where this ran."""
    model = "?"
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores ({model}), load {load:.1f} at the start"
