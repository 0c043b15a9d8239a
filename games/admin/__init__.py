"""What staff see of matches, where what happened is read-only and no hand of a live match is shown,
and what they do: end a match, annul a result, close a report, announce a restart."""

from . import matches, offers, reports, service

__all__ = ["matches", "offers", "reports", "service"]
