"""One run: cluster up, driver started, actions done when their triggers hold, files kept."""

import json
import shutil
import subprocess
import time
from pathlib import Path

from . import box, losses, matrix, net, tools
from .cluster import Cluster
from .progress import Progress, now_ms


def run(spec, out):
    """Leaves OUT/NAME with the event log, truth.json and the processes' logs."""
    final = Path(out) / spec["name"]
    net.cleanup()
    cluster = Cluster(spec)
    try:
        cluster.start()
        truth = _drive(cluster, spec)
    finally:
        cluster.stop()
    _keep(final, truth)
    return truth


def finished(spec, out):
    """A run that was given up, or whose driver failed, is tried again."""
    truth = Path(out) / spec["name"] / "truth.json"
    return truth.exists() and json.loads(truth.read_text())["outcome"] in ("succeeded", "killed")


def _drive(cluster, spec):
    """The run, and the runs that follow it on the same cluster and durable directory (`then`)."""
    truth = {
        "name": spec["name"], "group": spec["group"], "workload": spec["workload"], "args": spec["args"],
        "spark": spec["spark"],
        "shape": {"machines": spec["machines"], "workers": spec["workers"], "slots": spec["slots"]},
        "codec": spec["codec"], "rolling": spec["rolling"], "block_updates": spec["block_updates"],
        "settings": {k: str(v) for k, v in cluster.settings().items()},
        "daemon_settings": spec["daemon_settings"],
    }
    truth.update(_segment(cluster, spec))
    for more in spec["then"]:
        cluster.spec = spec = matrix.overlaid(spec, more)
        follow = {"args": spec["args"], "settings": {k: str(v) for k, v in cluster.settings().items()}}
        follow.update(_segment(cluster, spec))
        truth.setdefault("then", []).append(follow)
    return truth


def _segment(cluster, spec):
    """One driver from its start to its end."""
    start = now_ms()
    driver = cluster.submit()
    progress = Progress(driver.stdout)
    deadline = time.monotonic() + spec["timeout_s"]
    done, last = [], None
    for action in spec["actions"]:
        if not progress.wait(action["at"], last, deadline - time.monotonic()):
            break
        time.sleep(action.get("delay_ms", 0) / 1000)
        if progress.ended:
            break
        done.append(losses.act(cluster, action, driver))
        last = done[-1]["done_ms"]
    outcome = _wait(driver, deadline, any(x["kind"] == "driver" for x in done))
    end, box_end = now_ms(), box.snapshot()
    if outcome == "timeout":
        driver.kill()
    progress.join(5)
    return {
        "actions": done, "actions_missed": len(spec["actions"]) - len(done),
        "start_ms": start, "main_ms": progress.main_ms, "end_ms": end,
        "outcome": outcome, "result": progress.result, "plan_tasks": progress.plan,
        "box": box.between(progress.main_box, box_end, end - (progress.main_ms or end)),
        "tasks_ok": progress.tasks, "seen": progress.seen,
    }


def _wait(driver, deadline, shot):
    """How the driver ended; `killed` only when that was the lab's doing."""
    try:
        code = driver.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return "timeout"
    if shot and code in (-9, 137):
        return "killed"
    return "succeeded" if code == 0 else f"failed ({code})"


def _keep(final, truth):
    part = final.with_name(final.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    logs = sorted((tools.RUN / "events").iterdir())
    truth["logs"] = [p.name for p in logs]
    for log in logs:
        shutil.move(log, part / log.name)
    shutil.move(tools.RUN / "logs", part / "processes")
    (part / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    shutil.rmtree(final, ignore_errors=True)
    part.rename(final)
