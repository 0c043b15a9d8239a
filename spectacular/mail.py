"""Ways for mail to leave: into the log, or through the task queue. Neither holds up a request."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


class LogBackend(BaseEmailBackend):
    """For a site without a mail server: whoever runs it finds the mails in its log."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            log.info("no mail server is set, so here is the mail:\n%s", message.message())
        return len(email_messages)


class QueuedBackend(BaseEmailBackend):
    """Hands every mail to the task queue, whose worker talks to the mail server."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return sum(self._queue(message) for message in email_messages)

    def _queue(self, message: EmailMessage) -> bool:
        try:
            deliver.apply_async([_packed(message)], retry=False)
        except OperationalError:
            if not self.fail_silently:
                log.exception("a mail could not be queued and is lost")
            return False
        return True


@shared_task(  # type: ignore[untyped-decorator]
    name="spectacular.mail.deliver",
    autoretry_for=(OSError,),
    retry_backoff=10,
    retry_backoff_max=600,
    max_retries=8,
)
def deliver(packed: dict[str, Any]) -> None:
    """Send one mail; a mail server that cannot be reached is tried again later."""
    alternatives = packed.pop("alternatives")
    message = EmailMultiAlternatives(
        **packed, connection=get_connection(settings.MAIL_DELIVERY_BACKEND)
    )
    for content, mimetype in alternatives:
        message.attach_alternative(content, mimetype)
    message.send()


def _packed(message: EmailMessage) -> dict[str, Any]:
    if message.attachments:
        raise ValueError("mails with attachments are not sent by this site")
    return {
        "subject": str(message.subject),
        "body": str(message.body),
        "from_email": message.from_email,
        "to": list(message.to),
        "cc": list(message.cc),
        "bcc": list(message.bcc),
        "reply_to": list(message.reply_to),
        "headers": dict(message.extra_headers),
        "alternatives": [list(pair) for pair in getattr(message, "alternatives", [])],
    }
