"""Settings as an environment makes them."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

PRODUCTION = {
    "SECRET_KEY": "$" + "a1b2c3d4e5" * 7,
    "ALLOWED_HOSTS": "bid.example",
    "DATABASE_URL": "postgres://someone:secret@db.example:5433/bid?sslmode=require",
    "REDIS_URL": "redis://redis.example:6380/2",
    "EMAIL_URL": "smtp+tls://someone:secret@mail.example:587",
    "TRUSTED_PROXIES": "1",
}
SHOW = """
import json, sys, django
from django.conf import settings
django.setup()
json.dump({name: getattr(settings, name, None) for name in sys.argv[1:]}, sys.stdout, default=str)
"""


def run(*words: str, data: Path, **env: str) -> str:
    """Run Python on the site's settings with ``env`` and nothing else; return what it says."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "spectacular.settings",
            "SPECTACULAR_DATA": str(data),
            **env,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def shown(*names: str, data: Path, **env: str) -> Any:
    return json.loads(run("-c", SHOW, *names, data=data, **env))


def test_nothing_set_is_safe(tmp_path: Path) -> None:
    names = ["DEBUG", "SECRET_KEY", "SESSION_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "EMAIL_BACKEND"]
    one = shown(*names, "ALLOWED_HOSTS", "DATABASES", data=tmp_path)
    assert not one["DEBUG"]
    assert one["SESSION_COOKIE_SECURE"]
    assert one["SECURE_SSL_REDIRECT"]
    assert one["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert one["EMAIL_BACKEND"] == "spectacular.mail.LogBackend"
    options = one["DATABASES"]["default"]["OPTIONS"]
    assert (options["transaction_mode"], options["timeout"]) == ("IMMEDIATE", 20)

    # The key is made once, and for nobody else's eyes.
    key = tmp_path / "secret-key"
    assert shown("SECRET_KEY", data=tmp_path)["SECRET_KEY"] == one["SECRET_KEY"] == key.read_text()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_production(tmp_path: Path) -> None:
    names = ["SECRET_KEY", "DATABASES", "CHANNEL_LAYERS", "CELERY_BROKER_URL", "EMAIL_HOST"]
    one = shown(*names, "EMAIL_BACKEND", "MAIL_DELIVERY_BACKEND", data=tmp_path, **PRODUCTION)
    assert one["SECRET_KEY"] == PRODUCTION["SECRET_KEY"]
    database = one["DATABASES"]["default"]
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "bid")
    assert database["CONN_MAX_AGE"] == 0
    assert database["OPTIONS"]["pool"]["max_size"] == 8
    assert database["OPTIONS"]["sslmode"] == "require"
    layer = one["CHANNEL_LAYERS"]["default"]
    assert layer["BACKEND"] == "channels_redis.pubsub.RedisPubSubChannelLayer"
    assert layer["CONFIG"]["hosts"] == [{"address": PRODUCTION["REDIS_URL"]}]
    assert one["CELERY_BROKER_URL"] == PRODUCTION["REDIS_URL"]
    assert one["EMAIL_BACKEND"] == "spectacular.mail.QueuedBackend"
    assert one["MAIL_DELIVERY_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert one["EMAIL_HOST"] == "mail.example"


def test_deployment_check_finds_nothing(tmp_path: Path) -> None:
    words = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    assert "no issues" in run(*words, data=tmp_path, **PRODUCTION)


def test_pages_are_strict(client: Client) -> None:
    headers = client.get("/healthz").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


def test_a_database_url_that_names_none_is_one_clear_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "SPECTACULAR_DATA": str(tmp_path),
            "DATABASE_URL": "nonsense",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "DATABASE_URL" in line


@pytest.mark.django_db
def test_a_wrong_host_is_one_line_in_the_log(caplog: Any) -> None:
    answer = Client().get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    told = [r for r in caplog.records if r.name == "django.security.DisallowedHost"]
    assert [record.exc_info for record in told] == [None]
