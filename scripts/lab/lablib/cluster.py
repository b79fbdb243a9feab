"""A standalone Spark cluster, one Worker a machine, and the driver on m0."""

import os
import shutil
import subprocess
import time

from . import net, tools

MASTER = "spark://m0:7077"


class Cluster:
    def __init__(self, spec):
        self.spec = spec
        self.home = tools.spark_home(spec["spark"])
        self.jar = tools.workload_jar(spec["spark"])
        self.jvm = tools.jvm(spec["spark"], spec["archive"])
        self.machines = net.names(spec["machines"])
        self.processes = []

    def start(self):
        shutil.rmtree(tools.RUN, ignore_errors=True)
        (tools.RUN / "events").mkdir(parents=True)
        (tools.RUN / "durable").mkdir()
        tools.write_conf()
        net.create(len(self.machines))
        self._java("m0", ["-Xmx256m", *self._daemon_options(), "org.apache.spark.deploy.master.Master",
                          "--host", "m0", "--port", "7077", "--webui-port", "8080"], "master")
        net.await_port("m0", 7077)
        for m in self.machines:
            self.start_worker(m)

    def start_worker(self, machine):
        spec = self.spec
        base = tools.RUN / machine
        (base / "work").mkdir(parents=True, exist_ok=True)
        (base / "local").mkdir(parents=True, exist_ok=True)
        cores = spec["workers"] * spec["slots"]
        return self._java(machine, [
            "-Xmx256m", *self._daemon_options(), "org.apache.spark.deploy.worker.Worker", "--host", machine,
            "--port", "7078", "--webui-port", "8081", "--cores", cores, "--memory", f"{4 * spec['workers']}g",
            "-d", base / "work", MASTER], f"worker-{machine}")

    def submit(self):
        """Starts the driver; its stdout is a pipe of progress lines."""
        conf = []
        for key, value in self.settings().items():
            conf += ["--conf", f"{key}={value}"]
        args = [f"{k}={v}" for k, v in self.spec["args"].items()]
        return self._java("m0", [
            "-Xmx700m", *self.jvm, *tools.JAVA17, "org.apache.spark.deploy.SparkSubmit",
            "--master", MASTER, *conf, "--class", self.spec["main"], "/tmp/lab/lab.jar",
            self.spec["workload"], *args], "driver", stdout=subprocess.PIPE, text=True)

    def settings(self):
        """The Spark properties of the run: the lab's own, then what the matrix says."""
        spec = self.spec
        s = {
            "spark.executor.cores": spec["slots"],
            "spark.executor.memory": "512m",
            "spark.driver.memory": "700m",
            "spark.executor.extraJavaOptions": " ".join(self.jvm),
            "spark.lab.executors": spec["machines"] * spec["workers"],
            "spark.ui.enabled": "false",
            "spark.locality.wait": "0s",
            "spark.executor.heartbeatInterval": "4s",
            "spark.network.timeout": "20s",
            "spark.network.timeoutInterval": "5s",
            "spark.shuffle.io.maxRetries": "1",
            "spark.shuffle.io.retryWait": "1s",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": "file:///tmp/lab/run/events",
            "spark.eventLog.logBlockUpdates.enabled": str(spec["block_updates"]).lower(),
            "spark.eventLog.rolling.enabled": str(spec["rolling"]).lower(),
            "spark.eventLog.compress": str(spec["codec"] != "none").lower(),
        }
        if spec["codec"] != "none":
            s["spark.eventLog.compression.codec"] = spec["codec"]
        if spec["rolling"]:
            s["spark.eventLog.rolling.maxFileSize"] = "10m"  # the least that Spark allows
        s.update(spec["settings"])
        return s

    def executors(self):
        """Live executors: (machine, executor id, pid)."""
        found = []
        for m in self.machines:
            for pid in net.pids(m):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as f:
                        words = f.read().decode().split("\0")
                except OSError:
                    continue
                if "--executor-id" in words:
                    found.append((m, words[words.index("--executor-id") + 1], pid))
        return sorted(found, key=lambda e: int(e[1]))

    def daemon_pid(self, machine, main):
        """The process on a machine whose main class ends in `main`."""
        for pid in net.pids(machine):
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                if any(w.endswith(main) for w in f.read().decode().split("\0")):
                    return pid
        return None

    def stop(self):
        net.cleanup()
        for p in self.processes:
            p.wait()

    def _daemon_options(self):
        options = dict(self.spec["daemon_settings"])
        options.setdefault("spark.worker.timeout", 15)
        return [*self.jvm, *tools.JAVA17, *(f"-D{k}={v}" for k, v in options.items())]

    def _java(self, machine, args, name, **kwargs):
        """Starts a JVM on a machine, under the machine's host name."""
        env = {
            "PATH": os.environ["PATH"], "HOME": "/root", "LANG": "C.UTF-8",
            "SPARK_HOME": self.home, "SPARK_CONF_DIR": tools.CONF, "SPARK_LOCAL_HOSTNAME": machine,
            "SPARK_LOCAL_DIRS": tools.RUN / machine / "local", "SPARK_WORKER_DIR": tools.RUN / machine / "work",
            "SPARK_SCALA_VERSION": tools.scala(self.spec["spark"]),
        }
        command = net.inside(machine, "unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"',
                             machine, "java", "-cp", tools.class_path(self.spec["spark"]), *args)
        logs = tools.RUN / "logs"
        logs.mkdir(exist_ok=True)
        log = open(logs / f"{name}-{time.time_ns() // 1000000}.log", "wb")
        kwargs.setdefault("stdout", log)
        p = subprocess.Popen(command, env={k: str(v) for k, v in env.items()}, cwd=tools.LAB,
                             stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, **kwargs)
        self.processes.append(p)
        return p
