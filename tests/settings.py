"""The site's own settings, with what a test run must keep to itself.

Each worker of a run has a data folder, a key, a database and, unless ``REDIS_URL`` names one, a
Redis of its own. The database is a file even on SQLite, so that threads and other processes see
the same rows.
"""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path

_folder = Path(tempfile.mkdtemp(prefix="spectacular-tests-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["SPECTACULAR_DATA"] = str(_folder)
os.environ["SECRET_KEY"] = secrets.token_urlsafe(64)
os.environ["DEBUG"] = "off"
os.environ["HTTPS"] = "off"
os.environ["REDIS_PREFIX"] = f"tests-{os.getpid()}"
for _name in (
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "EMAIL_URL",
    "METRICS_TOKEN",
    "TRUSTED_PROXIES",
):
    os.environ.pop(_name, None)

# The workers of a run inherit this environment: each of them has a Redis of its own then.
OWN_REDIS = "TESTS_OWN_REDIS" in os.environ or not os.environ.get("REDIS_URL")
if OWN_REDIS:
    os.environ["TESTS_OWN_REDIS"] = "yes"
    os.environ["REDIS_URL"] = f"unix://{_folder}/redis.sock"

from spectacular.settings import *  # noqa: E402, F403
from spectacular.settings import DATA_DIR, DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # The name the site itself would use, so that the programs a test starts find it.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "db.sqlite3"}
elif _worker := os.environ.get("PYTEST_XDIST_WORKER"):
    DATABASES["default"]["TEST"] = {"NAME": f"test_{DATABASES['default']['NAME']}_{_worker}"}
PASSWORD_HASHERS = ["tests.hashers.Quick"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# Pages are tested without collecting static files first.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
