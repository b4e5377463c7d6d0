"""Uploads and downloads files, and follows live clicks, with the sync and the async client."""

import asyncio
import io
import json
import os
import sys
import time
from datetime import datetime, timedelta, timezone

from link_service import (
    AsyncLinkService,
    ConnectionError,
    LinkService,
    LinkServiceError,
    NotFoundError,
    etag_of,
)

link_id = sys.argv[1]
url = os.environ["LINK_SERVICE_URL"]
token = os.environ["LINK_SERVICE_TOKEN"]
ROWS = b"url,slug\nhttps://example.com/file,%s\nnot-a-url,\n"


def sync_calls() -> None:
    asked = []

    def read_token() -> str:
        asked.append(True)
        return token

    with LinkService(base_url=f"{url}/v1/", token=read_token) as client:
        started = client.imports.create(io.BytesIO(ROWS % b"from-file"))
        while client.imports.get(started["id"])["status"] in ("waiting", "running"):
            time.sleep(0.05)
        report = client.imports.report(started["id"]).read()
        assert json.loads(report)["line"] == 3, report
        assert client.imports.report(started["id"], media_type="text/csv").read()[:5] == b"line,"
        assert client.links.get_by_slug("from-file")["url"] == "https://example.com/file"
        with client.links.export(format="ndjson") as export:
            slugs = [json.loads(line)["slug"] for line in export.read().splitlines()]
        assert "from-file" in slugs, slugs
        assert client.links.qr(link_id, format="png")[:4] == b"\x89PNG"
        try:
            client.links.export(tag="x" * 51)
            raise AssertionError("The export was not refused.")
        except LinkServiceError as error:
            assert error.status == 400 and error.errors[0]["parameter"] == "tag", vars(error)

        row = next(iter(client.clicks.live(link_id=link_id, after="")))
        assert row.item["link_id"] == link_id, row
        assert next(iter(client.clicks.follow(link_id=link_id))).item == row.item
        expires_at = datetime.now(timezone.utc) + timedelta(days=1)
        expiring = client.links.update(link_id, expires_at=expires_at, title=None)
        assert expiring["expires_at"] and etag_of(expiring), expiring
        for without_etag in [client.links.list().to_list(1)[0], {**expiring}]:
            try:
                etag_of(without_etag)
                raise AssertionError("The object has an entity tag.")
            except ValueError as error:
                assert str(error).startswith("This object has no entity tag."), error
        # Each call has its own idempotency key.
        created = [client.links.create(url="https://example.com/")["id"] for _ in range(2)]
        assert created[0] != created[1], created
        assert len(asked) > 10

    # Nothing listens on this port.
    with LinkService(base_url="http://127.0.0.1:1/api", max_retries=0) as away:
        try:
            away.tokens.self()
            raise AssertionError("The call succeeded.")
        except ConnectionError as error:
            assert "http://127.0.0.1:1/api could not be reached: " in str(error), error


async def async_calls() -> None:
    async with AsyncLinkService(base_url=url, token=token) as client:
        started = await client.imports.create(io.BytesIO(ROWS % b"from-async"))
        while (await client.imports.get(started["id"]))["status"] in ("waiting", "running"):
            await asyncio.sleep(0.05)
        report = await client.imports.report(started["id"])
        assert json.loads(await report.read())["line"] == 3
        async with await client.links.export(format="csv") as export:
            text = b"".join([chunk async for chunk in export])
        assert b"from-async" in text, text
        assert (await client.links.qr(link_id)).startswith(b"<")

        async for row in client.clicks.live(link_id=link_id, after=""):
            assert row.item["link_id"] == link_id, row
            break

        async def wait_for_clicks() -> None:
            async for row in client.clicks.follow(after="latest"):
                raise AssertionError(row)

        waiting = asyncio.create_task(wait_for_clicks())
        # The feed never ends, so the task is still waiting.
        assert await asyncio.wait([waiting], timeout=0.2) == (set(), {waiting})
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled(), waiting

        async def add_tag(link):
            await asyncio.sleep(0)
            return {"tags": [*link["tags"], "async"]}

        assert "async" in (await client.links.update_with(link_id, add_tag))["tags"]
        try:
            await client.links.get("lnk_none")
            raise AssertionError("The link was found.")
        except NotFoundError as error:
            assert error.request_id and error.code == "not_found", vars(error)


sync_calls()
asyncio.run(async_calls())
