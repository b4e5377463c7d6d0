"""Verifies webhook deliveries according to Standard Webhooks, version 1."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypedDict, cast

from ._generated.types import WebhookEvent

VerificationCode = Literal[
    "missing_header",
    "timestamp_out_of_tolerance",
    "signature_mismatch",
    "not_an_event",
    "not_a_batch",
]

_DEFAULT_TOLERANCE = 300
# A webhook signs with at most two secrets. Ignore excess signatures, which would only cost time.
_MAX_SIGNATURES = 8


class Headers(Protocol):
    """The headers of a request in any framework. Upper and lower case are equal."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class EventBatch(TypedDict):
    """The body of a delivery to a webhook with batches.

    Each event also has `sequence`, the number that `webhook-sequence` has without batches. It is
    None for a test.
    """

    batch_id: str
    events: list[WebhookEvent]


class WebhookVerificationError(Exception):
    """The delivery is not authentic, or its timestamp is out of tolerance.

    Respond with 400 and do nothing.
    """

    def __init__(self, code: VerificationCode, message: str) -> None:
        super().__init__(message)
        self.code: VerificationCode = code


def verify_webhook(
    body: bytes | str,
    headers: Headers | Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = _DEFAULT_TOLERANCE,
) -> WebhookEvent:
    """Verifies a delivery and returns its event.

    Args:
        body: The raw body, not the parsed one.
        headers: The headers of the request.
        secrets: The secret of the webhook. During a rotation, pass both secrets.
        tolerance: The maximum difference between the timestamp and the local clock, in seconds.

    Raises:
        WebhookVerificationError: The delivery is not authentic.
    """
    event = _verify_body(body, headers, secrets, tolerance)
    if not _is_event(event):
        raise WebhookVerificationError("not_an_event", "The signed body is not an event.")
    return cast(WebhookEvent, event)


def verify_webhook_batch(
    body: bytes | str,
    headers: Headers | Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = _DEFAULT_TOLERANCE,
) -> EventBatch:
    """Like `verify_webhook`, for a webhook with batches. Returns all events of the delivery."""
    batch = _verify_body(body, headers, secrets, tolerance)
    if not _is_batch(batch):
        raise WebhookVerificationError("not_a_batch", "The signed body is not a batch of events.")
    return cast(EventBatch, batch)


def _verify_body(
    body: bytes | str,
    headers: Headers | Mapping[str, str],
    secrets: str | Sequence[str],
    tolerance: float,
) -> Any:
    """Verifies a delivery and returns its parsed body. Returns None if the body is not JSON."""
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise ValueError("verify_webhook needs the secret of the webhook.")
    if not tolerance >= 0:
        raise ValueError("tolerance must be a number of seconds, at least 0.")
    raw = body.encode() if isinstance(body, str) else bytes(body)

    lower = {name.lower(): value for name, value in headers.items()}
    event_id = _required(lower, "webhook-id")
    timestamp = _required(lower, "webhook-timestamp")
    signatures = _parse_signatures(_required(lower, "webhook-signature"))
    is_number = re.fullmatch(r"[0-9]{1,12}", timestamp)
    if not is_number or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError(
            "timestamp_out_of_tolerance",
            f"The timestamp is more than {tolerance} seconds away from the local clock.",
        )
    signed = f"{event_id}.{timestamp}.".encode() + raw
    if not any(_is_signed(signed, signatures, key) for key in keys):
        raise WebhookVerificationError(
            "signature_mismatch",
            "No signature matches. The secret is wrong, or the body is not the raw body.",
        )
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _is_signed(signed: bytes, signatures: list[bytes], secret: str) -> bool:
    expected = hmac.new(_decode_key(secret), signed, hashlib.sha256).digest()
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


def _decode_key(secret: str) -> bytes:
    """Returns the decoded base64 after `whsec_`, otherwise the UTF-8 bytes of the secret."""
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else ""
    return _decode_base64(encoded) or secret.encode()


def _decode_base64(encoded: str) -> bytes | None:
    """Decodes canonical base64 with padding. Returns None for any other text."""
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if decoded and base64.b64encode(decoded).decode() == encoded else None


def _parse_signatures(header: str) -> list[bytes]:
    parts = [part for part in header.split(" ")[:_MAX_SIGNATURES] if part.startswith("v1,")]
    decoded = [_decode_base64(part[len("v1,") :]) for part in parts]
    return [signature for signature in decoded if signature is not None]


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value:
        return value
    raise WebhookVerificationError("missing_header", f"The header {name} is missing.")


def _is_event(event: Any) -> bool:
    if not isinstance(event, dict):
        return False
    return isinstance(event.get("id"), str) and isinstance(event.get("type"), str)


def _is_batch(batch: Any) -> bool:
    if not isinstance(batch, dict) or not isinstance(batch.get("batch_id"), str):
        return False
    events = batch.get("events")
    return isinstance(events, list) and all(_is_event(event) for event in events)


class SequenceGaps:
    """Finds missing deliveries of a webhook by their sequence numbers.

    Create one for each webhook, because each webhook has its own numbers. The state is kept in
    memory. Call `note` after handling the event. `after` is the last number of an earlier run;
    without it, counting starts at the first noted number.
    """

    def __init__(self, *, after: int | None = None) -> None:
        self._first = None if after is None else after + 1
        self._next = self._first
        self._ranges: list[tuple[int, int]] = []

    def note(self, delivery: int | Headers | Mapping[str, str]) -> bool:
        """Records a delivery. Returns False only for a number that was noted before.

        Returns True for tests, which have no number, and for numbers before the first one, which
        are not tracked.
        """
        number = delivery if isinstance(delivery, int) else _sequence_of(delivery)
        if number < 1:
            return True
        if self._first is None or self._next is None:
            self._first = self._next = number
        if number < self._first:
            return True
        if number < self._next:
            return self._fill(number)
        if number > self._next:
            self._ranges.append((self._next, number - 1))
        self._next = number + 1
        return True

    @property
    def missing(self) -> list[tuple[int, int]]:
        """The missing numbers as inclusive ranges. They are in transit, are waiting for a retry, or
        have failed."""
        return list(self._ranges)

    def _fill(self, number: int) -> bool:
        """Returns False for a number that was noted before."""
        for index, (first, last) in enumerate(self._ranges):
            if first <= number <= last:
                parts = [(first, number - 1), (number + 1, last)]
                self._ranges[index : index + 1] = [part for part in parts if part[0] <= part[1]]
                return True
        return False


def _sequence_of(headers: Headers | Mapping[str, str]) -> int:
    for name, value in headers.items():
        if name.lower() == "webhook-sequence" and re.fullmatch(r"[0-9]{1,15}", value):
            return int(value)
    return 0
