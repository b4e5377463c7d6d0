"""Decides which failures are temporary and how long to wait before a retry."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from .errors import ConnectionError, LinkServiceError

_FIRST_BACKOFF = 0.25
_MAX_BACKOFF = 8.0
_TEMPORARY_STATUSES = {408, 425}


@dataclass(frozen=True)
class Retry:
    """A retry that the client will send. `on_retry` receives it before the delay."""

    error: LinkServiceError
    wait: float
    """The delay in seconds."""
    tries: int
    """The number of attempts so far."""


@dataclass(frozen=True)
class RetryLimits:
    max_retries: float
    """With infinity, a Retry-After of any length is accepted."""
    max_retry_wait: float
    """The longest accepted Retry-After in seconds. A longer one is an error."""


def wait_before_retry(
    error: LinkServiceError, tries: int, is_repeatable: bool, limits: RetryLimits
) -> float | None:
    """Returns the delay in seconds, or None if a retry is useless, unsafe or over the limit."""
    if tries > limits.max_retries or not _may_retry(error, is_repeatable):
        return None
    backoff = min(_MAX_BACKOFF, _FIRST_BACKOFF * 2.0 ** min(tries - 1, 10))
    retry_after = error.retry_after or 0.0
    if retry_after > limits.max_retry_wait and limits.max_retries != math.inf:
        return None
    # Random jitter, so that clients which failed together do not retry together.
    return max(backoff * random.uniform(0.5, 1), retry_after * random.uniform(1, 1.1))


def _may_retry(error: LinkServiceError, is_repeatable: bool) -> bool:
    # A rate-limited call was not processed, so any call can be retried.
    if error.status == 429:
        return True
    if not is_repeatable:
        return False
    if error.code == "idempotency_in_progress":
        return True
    if error.status is None:
        return isinstance(error, ConnectionError)
    return error.status >= 500 or error.status in _TEMPORARY_STATUSES
