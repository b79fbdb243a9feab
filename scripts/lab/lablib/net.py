"""Machines: network namespaces with an address and a name of their own.

m0 is the coordinator's machine and holds the bridge; m1, m2, ... hang on it by
a veth pair each. Nothing leaves the box. Everything that runs on a machine is
found by its namespace, so cleaning up needs no memory of an earlier run.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

PREFIX = "trlab-"


def sh(*cmd, check=True):
    return subprocess.run([str(c) for c in cmd], check=check, capture_output=True, text=True).stdout


def ns(machine):
    return PREFIX + machine


def inside(machine, *cmd):
    return ["ip", "netns", "exec", ns(machine), *map(str, cmd)]


def address(i):
    return f"10.77.0.{i + 1}"


def names(n):
    return [f"m{i}" for i in range(1, n + 1)]


def create(n):
    """Machines m0 (coordinator) to mN."""
    hosts = "127.0.0.1 localhost\n" + "".join(f"{address(i)} m{i}\n" for i in range(n + 1))
    for i in range(n + 1):
        etc = Path("/etc/netns") / ns(f"m{i}")
        etc.mkdir(parents=True, exist_ok=True)
        (etc / "hosts").write_text(hosts)
        sh("ip", "netns", "add", ns(f"m{i}"))
        sh(*inside(f"m{i}", "ip", "link", "set", "lo", "up"))
    sh(*inside("m0", "ip", "link", "add", "br0", "type", "bridge"))
    sh(*inside("m0", "ip", "addr", "add", address(0) + "/24", "dev", "br0"))
    sh(*inside("m0", "ip", "link", "set", "br0", "up"))
    for i in range(1, n + 1):
        m = f"m{i}"
        sh("ip", "-n", ns("m0"), "link", "add", f"v{i}", "type", "veth", "peer", "name", "eth0", "netns", ns(m))
        sh("ip", "-n", ns("m0"), "link", "set", f"v{i}", "master", "br0", "up")
        sh("ip", "-n", ns(m), "addr", "add", address(i) + "/24", "dev", "eth0")
        sh("ip", "-n", ns(m), "link", "set", "eth0", "up")


def link(machine, up):
    """Cuts or restores a machine's cable, at the coordinator's end: nobody is told."""
    sh("ip", "-n", ns("m0"), "link", "set", "v" + machine[1:], "up" if up else "down")


def pids(machine):
    return [int(p) for p in sh("ip", "netns", "pids", ns(machine), check=False).split()]


def kill_all(machine):
    """kill -9 of everything on a machine, until nothing is left."""
    for _ in range(50):
        left = pids(machine)
        if not left:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def block_port(reader, host, port):
    """From `reader`, nothing reaches host:port any more; open connections are broken."""
    sh("ip", "-n", ns(reader), "rule", "add", "to", host, "ipproto", "tcp", "dport", port, "prohibit")
    sh(*inside(reader, "ss", "-K", "dst", host, "dport", "=", port), check=False)


def unblock_port(reader, host, port):
    sh("ip", "-n", ns(reader), "rule", "del", "to", host, "ipproto", "tcp", "dport", port, "prohibit", check=False)


def await_port(machine, port, timeout_s=60):
    """Blocks until something on the machine listens on the port."""
    until = time.monotonic() + timeout_s
    while f":{port} " not in sh(*inside(machine, "ss", "-Htln")):
        if time.monotonic() > until:
            raise TimeoutError(f"nothing listens on {machine}:{port}")
        time.sleep(0.1)


def listening(machine, pid):
    """TCP ports that a process listens on."""
    out = sh(*inside(machine, "ss", "-Htlnp"))
    return sorted({int(l.split()[3].rsplit(":", 1)[1]) for l in out.splitlines() if f"pid={pid}," in l})


def cleanup():
    """Removes all machines of this or any earlier, crashed run."""
    left = [l.split()[0] for l in sh("ip", "netns", "list", check=False).splitlines() if l.startswith(PREFIX)]
    for name in left:
        kill_all(name[len(PREFIX):])
    for name in left:
        sh("ip", "netns", "delete", name, check=False)
    for etc in Path("/etc/netns").glob(PREFIX + "*"):
        shutil.rmtree(etc, ignore_errors=True)
