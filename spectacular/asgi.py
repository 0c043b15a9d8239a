"""The ASGI application. It knows nothing of the server that carries it."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spectacular.settings")
http = get_asgi_application()  # sets Django up, so what follows may import models

from games.routing import websocket_urlpatterns  # noqa: E402
from spectacular.origin import OwnOrigin  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": OwnOrigin(URLRouter(websocket_urlpatterns)),
    }
)
