"""Performs the steps of calls with asyncio."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import httpx

from ._calls import Attempt, Current, Pause, Response, call, change_rounds, is_file, send
from ._feed import PAGE_SIZE, EventParser, Feed, FollowedRow
from ._generated import operations
from ._lists import AsyncDownload, AsyncPagedList, Page, page_of
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


class AsyncTransport(BaseTransport):
    def __init__(self, *, http_client: httpx.AsyncClient | None, **options: Any) -> None:
        super().__init__(**options)
        self._http = http_client or httpx.AsyncClient()

    async def close(self) -> None:
        await self._http.aclose()

    async def call(
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
        return await self._perform(call(self._settings, request, options))

    def list(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object],
        options: Options,
    ) -> AsyncPagedList[Any]:
        async def read(cursor: str | None) -> Page[Any]:
            filters = {**query, "cursor": cursor}
            return page_of(await self.call(operation, path=path, query=filters, options=options))

        return AsyncPagedList(read)

    async def file(
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
        response: Response = await self._perform(send(self._settings, request, options))
        return response.body

    async def download(
        self,
        operation: Operation,
        *,
        path: Sequence[str] = (),
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        media_types: Sequence[str],
        options: Options,
    ) -> AsyncDownload:
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
        response: Response = await self._perform(send(self._settings, request, options))
        return AsyncDownload(response.stream)

    async def update_with(
        self,
        read: Operation,
        write: Operation,
        id: str,
        change: Callable[[Any], Any],
        options: Options,
    ) -> Any:
        def read_steps() -> Generator[Any, Any, Any]:
            return call(self._settings, self.prepare(read, path=[id], options=options), options)

        def write_steps(fields: Mapping[str, object], etag: str | None) -> Generator[Any, Any, Any]:
            with_etag = replace(options, if_match=etag)
            request = self.prepare(write, path=[id], body=fields, options=with_etag)
            return call(self._settings, request, options)

        return await self._perform(change_rounds(read_steps, write_steps), change)

    async def follow(
        self,
        operation: Operation,
        *,
        query: Mapping[str, object],
        after: str,
        poll_interval: float,
        options: Options,
    ) -> AsyncIterator[FollowedRow[Any]]:
        feed = Feed(after, poll_interval, options.max_retries)
        while True:
            page = await self.call(
                operation,
                query={**query, "after": feed.cursor, "limit": PAGE_SIZE},
                options=replace(options, max_retries=feed.max_retries),
            )
            for row in feed.rows(page):
                yield row
            await asyncio.sleep(feed.pause)

    async def live(
        self, *, query: Mapping[str, object], after: str | None, silence: float, options: Options
    ) -> AsyncIterator[FollowedRow[Any]]:
        # Needed to resume if the first stream breaks before its first click.
        cursor = after if after is not None else await self._newest_cursor(query, options)
        options = replace(options, timeout=silence)
        while True:
            download = await self.download(
                operations.FOLLOW_LIVE_CLICKS,
                query=query,
                headers={"last-event-id": cursor},
                media_types=[EVENT_STREAM],
                options=options,
            )
            # After the first connection, temporary failures are retried forever.
            options = replace(options, max_retries=float("inf"))
            async for id, data in _events_of(download):
                yield FollowedRow(json.loads(data), id)
                cursor = id
            await asyncio.sleep(RECONNECT_PAUSE)

    async def _newest_cursor(self, query: Mapping[str, object], options: Options) -> str:
        newest = {"link_id": query.get("link_id"), "after": "latest"}
        page = await self.call(operations.LIST_CLICKS, query=newest, options=options)
        return cast(str, page["next_cursor"])

    async def _perform(
        self, steps: Generator[Any, Any, Any], change: Callable[[Any], Any] | None = None
    ) -> Any:
        try:
            step = next(steps)
            while True:
                try:
                    outcome = await self._outcome(step, change)
                except LinkServiceError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(outcome)
        except StopIteration as end:
            return end.value

    async def _outcome(
        self, step: Attempt | Pause | Current, change: Callable[[Any], Any] | None
    ) -> Any:
        if isinstance(step, Attempt):
            return await self._attempt(step)
        if isinstance(step, Pause):
            return await asyncio.sleep(step.seconds)
        assert change is not None
        changed = change(step.value)
        return await changed if inspect.isawaitable(changed) else changed

    async def _attempt(self, attempt: Attempt) -> Response:
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
            response = await self._http.send(sent, stream=True, follow_redirects=False)
            headers = lower_headers(response)
            if request.is_streamed and is_file(request, response.status_code, headers):
                return Response(response.status_code, headers, b"", response)
            try:
                await response.aread()
            finally:
                await response.aclose()
            return read_response(response)
        except httpx.RequestError as error:
            raise connection_error(error, self.base_url, attempt) from error


def _content_of(request: PreparedRequest) -> bytes | AsyncIterator[bytes] | None:
    body = request.body
    if not isinstance(body, Upload):
        return body
    return body.content if isinstance(body.content, bytes) else _chunks_of(body)


async def _chunks_of(upload: Upload) -> AsyncIterator[bytes]:
    for chunk in upload.chunks():
        yield chunk


async def _events_of(download: AsyncDownload) -> AsyncIterator[tuple[str, str]]:
    """Yields the events of one stream, and ends on a failure. The next stream delivers the rest."""
    parser = EventParser()
    try:
        async for chunk in download:
            for event in parser.feed(chunk):
                yield event
    except ConnectionError:
        return
    finally:
        await download.close()
