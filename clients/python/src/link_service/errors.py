"""The errors of calls. They do not contain the request, so they cannot leak a token."""

from __future__ import annotations

import builtins
import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from ._generated.types import InputError


class LinkServiceError(Exception):
    """The base class of all errors of this client."""

    code: str
    """A stable code for programs, such as `not_found`, `conflict` or `connection_failed`."""
    status: int | None
    """The HTTP status, or None without a response."""
    request_id: str | None
    """Identifies the request in the log of the service."""
    errors: list[InputError]
    """Every invalid field, parameter or header, with a `code` such as `taken`."""
    problem: dict[str, Any]
    """All fields of the response, such as `required` and `granted` of `insufficient_scope`."""
    retry_after: float | None
    """The delay in seconds that the service requested in `Retry-After`."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        errors: list[InputError] | None = None,
        problem: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.errors = errors or []
        self.problem = problem or {}
        self.retry_after = retry_after


class ValidationError(LinkServiceError):
    """400, 413, 415, 422: the request is invalid. `errors` lists every invalid input."""


class UnauthorizedError(LinkServiceError):
    """401: the token is missing, unknown, expired or revoked."""


class ForbiddenError(LinkServiceError):
    """403: the token lacks a scope. `problem["required"]` names the scopes."""


class NotFoundError(LinkServiceError):
    """404"""


class ConflictError(LinkServiceError):
    """409: a slug or external ID is taken (`errors[0]["code"]` is `taken`), or the state does not
    allow the call."""


class PreconditionFailedError(LinkServiceError):
    """412: the object has changed since the version in `if_match`."""


class RateLimitedError(LinkServiceError):
    """429"""


class ServerError(LinkServiceError):
    """5xx"""


class ConnectionError(LinkServiceError, builtins.ConnectionError):
    """No connection, or a broken one. The service may have processed the request."""


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No response within the time limit."""


_classes: dict[int, type[LinkServiceError]] = {
    400: ValidationError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitedError,
}


def error_from_response(status: int, headers: Mapping[str, str], body: bytes) -> LinkServiceError:
    """Returns the error of a response. `headers` have lower-case names.

    The code is `unexpected_answer` if the response does not come from the API.
    """
    problem = _parse_problem(body)
    request_id = headers.get("x-request-id")
    retry_after = _parse_retry_after(headers.get("retry-after"))
    kind = ServerError if status >= 500 else _classes.get(status, LinkServiceError)
    if problem is None:
        # Only the API sends a code. A 404 without a code comes from something else.
        if kind not in (ServerError, RateLimitedError):
            kind = LinkServiceError
        return kind(
            f"The response with status {status} does not come from the Link Service API.",
            code="unexpected_answer",
            status=status,
            request_id=request_id,
            retry_after=retry_after,
        )
    errors = problem.get("errors")
    return kind(
        _message(problem),
        code=problem["code"],
        status=status,
        request_id=request_id,
        errors=errors if isinstance(errors, list) else [],
        problem=problem,
        retry_after=retry_after,
    )


def _message(problem: dict[str, Any]) -> str:
    """Returns the message of the service, or one line per error if there are several."""
    errors = problem.get("errors")
    if not isinstance(errors, list) or len(errors) < 2:
        return str(problem.get("detail") or problem["code"])
    lines = [str(problem.get("title") or problem["code"])]
    for error in errors:
        place = error.get("pointer") or error.get("parameter") or error.get("header")
        lines.append(f"{place}: {error.get('detail')}")
    return "\n  ".join(lines)


def _parse_problem(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("code"), str) else None


def _parse_retry_after(text: str | None) -> float | None:
    """Parses seconds or a date. Returns None for anything else."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
