"""The project: settings, addresses, the web server, the task queue and the `up` command."""

from spectacular.celery import app as celery_app

__all__ = ["celery_app"]
