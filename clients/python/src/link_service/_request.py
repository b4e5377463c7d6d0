"""Prepares the HTTP request of a call, and rejects invalid IDs and tokens."""

from __future__ import annotations

import enum
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import IO, Any
from urllib.parse import quote, urlencode, urlsplit


class Unset(enum.Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"


UNSET = Unset.UNSET
"""The default of optional fields: the field is not sent. `None` sends null."""

JSON = "application/json"


@dataclass(frozen=True)
class Options:
    """Options of one call. None stands for the setting of the client."""

    timeout: float | None = None
    max_retries: float | None = None
    idempotency_key: str | None = None
    if_match: str | None = None


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    id: str
    method: str
    path: str
    has_key: bool = False
    """Whether calls send an idempotency key."""


@dataclass(frozen=True)
class Upload:
    """A body that is sent unchanged. A file is read again for each attempt."""

    content: bytes | IO[bytes]
    start: int = 0

    @property
    def can_resend(self) -> bool:
        return isinstance(self.content, bytes) or self.content.seekable()

    def chunks(self) -> Iterator[bytes]:
        if isinstance(self.content, bytes):
            yield self.content
            return
        if self.content.seekable():
            self.content.seek(self.start)
        while chunk := self.content.read(65_536):
            yield chunk


@dataclass(frozen=True)
class PreparedRequest:
    """The request that all attempts of a call send, with one idempotency key."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | Upload | None
    is_repeatable: bool
    """Whether a retry has no additional effect."""
    can_resend: bool
    """Whether the body can be sent again. A file that cannot seek can be read only once."""
    media_types: Sequence[str] = field(default=())
    """The accepted types of a file. Empty for JSON."""
    is_streamed: bool = False


def prepare_request(
    base_url: str,
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
    sent = {"accept": ", ".join(media_types) or JSON}
    content: bytes | Upload | None = None
    if isinstance(body, Upload):
        content = body
    elif body is not None:
        sent["content-type"] = JSON
        content = json.dumps(_given(body), default=_to_json, ensure_ascii=False).encode()
    if options.idempotency_key is not None:
        sent["idempotency-key"] = options.idempotency_key
    elif operation.has_key:
        sent["idempotency-key"] = secrets.token_hex(16)
    if options.if_match is not None:
        sent["if-match"] = options.if_match
    sent.update(headers or {})
    return PreparedRequest(
        method=operation.method,
        url=base_url + _fill_path(operation, path) + _query_text(query or {}),
        headers=sent,
        body=content,
        is_repeatable=operation.method != "POST" or "idempotency-key" in sent,
        can_resend=not isinstance(content, Upload) or content.can_resend,
        media_types=media_types,
        is_streamed=is_streamed,
    )


def given_body(body: Mapping[str, object]) -> Mapping[str, object] | None:
    """Returns the given fields of an optional body, or None if there are none."""
    return _given(body) or None


def upload_of(file: str | bytes | IO[bytes]) -> Upload:
    if isinstance(file, str):
        return Upload(file.encode())
    if isinstance(file, bytes):
        return Upload(file)
    return Upload(file, file.tell() if file.seekable() else 0)


def upload_type(media_type: str | None, format: str | None) -> str:
    if media_type is not None:
        return media_type
    return "application/x-ndjson" if format == "ndjson" else "text/csv"


def normalize_base_url(text: str) -> str:
    """Removes a trailing slash and `/v1`, because the service prints its URL with `/v1`."""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url must be an absolute URL such as https://links.example/api.")
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("base_url must not contain a user name, password, query or fragment.")
    return re.sub(r"/v1$", "", text.rstrip("/"))


def validate_token(token: str) -> str:
    """Validates the token here, because the error of httpx would contain the token."""
    if isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token):
        return token
    raise ValueError("The token is empty or contains invalid characters.")


def _fill_path(operation: Operation, values: Sequence[str]) -> str:
    remaining = iter(values)

    def fill(match: re.Match[str]) -> str:
        value = next(remaining)
        # An empty value would select the whole list. Dot segments change the path.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{operation.id} needs {match[1]} as a non-empty string.")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, operation.path)


def _query_text(query: Mapping[str, object]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None or value is UNSET:
            continue
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        for each in value if is_list else [value]:  # type: ignore[attr-defined]
            pairs.append((name, _to_text(each)))
    return f"?{urlencode(pairs)}" if pairs else ""


def _to_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _to_json(value) if isinstance(value, (date, datetime)) else str(value)


def _given(body: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if value is not UNSET}


def _to_json(value: Any) -> str:
    if isinstance(value, datetime):
        # A time without a zone is local time, as everywhere in datetime.
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")
