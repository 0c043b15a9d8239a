"""How mail leaves."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives, get_connection
from kombu.exceptions import OperationalError
from pytest_django import Settings

from spectacular.mail import deliver


def letter(backend: str) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(
        "Your password",
        "Follow this link: http://localhost/x",
        "house@example.com",
        ["ada@example.com"],
        headers={"X-Kind": "reset"},
        connection=get_connection(backend),
    )
    message.attach_alternative("<p>Follow this link</p>", "text/html")
    return message


def test_without_a_server_it_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert letter("spectacular.mail.LogBackend").send() == 1
    assert "To: ada@example.com" in caplog.text
    assert "http://localhost/x" in caplog.text


def test_with_one_the_worker_sends_it(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    queued: list[Any] = []
    monkeypatch.setattr(deliver, "apply_async", lambda args, **_: queued.append(json.dumps(args)))
    settings.MAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert letter("spectacular.mail.QueuedBackend").send() == 1
    assert mail.outbox == []

    deliver(*json.loads(queued[0]))
    [sent] = mail.outbox
    assert (sent.subject, sent.to, sent.from_email) == (
        "Your password",
        ["ada@example.com"],
        "house@example.com",
    )
    assert sent.extra_headers == {"X-Kind": "reset"}
    assert isinstance(sent, EmailMultiAlternatives)
    assert [tuple(each) for each in sent.alternatives] == [("<p>Follow this link</p>", "text/html")]


def test_a_queue_out_of_reach_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_args: Any, **_options: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(deliver, "apply_async", fail)
    assert letter("spectacular.mail.QueuedBackend").send() == 0
    assert "could not be queued" in caplog.text
    assert "ada@example.com" not in caplog.text
