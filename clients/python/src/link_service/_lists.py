"""Paginated lists, and streamed files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx

from .errors import ConnectionError

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    data: list[T]
    has_more: bool
    next_cursor: str | None


def page_of(result: dict[str, Any]) -> Page[Any]:
    return Page(result["data"], result["has_more"], result["next_cursor"])


class PagedList(Generic[T]):
    """A paginated list. It sends no request before it is used."""

    def __init__(self, read: Callable[[str | None], Page[T]]) -> None:
        self._read = read

    def page(self, cursor: str | None = None) -> Page[T]:
        """Returns one page, by default the first."""
        return self._read(cursor)

    def pages(self) -> Iterator[Page[T]]:
        """Yields all pages."""
        page = self._read(None)
        yield page
        while page.next_cursor is not None:
            page = self._read(page.next_cursor)
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def to_list(self, limit: int | None = None) -> list[T]:
        """Returns all items, or the first `limit` items."""
        items: list[T] = []
        for page in self.pages():
            items += page.data
            if limit is not None and len(items) >= limit:
                break
        return items[:limit]


class AsyncPagedList(Generic[T]):
    """A paginated list. It sends no request before it is used."""

    def __init__(self, read: Callable[[str | None], Awaitable[Page[T]]]) -> None:
        self._read = read

    async def page(self, cursor: str | None = None) -> Page[T]:
        """Returns one page, by default the first."""
        return await self._read(cursor)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Yields all pages."""
        page = await self._read(None)
        yield page
        while page.next_cursor is not None:
            page = await self._read(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def to_list(self, limit: int | None = None) -> list[T]:
        """Returns all items, or the first `limit` items."""
        items: list[T] = []
        async for page in self.pages():
            items += page.data
            if limit is not None and len(items) >= limit:
                break
        return items[:limit]


def broken_stream() -> ConnectionError:
    # An incomplete file must never be mistaken for a complete one.
    message = "The connection broke before the response was complete."
    return ConnectionError(message, code="connection_failed")


class Download:
    """A file that is read while it arrives. Iterating to the end closes the connection."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._response.iter_bytes()
        except httpx.TransportError as error:
            raise broken_stream() from error
        finally:
            self._response.close()

    def read(self) -> bytes:
        """Returns the whole file."""
        return b"".join(self)

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class AsyncDownload:
    """A file that is read while it arrives. Iterating to the end closes the connection."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except httpx.TransportError as error:
            raise broken_stream() from error
        finally:
            await self._response.aclose()

    async def read(self) -> bytes:
        """Returns the whole file."""
        return b"".join([chunk async for chunk in self])

    async def close(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()
