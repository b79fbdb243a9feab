"""What the lab needs: Spark from the Python package index, and the compiled workloads.

All paths that a run can see (and that so end up in an event log) are under
/tmp/lab, whatever machine and folder the lab itself stands in.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LAB = Path("/tmp/lab")
RUN = LAB / "run"
CONF = LAB / "empty"  # Spark's configuration directory; all settings are given one by one
LOG4J_FILE = LAB / "log4j2.properties"
TOOLS = Path(os.environ.get("LAB_TOOLS", Path.home() / ".cache" / "tracereplay-lab"))

# Light JVMs: fourteen of them start on two cores.
SMALL_JVM = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k", "-XX:-UsePerfData"]

# What Spark's own launcher adds for Java 17 when it starts a driver.
JAVA17 = ["-XX:+IgnoreUnrecognizedVMOptions", "-Djdk.reflect.useDirectMethodHandle=false"] + [
    f"--add-opens={p}=ALL-UNNAMED" for p in (
        "java.base/java.lang java.base/java.lang.invoke java.base/java.lang.reflect java.base/java.io "
        "java.base/java.net java.base/java.nio java.base/java.util java.base/java.util.concurrent "
        "java.base/java.util.concurrent.atomic java.base/jdk.internal.ref java.base/sun.nio.ch "
        "java.base/sun.nio.cs java.base/sun.security.action java.base/sun.util.calendar "
        "java.security.jgss/sun.security.krb5").split()]

LOG4J = """\
rootLogger.level = warn
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n
"""


def missing():
    """Why the lab cannot run here, or an empty string."""
    if sys.version_info < (3, 11):
        return "Python 3.11 is needed (tomllib)"
    if not sys.platform.startswith("linux"):
        return "network namespaces need Linux"
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool, package in (("java", "a Java 17 runtime"), ("ip", "iproute2"), ("ss", "iproute2"),
                          ("unshare", "util-linux")):
        if shutil.which(tool) is None:
            return f"{tool} is not installed ({package})"
    test = "trlab-test"
    made = subprocess.run(["ip", "netns", "add", test], capture_output=True, text=True)
    if made.returncode != 0:
        return "a network namespace cannot be made: " + made.stderr.strip()
    subprocess.run(["ip", "netns", "delete", test], capture_output=True)
    return ""


def spark_home(version):
    """The unpacked Spark of that version, installed with pip when it is not there yet."""
    home = LAB / f"spark-{version}"
    env = TOOLS / f"venv-{version}"
    package = _package(env)
    if package is None:
        print(f"lab: installing pyspark {version} into {env}", flush=True)
        venv.create(env, with_pip=True, clear=True)
        subprocess.run([env / "bin" / "pip", "install", "-q", f"pyspark=={version}"], check=True)
        package = _package(env)
        if package is None:
            sys.exit(f"lab: pyspark {version} did not install into {env}")
    LAB.mkdir(parents=True, exist_ok=True)
    if home.is_symlink():
        home.unlink()
    home.symlink_to(package)
    return home


def installed(version):
    return _package(TOOLS / f"venv-{version}") is not None


def _package(env):
    found = list(env.glob("lib/python3*/site-packages/pyspark/jars/spark-core_*.jar"))
    return found[0].parent.parent if found else None


def workload_jar(version):
    """The workloads compiled against that Spark, by the compiler among its own jars."""
    home = spark_home(version)
    sources = sorted(HERE.glob("*.scala"))
    digest = hashlib.sha256(b"".join(s.read_bytes() for s in sources)).hexdigest()[:12]
    jar = LAB / f"workloads-{version}-{digest}.jar"
    if not jar.exists():
        part = jar.with_suffix(".part.jar")
        subprocess.run(["java", "-cp", f"{home}/jars/*", "scala.tools.nsc.Main", "-usejavacp",
                        "-nowarn", "-d", part, *sources], check=True)
        part.rename(jar)
    shutil.copyfile(jar, LAB / "lab.jar")
    return LAB / "lab.jar"


def write_conf():
    CONF.mkdir(parents=True, exist_ok=True)
    LOG4J_FILE.write_text(LOG4J)


def class_path(version):
    """The same for every process, so that all can share one class archive."""
    return f"{CONF}/:{LAB}/spark-{version}/jars/*"


def jvm(version, archive):
    """JVM flags of every process. A class archive takes a third off the time that a start costs."""
    shared = [f"-XX:SharedArchiveFile={class_archive(version)}"] if archive else []
    return [*SMALL_JVM, f"-Dlog4j2.configurationFile={LOG4J_FILE}", *shared]


def class_archive(version):
    """Spark's classes as a JVM keeps them, dumped at the end of a short local run."""
    jsa = LAB / f"spark-{version}.jsa"
    if not jsa.exists():
        home, jar = spark_home(version), workload_jar(version)
        write_conf()
        part = jsa.with_suffix(".part")
        subprocess.run(
            ["java", f"-XX:ArchiveClassesAtExit={part}", "-cp", class_path(version), *SMALL_JVM, *JAVA17,
             "org.apache.spark.deploy.SparkSubmit", "--master", "local[2]", "--conf", "spark.ui.enabled=false",
             "--conf", "spark.lab.executors=0", "--class", "lab.Main", jar,
             "linear", "parts=8", "rounds=2", "ms=10", "warm=0"],
            check=True, capture_output=True, cwd=LAB,
            env={"PATH": os.environ["PATH"], "SPARK_HOME": str(home), "SPARK_CONF_DIR": str(CONF),
                 "SPARK_SCALA_VERSION": scala(version)})
        part.rename(jsa)
    return jsa


def scala(version):
    return "2.12" if version.startswith("3.") else "2.13"
