#!/usr/bin/env python3
"""Counts, the slow and plain way, what a Spark event log says: an independent reference.

    count.py LOG... [--json]

LOG is a file or a rolling directory, in any of Spark's codecs. A *piece* is one
partition of one shuffle (or of one result stage): it ran again when it had a Success
before and another task of it ended in Success. A shuffle is told by its map RDD and,
outside SQL, by the RDDs that read it, because one RDD may feed two shuffles.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

# --- bytes -----------------------------------------------------------------------------


def read(path):
    """The raw bytes of a log file, told by its first bytes; a cut end is dropped."""
    data = Path(path).read_bytes()
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dcq", str(path)], capture_output=True).stdout
    if data[:8] == b"LZ4Block":
        return lz4(data)
    if data[:8] == b"\x82SNAPPY\x00":
        return snappy(data)
    if data[:2] == b"ZV":
        return lzf(data)
    return data


def lz4(d):
    out, i = bytearray(), 0
    while i + 21 <= len(d):
        token = d[i + 8]
        n, raw = int.from_bytes(d[i + 9:i + 13], "little"), int.from_bytes(d[i + 13:i + 17], "little")
        i += 21
        out += d[i:i + n] if token >> 4 == 1 else lz4_block(d[i:i + n], raw)
        i += n
    return bytes(out)


def lz4_block(s, raw):
    out, i = bytearray(), 0

    def more(n):
        nonlocal i
        if n == 15:
            while True:
                n += s[i]
                i += 1
                if s[i - 1] != 255:
                    break
        return n
    while i < len(s):
        token = s[i]
        i += 1
        n = more(token >> 4)
        out += s[i:i + n]
        i += n
        if i >= len(s):
            break
        back = s[i] | s[i + 1] << 8
        i += 2
        copy(out, back, more(token & 15) + 4)
    assert len(out) == raw
    return out


def copy(out, back, n):
    for _ in range(n):
        out.append(out[-back])


def snappy(d):
    out, i = bytearray(), 0
    while i + 4 <= len(d):
        if d[i:i + 8] == b"\x82SNAPPY\x00":
            i += 16
            continue
        n = int.from_bytes(d[i:i + 4], "big")
        out += snappy_block(d[i + 4:i + 4 + n])
        i += 4 + n
    return bytes(out)


def snappy_block(s):
    raw, shift, i = 0, 0, 0
    while True:
        raw |= (s[i] & 127) << shift
        shift += 7
        i += 1
        if s[i - 1] < 128:
            break
    out = bytearray()
    while i < len(s):
        tag = s[i]
        i += 1
        if tag & 3 == 0:
            n = tag >> 2
            if n >= 60:
                k = n - 59
                n = int.from_bytes(s[i:i + k], "little")
                i += k
            out += s[i:i + n + 1]
            i += n + 1
        elif tag & 3 == 1:
            copy(out, (tag >> 5) << 8 | s[i], (tag >> 2 & 7) + 4)
            i += 1
        else:
            k = 2 if tag & 3 == 2 else 4
            copy(out, int.from_bytes(s[i:i + k], "little"), (tag >> 2) + 1)
            i += k
    assert len(out) == raw
    return out


def lzf(d):
    out, i = bytearray(), 0
    while i + 5 <= len(d) and d[i:i + 2] == b"ZV":
        n = int.from_bytes(d[i + 3:i + 5], "big")
        if d[i + 2] == 0:
            out += d[i + 5:i + 5 + n]
            i += 5 + n
        else:
            out += lzf_block(d[i + 7:i + 7 + n])
            i += 7 + n
    return bytes(out)


def lzf_block(s):
    out, i = bytearray(), 0
    while i < len(s):
        c = s[i]
        i += 1
        if c < 32:
            out += s[i:i + c + 1]
            i += c + 1
            continue
        n = c >> 5
        if n == 7:
            n += s[i]
            i += 1
        copy(out, ((c & 31) << 8 | s[i]) + 1, n + 2)
        i += 1
    return out


def events(path):
    """All events of a log, in order; the last line may be cut."""
    path = Path(path)
    parts = [path]
    if path.is_dir():
        parts = [p for p in path.iterdir() if p.name.startswith("events_")]
        parts.sort(key=lambda p: int(p.name.split("_")[1]))
    for part in parts:
        lines = read(part).split(b"\n")
        for k, line in enumerate(lines):
            if line:
                try:
                    yield json.loads(line)
                except ValueError:
                    if k != len(lines) - 1:
                        raise


# --- counts ----------------------------------------------------------------------------


def count(path):
    c = Counter()
    executors, hosts, removed = {}, set(), []
    stage_key, sql_stages, job_of = {}, set(), {}
    reasons, done = Counter(), {}
    again, again_by = [], Counter()
    out = {"log": os.path.basename(path)}
    for e in events(path):
        name = re.split(r"[.$]", e["Event"])[-1].removeprefix("SparkListener")
        c[name] += 1
        if name == "LogStart":
            out["spark"] = e["Spark Version"]
        elif name == "ExecutorAdded":
            executors[e["Executor ID"]] = e["Executor Info"]["Host"]
            hosts.add(e["Executor Info"]["Host"])
        elif name == "ExecutorRemoved":
            removed.append([e["Executor ID"], executors.get(e["Executor ID"]), e["Timestamp"], e["Removed Reason"]])
        elif name == "JobStart":
            sql = "spark.sql.execution.id" in (e.get("Properties") or {})
            infos = e["Stage Infos"]
            for s in infos:
                job_of[s["Stage ID"]] = e["Job ID"]
                rdd = s["RDD Info"][0]["RDD ID"]
                readers = sorted({r["RDD ID"] for t in infos if s["Stage ID"] in t["Parent IDs"]
                                  for r in t["RDD Info"] if rdd in r["Parent IDs"]})
                stage_key.setdefault(s["Stage ID"], (rdd,) if sql else (rdd, *readers))
        elif name == "StageSubmitted" and e["Stage Info"]["Stage Attempt ID"] > 0:
            c["stage attempts after the first"] += 1
        elif name == "TaskEnd":
            reason = e["Task End Reason"]["Reason"]
            reasons[reason] += 1
            if reason != "Success":
                continue
            t = e["Task Info"]
            part = t.get("Partition ID", -1)
            part = t["Index"] if part < 0 else part
            if e["Task Type"] == "ShuffleMapTask":
                piece = ("shuffle", *stage_key[e["Stage ID"]], part)
            else:
                piece = ("result", job_of[e["Stage ID"]], part)
            ms = t["Finish Time"] - t["Launch Time"]
            if piece in done:
                again.append((piece, done[piece], ms))
                again_by[e["Stage ID"]] += 1
            else:
                done[piece] = ms
    out["machines"] = len(hosts)
    out["executors"] = len(executors)
    out["removals"] = removed
    out["jobs"] = c["JobStart"]
    out["stages_run"] = c["StageSubmitted"]
    out["stage_attempts_after_first"] = c["stage attempts after the first"]
    out["task_starts"] = c["TaskStart"]
    out["task_ends"] = c["TaskEnd"]
    out["task_ends_by_reason"] = dict(sorted(reasons.items()))
    out["rerun_pieces"] = len({p for p, _, _ in again})
    out["rerun_ends"] = len(again)
    out["rerun_by_stage"] = {str(k): v for k, v in sorted(again_by.items())}
    out["first_ms"] = sum({p: a for p, a, _ in again}.values())
    out["again_ms"] = sum(b for _, _, b in again)
    out["complete"] = c["ApplicationEnd"] > 0
    out["block_updates"] = c["BlockUpdated"]
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("log", nargs="+")
    p.add_argument("--json", action="store_true", help="everything, one object a log")
    a = p.parse_args()
    for log in a.log:
        r = count(log)
        if a.json:
            print(json.dumps(r))
            continue
        print(f"{r['log']}: Spark {r.get('spark')}, {r['machines']} machines, {r['executors']} executors, "
              f"{len(r['removals'])} removed, {r['jobs']} jobs, {r['stages_run']} stages run "
              f"({r['stage_attempts_after_first']} later attempts), {r['task_ends']} task ends, "
              f"{r['rerun_pieces']} pieces ran again ({r['first_ms']} ms first, {r['again_ms']} ms again)"
              f"{'' if r['complete'] else ', log without its end'}")


if __name__ == "__main__":
    sys.exit(main())
