"""What the sync and the async transport share: the options of the client, and the conversion
between httpx and the steps of calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import httpx

from ._calls import Attempt, CallSettings, Response
from ._generated.operations import API_VERSION
from ._request import (
    Operation,
    Options,
    PreparedRequest,
    Upload,
    normalize_base_url,
    prepare_request,
    validate_token,
)
from ._retry import Retry, RetryLimits
from .errors import ConnectionError, TimeoutError

DEFAULT_BASE_URL = "http://localhost:3000/api"
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_RETRIES = 3
DEFAULT_MAX_RETRY_WAIT = 60.0
EVENT_STREAM = "text/event-stream"
# The delay before reconnecting, which prevents a busy loop.
RECONNECT_PAUSE = 0.5

Token = str | Callable[[], str] | None


class BaseTransport:
    def __init__(
        self,
        *,
        base_url: str,
        token: Token,
        timeout: float | None,
        max_retries: float,
        max_retry_wait: float,
        on_retry: Callable[[Retry], None] | None,
        user_agent: str | None,
    ) -> None:
        self.base_url = normalize_base_url(base_url)
        self._token = validate_token(token) if isinstance(token, str) else token
        self._settings = CallSettings(timeout, RetryLimits(max_retries, max_retry_wait), on_retry)
        self._user_agent = user_agent or f"link-service-client-python/{API_VERSION}"

    def prepare(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | Upload | None = None,
        headers: Mapping[str, str] | None = None,
        media_types: Sequence[str] = (),
        is_streamed: bool = False,
        options: Options,
    ) -> PreparedRequest:
        return prepare_request(
            self.base_url,
            operation,
            path=path,
            query=query,
            body=body,
            headers=headers,
            media_types=media_types,
            is_streamed=is_streamed,
            options=options,
        )

    def headers_of(self, request: PreparedRequest) -> dict[str, str]:
        headers = {"user-agent": self._user_agent, **request.headers}
        token = self._token() if callable(self._token) else self._token
        if token is not None:
            headers["authorization"] = f"Bearer {validate_token(token)}"
        return headers


def timeout_of(attempt: Attempt) -> httpx.Timeout:
    is_limited = attempt.timeout is not None and attempt.timeout < math.inf
    return httpx.Timeout(attempt.timeout if is_limited else None)


def lower_headers(response: httpx.Response) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def read_response(response: httpx.Response) -> Response:
    return Response(response.status_code, lower_headers(response), response.content)


def connection_error(
    error: httpx.RequestError, base_url: str, attempt: Attempt
) -> ConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError(f"No response within {attempt.timeout} seconds.", code="timeout")
    message = f"The service at {base_url} could not be reached: {error}"
    return ConnectionError(message, code="connection_failed")
