"""What is done to a run. Every action returns its record for truth.json.

An action is a dict: kind, at (a trigger, see progress.py), then delay_ms (waited
after the trigger), machine or worker, and what the kind needs.
"""

import os
import shutil
import signal
import time

from . import net, tools
from .progress import now_ms


def act(cluster, action, driver):
    record = {"kind": action["kind"], "trigger": str(action["at"]), "notice_ms": action.get("notice_ms", 0)}
    record.update(KINDS[action["kind"]](cluster, action, driver))
    record["done_ms"] = now_ms()
    return record


def exit_(cluster, action, driver):
    """kill -9 of one executor. Its Worker starts another."""
    machine, worker, pid = _executor(cluster, action)
    at = now_ms()
    os.kill(pid, signal.SIGKILL)
    return {"unit_kind": "worker", "unit": worker, "machine": machine, "workers": [worker], "wall_ms": at}


def withdrawal(cluster, action, driver):
    """kill -9 of everything on a machine; its directories go too. A notice comes before as SIGPWR."""
    machine, workers = _machine(cluster, action)
    record = {"unit_kind": "machine", "unit": machine, "workers": workers}
    record["wall_ms"] = now_ms()
    net.kill_all(machine)
    _wipe(machine)
    return record


def silent(cluster, action, driver):
    """The cable first: nobody hears of the withdrawal, only heartbeats stop."""
    machine, workers = _machine(cluster, action)
    at = now_ms()
    net.link(machine, up=False)
    net.kill_all(machine)
    _wipe(machine)
    return {"unit_kind": "machine", "unit": machine, "workers": workers, "wall_ms": at}


def decommission(cluster, action, driver):
    """SIGPWR to the Worker: its executors are told to leave. After the notice the machine is withdrawn."""
    machine, workers = _machine(cluster, action)
    record = {"unit_kind": "machine", "unit": machine, "workers": workers, "notice_wall_ms": now_ms()}
    os.kill(cluster.daemon_pid(machine, "worker.Worker"), signal.SIGPWR)
    gone = {}
    until = time.monotonic() + action["notice_ms"] / 1000
    while time.monotonic() < until:
        time.sleep(0.05)
        here = {w for m, w, _ in cluster.executors() if m == machine}
        for w in workers:
            if w not in here:
                gone.setdefault(w, now_ms())
    record["left_before_ms"] = gone  # executors that had ended by themselves inside the notice
    record["wall_ms"] = now_ms()
    net.kill_all(machine)
    _wipe(machine)
    return record


def return_(cluster, action, driver):
    """The machine comes back, empty: link up, a new Worker."""
    machine = action["machine"]
    at = now_ms()
    net.link(machine, up=True)
    cluster.start_worker(machine)
    return {"unit_kind": "machine", "unit": machine, "workers": [], "wall_ms": at}


def block(cluster, action, driver):
    """For a while nobody reaches one executor's block port; the executor itself is well."""
    machine, worker, pid = _executor(cluster, action)
    host = net.address(int(machine[1:]))
    ports = net.listening(machine, pid)
    others = [m for m in cluster.machines if m != machine]
    at = now_ms()
    for m in others:
        for port in ports:
            net.block_port(m, host, port)
    time.sleep(action.get("for_ms", 8000) / 1000)
    for m in others:
        for port in ports:
            net.unblock_port(m, host, port)
    return {"unit_kind": "worker", "unit": worker, "machine": machine, "workers": [worker], "wall_ms": at,
            "until_ms": now_ms()}


def driver_kill(cluster, action, driver):
    """kill -9 of the driver: the log keeps .inprogress."""
    at = now_ms()
    driver.kill()
    return {"unit_kind": "coordinator", "unit": "driver", "machine": "m0", "workers": [], "wall_ms": at}


KINDS = {"exit": exit_, "withdrawal": withdrawal, "silent": silent, "decommission": decommission,
         "return": return_, "block": block, "driver": driver_kill}


def _executor(cluster, action):
    """The executor an action names: by machine (its nth live one) or by id."""
    live = cluster.executors()
    if "worker" in action:
        return next(e for e in live if e[1] == str(action["worker"]))
    on = [e for e in live if e[0] == action["machine"]]
    return on[action.get("nth", 0) % len(on)]


def _machine(cluster, action):
    machine = action["machine"]
    return machine, [w for m, w, _ in cluster.executors() if m == machine]


def _wipe(machine):
    shutil.rmtree(tools.RUN / machine, ignore_errors=True)
