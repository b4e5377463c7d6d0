"""The state of feeds that never end. A consumer that resumes from its cursor misses no rows."""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")

PAGE_SIZE = 100
_FIRST_POLL = 0.5
# Separates the cursor of a page from the ID of the last handled row on that page.
_SEPARATOR = "~"


@dataclass(frozen=True)
class FollowedRow(Generic[T]):
    """An item of a feed."""

    item: T
    cursor: str
    """Store the cursor after handling the item, and pass it as `after` to the next run."""


class Feed:
    """Reads pages of the same size, so that a page contains the same rows again."""

    def __init__(self, after: str, poll_interval: float, max_retries: float | None) -> None:
        self.cursor, _, self._last = after.partition(_SEPARATOR)
        self.max_retries = max_retries
        self._poll_interval = poll_interval
        self._wait = _FIRST_POLL

    def rows(self, page: dict[str, Any]) -> Iterator[FollowedRow[Any]]:
        """Yields the new rows of a page. After it, `pause` is the delay before the next page."""
        # After the first page, temporary failures are retried forever.
        self.max_retries = math.inf
        rows = _rows_after(page["data"], self._last)
        for index, item in enumerate(rows):
            is_last = index == len(rows) - 1
            cursor = page["next_cursor"] if is_last else self.cursor + _SEPARATOR + item["id"]
            yield FollowedRow(item, cursor)
        self.cursor = page["next_cursor"]
        self._last = ""
        self._wait = _FIRST_POLL if rows else min(self._wait * 2, self._poll_interval)
        self.pause = 0.0 if page["has_more"] else min(self._wait, self._poll_interval)


def _rows_after(rows: list[dict[str, Any]], last: str) -> list[dict[str, Any]]:
    """Returns the rows after `last`, or all rows if retention has removed it: duplicates are
    better than a gap."""
    ids = [row["id"] for row in rows]
    return rows[ids.index(last) + 1 :] if last in ids else rows


class EventParser:
    """Parses server-sent events."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""

    def feed(self, chunk: bytes) -> list[tuple[str, str]]:
        """Returns the ID and data of each event that the chunk completes."""
        *blocks, self._text = (self._text + self._decoder.decode(chunk)).split("\n\n")
        fields = [(_field(block, "id"), _field(block, "data")) for block in blocks]
        return [(id, data) for id, data in fields if id is not None and data is not None]


def _field(block: str, name: str) -> str | None:
    match = re.search(f"^{name}: (.*)$", block, re.MULTILINE)
    return match[1] if match else None
