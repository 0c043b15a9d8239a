"""What this process counts, for Prometheus; nothing here names a player or a match."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]

_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # s

ACCEPTED = Counter("spectacular_commands_accepted", "Commands accepted, by what they do.", ["do"])
REFUSED = Counter("spectacular_commands_refused", "Frames refused, by code.", ["code"])
ARRIVAL_TO_COMMIT = Histogram(
    "spectacular_arrival_to_commit_seconds",
    "From the arrival of a command's frame to the commit of what it brought about.",
    buckets=_BUCKETS,
)
COMMIT_TO_SEND = Histogram(
    "spectacular_commit_to_send_seconds",
    "From a commit to its rendered news being handed to the sockets of one audience.",
    buckets=_BUCKETS,
)
SOCKETS = Gauge("spectacular_sockets", "Sockets at a match, of this process.")
