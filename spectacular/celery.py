"""The task queue: ``celery -A spectacular worker`` and ``celery -A spectacular beat``."""

from __future__ import annotations

import logging.config
import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spectacular.settings")

# It warns of pickled messages to a worker run by root; ours are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning, module="celery.platforms")

app = Celery("spectacular")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect  # type: ignore[untyped-decorator]
def log_like_the_site(**_kwargs: Any) -> None:
    """Let the worker and the beat log as everything else does."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
