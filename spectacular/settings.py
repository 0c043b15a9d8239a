"""Settings, all from the environment (README.md has the table) and safe when nothing is set."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONE, SELF
from django.contrib.messages import constants as message_levels
from django.core.exceptions import ImproperlyConfigured

from spectacular.env import StrictEnv
from spectacular.secret import kept_secret

django_stubs_ext.monkeypatch()
env = StrictEnv()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("SPECTACULAR_DATA", default=str(BASE_DIR / ".data"))).expanduser().resolve()

DEBUG = env.bool("DEBUG", default=False)
# Browsers come by HTTPS; `up`, which serves plain HTTP at home, says that they do not.
HTTPS = env.bool("HTTPS", default=not DEBUG)
# How many proxies of our own stand in front; none means that X-Forwarded-* is not believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)

try:
    # Read plainly: a key may begin with a dollar sign, which `env` takes for a reference.
    SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(DATA_DIR)
except OSError as error:
    raise ImproperlyConfigured(
        f"cannot use the data folder {DATA_DIR} ({error.strerror}): "
        "name one that can be written, as in SPECTACULAR_DATA=/a/folder"
    ) from error

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "spectacular",
    "accounts",
    "ratings",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "spectacular.language.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "spectacular.urls"
ASGI_APPLICATION = "spectacular.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.preferences",
            ],
        },
    }
]


# Database


def _database() -> dict[str, Any]:
    if not env.str("DATABASE_URL", default=""):
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA_DIR / "db.sqlite3",
            "OPTIONS": {
                # Readers never wait for a writer, and writers queue from their first statement on.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
            },
        }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it would warn of is refused below
        database: dict[str, Any] = env.db_url("DATABASE_URL")
    if not database.get("ENGINE"):
        raise ImproperlyConfigured(
            "DATABASE_URL names no kind of database: it reads like postgres://user@host:5432/name"
        )
    if database["ENGINE"] == "django.db.backends.postgresql":
        # CONN_MAX_AGE leaks connections under ASGI; a small pool gives back what 0 costs.
        pool = {"min_size": 1, "max_size": env.int("DATABASE_POOL", default=8), "timeout": 10}
        database |= {
            "CONN_MAX_AGE": 0,
            # A connection that died in the pool is noticed there, not by the next move.
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {**database.get("OPTIONS", {}), "pool": pool},
        }
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


# Redis: the channel layer, the task queue, and the cache that counts attempts

REDIS_URL = env.str("REDIS_URL", default="")
# Parts that share a Redis database and must not hear each other get prefixes of their own.
REDIS_PREFIX = env.str("REDIS_PREFIX", default="spectacular")
REDIS_ADDRESS = REDIS_URL or "redis://127.0.0.1:6379/0"

# How far apart, in seconds, the beats of a web process may be before it no longer measures time.
SERVICE_TOLERANCE = env.float("SERVICE_TOLERANCE", default=5.0)

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_ADDRESS}], "prefix": REDIS_PREFIX},
    }
}

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

CELERY_BROKER_URL = (
    f"redis+socket://{urlsplit(REDIS_ADDRESS).path}"
    if REDIS_ADDRESS.startswith("unix:")
    else REDIS_ADDRESS
)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": f"{REDIS_PREFIX}:celery:",
    "socket_connect_timeout": 2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Threads share the database pool, start quickly, and wait for mail servers at no cost.
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = 4
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SEND_TASK_EVENTS = False
# The schedule is all seconds and minutes: nothing of it is worth a file.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 1
CELERY_BEAT_SCHEDULE = {
    # A tick that comes late is worthless: the next one looks at the same rows.
    "sweep": {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"expires": 1.0}},
}


# Accounts

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
_validators = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_validators}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_validators}.MinimumLengthValidator"},
    {"NAME": f"{_validators}.CommonPasswordValidator"},
    {"NAME": f"{_validators}.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
# Asking for a new password tells nobody, and mails nobody else, whether an address plays here.
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES


# Mail: to the log while no server is named (EMAIL_URL=smtp+tls://user:password@host:587)

DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Spectacular Bid <noreply@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_BACKEND = "spectacular.mail.LogBackend"
if env.str("EMAIL_URL", default=""):
    vars().update(env.email_url("EMAIL_URL"))
    MAIL_DELIVERY_BACKEND = EMAIL_BACKEND
    EMAIL_BACKEND = "spectacular.mail.QueuedBackend"
EMAIL_TIMEOUT = 10


# Whoever shows it may read /metrics; without one, whoever asks from this machine itself.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")


# Languages and time

LANGUAGE_CODE = "en"
# Each in its own words, whatever language the page is in.
LANGUAGES = [
    ("en", "English"),
    ("id", "Bahasa Indonesia"),
    ("it", "Italiano"),
    ("es", "Español"),
]
LOCALE_PATHS = [BASE_DIR / "spectacular" / "locale"]
# Days and times as the site writes them: the hours count to 24 in every language.
FORMAT_MODULE_PATH = ["spectacular.formats"]
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600  # browsers keep none for longer
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
TIME_ZONE = "UTC"
USE_TZ = True


# Static files

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA_DIR / "static")))
# `up` and a deployment collect them; under DEBUG they are served from where they lie.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "spectacular.staticfiles.HashedStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG


# What a browser is told

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=30 * 24 * 3600 if HTTPS else 0)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Subdomains and the preload list concern more than this site: not ours to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
MESSAGE_LEVEL = message_levels.INFO


# Logs: one line each on standard error, without addresses, names or request bodies

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"},
    },
    "filters": {"brief": {"()": "spectacular.logs.Brief"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": sys.stderr},
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # Django's own handlers would say everything twice.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # Anybody can send a wrong Host; a line says all there is to say.
        "django.security.DisallowedHost": {"filters": ["brief"]},
        # Sixty sweeps a minute are not worth a line each.
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        # Daphne tells where it listens; `up` and the unit file know that.
        "daphne": {"level": "WARNING"},
    },
}
