"""The logic of calls without I/O. A call is a generator that yields the steps which the sync and
the async transport perform, and receives their outcomes."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ._request import Options, PreparedRequest
from ._retry import Retry, RetryLimits, wait_before_retry
from .errors import (
    LinkServiceError,
    NotFoundError,
    PreconditionFailedError,
    error_from_response,
)

T = TypeVar("T")
_MAX_ROUNDS = 5


@dataclass(frozen=True)
class Attempt:
    """Send the request once. The outcome is a `Response`, or an error without a response."""

    request: PreparedRequest
    timeout: float | None


@dataclass(frozen=True)
class Pause:
    """Wait for some seconds."""

    seconds: float


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """The names are in lower case."""
    body: bytes
    stream: Any = None
    """The open response of httpx, if the request is streamed and the service returned a file."""


Step = Attempt | Pause
Steps = Generator[Step, Any, T]


class Versioned(dict[str, Any]):
    """An object of the API, with the ETag of its response."""

    etag: str | None = None


def etag_of(result: Mapping[str, Any]) -> str:
    """Returns the entity tag of an object that a call returned, for `if_match`.

    Raises:
        ValueError: The object has no entity tag. Objects in lists and copies have none.
    """
    etag = result.etag if isinstance(result, Versioned) else None
    if etag is None:
        raise ValueError("This object has no entity tag. Get it first: objects in lists have none.")
    return etag


@dataclass(frozen=True)
class CallSettings:
    timeout: float | None
    limits: RetryLimits
    on_retry: Callable[[Retry], None] | None


def send(settings: CallSettings, request: PreparedRequest, options: Options) -> Steps[Response]:
    """Sends a request with retries."""
    limits = settings.limits
    if options.max_retries is not None:
        limits = RetryLimits(options.max_retries, limits.max_retry_wait)
    timeout = settings.timeout if options.timeout is None else options.timeout
    # The first error of an attempt that the service may have processed.
    ambiguous: LinkServiceError | None = None
    tries = 0
    while True:
        tries += 1
        try:
            response: Response = yield Attempt(request, timeout)
            error = _error_of(request, response)
        except LinkServiceError as failure:
            error = failure
        if error is None:
            return response
        # An earlier attempt deleted the object, but its response was lost.
        is_deletion = request.method == "DELETE"
        if is_deletion and ambiguous is not None and _is_gone(request, error):
            return Response(204, {}, b"")
        # The conflicting change may be this call's own earlier attempt.
        if ambiguous is not None and isinstance(error, PreconditionFailedError):
            raise ambiguous
        wait = None
        if request.can_resend:
            wait = wait_before_retry(error, tries, request.is_repeatable, limits)
        if wait is None:
            raise error
        if error.status != 429:
            ambiguous = ambiguous or error
        if settings.on_retry is not None:
            settings.on_retry(Retry(error, wait, tries))
        yield Pause(wait)


def _is_gone(request: PreparedRequest, error: LinkServiceError) -> bool:
    """Returns whether the object is gone. A token that revoked itself gets `token_revoked`."""
    is_own_token = request.url.endswith("/v1/auth/token/self")
    return isinstance(error, NotFoundError) or (is_own_token and error.code == "token_revoked")


def call(settings: CallSettings, request: PreparedRequest, options: Options) -> Steps[Any]:
    """Sends a request and returns its JSON, or None for an empty response."""
    response = yield from send(settings, request, options)
    if response.body == b"":
        return None
    try:
        result = json.loads(response.body)
    except ValueError:
        result = None
    if not isinstance(result, dict):
        raise error_from_response(response.status, response.headers, response.body)
    versioned = Versioned(result)
    versioned.etag = response.headers.get("etag")
    return versioned


@dataclass(frozen=True)
class Current:
    """Compute the change of this object. The outcome is the fields to update."""

    value: Any


def change_rounds(
    read: Callable[[], Steps[Any]], write: Callable[[Any, str], Steps[Any]]
) -> Generator[Step | Current, Any, Any]:
    """Updates without lost changes: read, compute the change, write if the object is unchanged,
    otherwise start again."""
    for round_number in range(1, _MAX_ROUNDS + 1):
        current = yield from read()
        fields = yield Current(current)
        if not fields:
            return current
        try:
            return (yield from write(fields, etag_of(current)))
        except PreconditionFailedError:
            if round_number == _MAX_ROUNDS:
                raise
    raise AssertionError("unreachable")


def media_type_of(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").split(";")[0].strip().lower()


def is_file(request: PreparedRequest, status: int, headers: Mapping[str, str]) -> bool:
    """Rejects other media types, such as the HTML page of a proxy with status 200."""
    return 200 <= status < 300 and media_type_of(headers) in request.media_types


def _error_of(request: PreparedRequest, response: Response) -> LinkServiceError | None:
    is_success = 200 <= response.status < 300
    if request.media_types:
        is_success = is_file(request, response.status, response.headers)
    if is_success:
        return None
    return error_from_response(response.status, response.headers, response.body)
