"""Performs the steps of calls with blocking I/O."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import httpx

from ._calls import Attempt, Current, Pause, Response, call, change_rounds, is_file, send
from ._feed import PAGE_SIZE, EventParser, Feed, FollowedRow
from ._generated import operations
from ._lists import Download, Page, PagedList, page_of
from ._request import Operation, Options, PreparedRequest, Upload
from ._transport import (
    EVENT_STREAM,
    RECONNECT_PAUSE,
    BaseTransport,
    connection_error,
    lower_headers,
    read_response,
    timeout_of,
)
from .errors import ConnectionError, LinkServiceError


class Transport(BaseTransport):
    def __init__(self, *, http_client: httpx.Client | None, **options: Any) -> None:
        super().__init__(**options)
        self._http = http_client or httpx.Client()

    def close(self) -> None:
        self._http.close()

    def call(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | Upload | None = None,
        headers: Mapping[str, str] | None = None,
        options: Options,
    ) -> Any:
        request = self.prepare(
            operation, path=path, query=query, body=body, headers=headers, options=options
        )
        return self._perform(call(self._settings, request, options))

    def list(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object],
        options: Options,
    ) -> PagedList[Any]:
        def read(cursor: str | None) -> Page[Any]:
            filters = {**query, "cursor": cursor}
            return page_of(self.call(operation, path=path, query=filters, options=options))

        return PagedList(read)

    def file(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object] | None = None,
        media_types: Sequence[str],
        options: Options,
    ) -> bytes:
        """Returns a small file, such as an image."""
        request = self.prepare(
            operation, path=path, query=query, media_types=media_types, options=options
        )
        response: Response = self._perform(send(self._settings, request, options))
        return response.body

    def download(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        media_types: Sequence[str],
        options: Options,
    ) -> Download:
        """Returns a file as a stream. Retries end with the response headers."""
        request = self.prepare(
            operation,
            path=path,
            query=query,
            headers=headers,
            media_types=media_types,
            is_streamed=True,
            options=options,
        )
        response: Response = self._perform(send(self._settings, request, options))
        return Download(response.stream)

    def update_with(
        self,
        read: Operation,
        write: Operation,
        id: str,
        change: Callable[[Any], Mapping[str, object] | None],
        options: Options,
    ) -> Any:
        def read_steps() -> Generator[Any, Any, Any]:
            return call(self._settings, self.prepare(read, path=[id], options=options), options)

        def write_steps(fields: Mapping[str, object], etag: str | None) -> Generator[Any, Any, Any]:
            with_etag = replace(options, if_match=etag)
            request = self.prepare(write, path=[id], body=fields, options=with_etag)
            return call(self._settings, request, options)

        return self._perform(change_rounds(read_steps, write_steps), change)

    def follow(
        self,
        operation: Operation,
        *,
        query: Mapping[str, object],
        after: str,
        poll_interval: float,
        options: Options,
    ) -> Iterator[FollowedRow[Any]]:
        feed = Feed(after, poll_interval, options.max_retries)
        while True:
            page = self.call(
                operation,
                query={**query, "after": feed.cursor, "limit": PAGE_SIZE},
                options=replace(options, max_retries=feed.max_retries),
            )
            yield from feed.rows(page)
            time.sleep(feed.pause)

    def live(
        self, *, query: Mapping[str, object], after: str | None, silence: float, options: Options
    ) -> Iterator[FollowedRow[Any]]:
        # Needed to resume if the first stream breaks before its first click.
        cursor = after if after is not None else self._newest_cursor(query, options)
        options = replace(options, timeout=silence)
        while True:
            download = self.download(
                operations.FOLLOW_LIVE_CLICKS,
                query=query,
                headers={"last-event-id": cursor},
                media_types=[EVENT_STREAM],
                options=options,
            )
            # After the first connection, temporary failures are retried forever.
            options = replace(options, max_retries=float("inf"))
            for id, data in _events_of(download):
                yield FollowedRow(json.loads(data), id)
                cursor = id
            time.sleep(RECONNECT_PAUSE)

    def _newest_cursor(self, query: Mapping[str, object], options: Options) -> str:
        newest = {"link_id": query.get("link_id"), "after": "latest"}
        page = self.call(operations.LIST_CLICKS, query=newest, options=options)
        return cast(str, page["next_cursor"])

    def _perform(
        self, steps: Generator[Any, Any, Any], change: Callable[[Any], Any] | None = None
    ) -> Any:
        try:
            step = next(steps)
            while True:
                try:
                    outcome = self._outcome(step, change)
                except LinkServiceError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(outcome)
        except StopIteration as end:
            return end.value

    def _outcome(self, step: Attempt | Pause | Current, change: Callable[[Any], Any] | None) -> Any:
        if isinstance(step, Attempt):
            return self._attempt(step)
        if isinstance(step, Pause):
            return time.sleep(step.seconds)
        assert change is not None
        return change(step.value)

    def _attempt(self, attempt: Attempt) -> Response:
        request = attempt.request
        sent = self._http.build_request(
            request.method,
            request.url,
            headers=self.headers_of(request),
            content=_content_of(request),
            timeout=timeout_of(attempt),
        )
        try:
            # The API never redirects. Do not send the token to another server.
            response = self._http.send(sent, stream=True, follow_redirects=False)
            headers = lower_headers(response)
            if request.is_streamed and is_file(request, response.status_code, headers):
                return Response(response.status_code, headers, b"", response)
            try:
                response.read()
            finally:
                response.close()
            return read_response(response)
        except httpx.RequestError as error:
            raise connection_error(error, self.base_url, attempt) from error


def _content_of(request: PreparedRequest) -> bytes | Iterator[bytes] | None:
    body = request.body
    if not isinstance(body, Upload):
        return body
    return body.content if isinstance(body.content, bytes) else body.chunks()


def _events_of(download: Download) -> Iterator[tuple[str, str]]:
    """Yields the events of one stream, and ends on a failure. The next stream delivers the rest."""
    parser = EventParser()
    try:
        for chunk in download:
            yield from parser.feed(chunk)
    except ConnectionError:
        return
    finally:
        download.close()
