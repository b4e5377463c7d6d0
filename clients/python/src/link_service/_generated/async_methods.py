# Generated from openapi.json by scripts/client-python.js.
"""The methods of the async client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import IO, Literal

from .. import _async as transport
from .._feed import FollowedRow
from .._lists import AsyncDownload, AsyncPagedList
from .._request import UNSET, Options, Unset, given_body, upload_of, upload_type
from . import operations, types

AsyncTransport = transport.AsyncTransport


class LinksMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(
        self,
        *,
        limit: int | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        q: str | None = None,
        tag: str | None = None,
        external_id: str | None = None,
        enabled: bool | None = None,
        sort: types.LinkSort | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Link]:
        """List links.

        Lists links, newest first by default. Filters are combined with AND.

        Requires the scope `links:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            q: Text to search for in the slug, URL and title, ignoring case. Beyond the first
                10,000 links of the list, a single letter matches only at the start of a word,
                and punctuation alone, such as `--`, has no matches.
            tag: Returns only links with this tag.
            external_id: Returns only the link with this external ID.
            enabled: Returns only enabled (`true`) or only disabled (`false`) links.
            sort: Sort order. Default: `-created_at`, newest first.
        """
        return self._api.list(
            operations.LIST_LINKS,
            query={
                "limit": limit,
                "created_after": created_after,
                "created_before": created_before,
                "q": q,
                "tag": tag,
                "external_id": external_id,
                "enabled": enabled,
                "sort": sort,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def create(
        self,
        *,
        url: str,
        title: str | None | Unset = UNSET,
        note: str | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        redirect_status: Literal[301, 302, 307, 308] | Unset = UNSET,
        forward_query: bool | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        expires_at: str | datetime | None | Unset = UNSET,
        tags: Sequence[str] | None | Unset = UNSET,
        expires_in: str | None | Unset = UNSET,
        slug: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Create a link.

        Creates a link. Only `url` is required. The link works immediately.

        Requires the scope `links:write`.

        Args:
            url: Destination URL: http or https, at most 8,192 characters when percent-encoded.
            title: Display title of the link.
            note: Internal note. Visitors never see it.
            external_id: Your own ID for the link, unique in the workspace.
            redirect_status: HTTP status of the redirect. Default: 302.
            forward_query: Whether the visitor's query is added to the destination. Default:
                false.
            enabled: A disabled link responds with 410. Default: true.
            expires_at: Time the link expires. An expired link responds with 410.
            tags: Tags of the link, at most 20. Duplicates are merged.
            expires_in: Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot
                be combined with `expires_at`.
            slug: Path of the short link. Default: a generated slug of seven characters.
        """
        result: types.Link = await self._api.call(
            operations.CREATE_LINK,
            body={
                "url": url,
                "title": title,
                "note": note,
                "external_id": external_id,
                "redirect_status": redirect_status,
                "forward_query": forward_query,
                "enabled": enabled,
                "expires_at": expires_at,
                "tags": tags,
                "expires_in": expires_in,
                "slug": slug,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Get a link.

        Returns a link with its click counts.

        Requires the scope `links:read`.

        Args:
            id: ID of the link.
        """
        result: types.Link = await self._api.call(
            operations.GET_LINK,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def update(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        title: str | None | Unset = UNSET,
        note: str | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        redirect_status: Literal[301, 302, 307, 308] | Unset = UNSET,
        forward_query: bool | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        expires_at: str | datetime | None | Unset = UNSET,
        tags: Sequence[str] | None | Unset = UNSET,
        expires_in: str | None | Unset = UNSET,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Update a link.

        Updates a link with a JSON merge patch: absent fields stay unchanged, and `null` clears
        a field. The slug cannot be changed. Redirects reflect the change within a second.

        Requires the scope `links:write`.

        Args:
            id: ID of the link.
            url: Destination URL: http or https, at most 8,192 characters when percent-encoded.
            title: Display title of the link.
            note: Internal note. Visitors never see it.
            external_id: Your own ID for the link, unique in the workspace.
            redirect_status: HTTP status of the redirect. Default: 302.
            forward_query: Whether the visitor's query is added to the destination. Default:
                false.
            enabled: A disabled link responds with 410. Default: true.
            expires_at: Time the link expires. An expired link responds with 410.
            tags: Tags of the link, at most 20. Duplicates are merged.
            expires_in: Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot
                be combined with `expires_at`.
        """
        result: types.Link = await self._api.call(
            operations.UPDATE_LINK,
            path=[id],
            body={
                "url": url,
                "title": title,
                "note": note,
                "external_id": external_id,
                "redirect_status": redirect_status,
                "forward_query": forward_query,
                "enabled": enabled,
                "expires_at": expires_at,
                "tags": tags,
                "expires_in": expires_in,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Delete a link.

        Deletes a link. The short link responds with 410, and the slug is never reused.

        Requires the scope `links:write`.

        Args:
            id: ID of the link.
        """
        await self._api.call(
            operations.DELETE_LINK,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )

    async def get_by_slug(
        self,
        slug: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Get a link by slug.

        Returns a link.

        Requires the scope `links:read`.

        Args:
            slug: Slug of the link.
        """
        result: types.Link = await self._api.call(
            operations.GET_LINK_BY_SLUG,
            path=[slug],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def put_by_external_id(
        self,
        external_id: str,
        *,
        url: str,
        title: str | None | Unset = UNSET,
        note: str | None | Unset = UNSET,
        redirect_status: Literal[301, 302, 307, 308] | Unset = UNSET,
        forward_query: bool | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        expires_at: str | datetime | None | Unset = UNSET,
        tags: Sequence[str] | None | Unset = UNSET,
        expires_in: str | None | Unset = UNSET,
        slug: str | Unset = UNSET,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Create or replace a link by external ID.

        Creates a link with this external ID, or replaces all fields of the existing link:
        absent fields are reset to their defaults. An existing link keeps its slug, and a
        different `slug` is an error. Safe to repeat.

        Requires the scope `links:write`.

        Args:
            external_id: Your own ID for the link.
            url: Destination URL: http or https, at most 8,192 characters when percent-encoded.
            title: Display title of the link.
            note: Internal note. Visitors never see it.
            redirect_status: HTTP status of the redirect. Default: 302.
            forward_query: Whether the visitor's query is added to the destination. Default:
                false.
            enabled: A disabled link responds with 410. Default: true.
            expires_at: Time the link expires. An expired link responds with 410.
            tags: Tags of the link, at most 20. Duplicates are merged.
            expires_in: Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot
                be combined with `expires_at`.
            slug: Path of the short link. Default: a generated slug of seven characters.
        """
        result: types.Link = await self._api.call(
            operations.PUT_LINK_BY_EXTERNAL_ID,
            path=[external_id],
            body={
                "url": url,
                "title": title,
                "note": note,
                "redirect_status": redirect_status,
                "forward_query": forward_query,
                "enabled": enabled,
                "expires_at": expires_at,
                "tags": tags,
                "expires_in": expires_in,
                "slug": slug,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )
        return result

    async def create_many(
        self,
        *,
        links: Sequence[types.CreateLink],
        atomic: bool | Unset = UNSET,
        on_conflict: types.ConflictMode | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.BulkReport:
        """Create links in bulk.

        Creates up to 1,000 links. The rules and events are those of `POST /v1/links`. Each link
        is also checked against the links before it in the list.

        Requires the scope `links:write`.

        Args:
            links: Links to create, processed in this order. Each has the fields of a single
                create request.
            atomic: Whether to change nothing if one item fails. `true`: all items succeed, or
                the response lists every error. `false`: items are processed independently, and
                the result of each failed item contains its error. Default: true.
            on_conflict: How to handle a slug or external ID that already exists in the
                workspace. `fail` reports an error, `skip` leaves the existing link unchanged,
                and `update` updates it with the given fields. A slug that is used in another
                workspace, or was used by a deleted link, is always an error. Default: `fail`.
        """
        result: types.BulkReport = await self._api.call(
            operations.CREATE_LINKS,
            body={
                "atomic": atomic,
                "links": links,
                "on_conflict": on_conflict,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def update_many(
        self,
        *,
        ids: Sequence[str],
        atomic: bool | Unset = UNSET,
        patch: types.UpdateLink | Unset = UNSET,
        add_tags: Sequence[str] | Unset = UNSET,
        remove_tags: Sequence[str] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.BulkReport:
        """Update links in bulk.

        Updates up to 1,000 links by ID: applies the patch, removes tags, then adds tags. An
        unknown ID is reported as an error.

        Requires the scope `links:write`.

        Args:
            ids: IDs of the links.
            atomic: Whether to change nothing if one item fails. `true`: all items succeed, or
                the response lists every error. `false`: items are processed independently, and
                the result of each failed item contains its error. Default: true.
            patch: Changes to apply to each link, as in `PATCH /v1/links/:id`.
            add_tags: Tags to add to each link.
            remove_tags: Tags to remove from each link.
        """
        result: types.BulkReport = await self._api.call(
            operations.UPDATE_LINKS,
            body={
                "atomic": atomic,
                "ids": ids,
                "patch": patch,
                "add_tags": add_tags,
                "remove_tags": remove_tags,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def delete_many(
        self,
        *,
        ids: Sequence[str],
        atomic: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.BulkReport:
        """Delete links in bulk.

        Deletes up to 1,000 links by ID. Their slugs respond with 410 and are never reused.

        Requires the scope `links:write`.

        Args:
            ids: IDs of the links.
            atomic: Whether to change nothing if one item fails. `true`: all items succeed, or
                the response lists every error. `false`: items are processed independently, and
                the result of each failed item contains its error. Default: true.
        """
        result: types.BulkReport = await self._api.call(
            operations.DELETE_LINKS,
            body={
                "atomic": atomic,
                "ids": ids,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def resolve(
        self,
        slug: str,
        *,
        at: str | datetime | None = None,
        query: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Resolution:
        """Preview a redirect.

        Returns what a visitor would get, now or at a given time, without recording a click.

        Requires the scope `links:read`.

        Args:
            slug: Path of the short link.
            at: Time of the visit, which decides whether the link has expired. All other fields
                of the link have their current values. Default: now.
            query: Query string of the visit, without the question mark.
        """
        result: types.Resolution = await self._api.call(
            operations.RESOLVE_SLUG,
            query={
                "slug": slug,
                "at": at,
                "query": query,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def qr(
        self,
        id: str,
        *,
        format: types.QrFormat | None = None,
        size: int | None = None,
        margin: int | None = None,
        level: types.QrLevel | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> bytes:
        """Get a QR code.

        Returns a QR code of the short URL. The URL in the code has the parameter `qr=1`, so
        that scans are recorded with the source `qr`. The parameter is not forwarded to the
        destination.

        Requires the scope `links:read`.

        Args:
            id: ID of the link.
            format: Image format. Default: `svg`.
            size: Width and height in pixels. Default: 512.
            margin: Width of the white margin in modules. Scanners expect 4. Default: 4.
            level: Error correction level. Default: `M`.
        """
        return await self._api.file(
            operations.GET_LINK_QR,
            path=[id],
            query={
                "format": format,
                "size": size,
                "margin": margin,
                "level": level,
            },
            media_types=["image/svg+xml", "image/png"],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    def history(
        self,
        id: str,
        *,
        limit: int | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.LinkChange]:
        """List a link's history.

        Lists the changes to a link, newest first, and who made them. Deleted links are
        included.

        Requires the scope `links:read`.

        Args:
            id: ID of the link.
            limit: Maximum number of items per page. Default: 20.
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
        """
        return self._api.list(
            operations.LIST_LINK_HISTORY,
            path=[id],
            query={
                "limit": limit,
                "created_after": created_after,
                "created_before": created_before,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def explain(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        webhook_id: str | None = None,
        type: types.EventType | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.SubjectExplanation:
        """Explain the deliveries of a link.

        Explains the deliveries of the latest event of a link, optionally of one `type`, for one
        webhook or for all. Deleted links are included. If there is no event, `reason` and
        `sentence` explain why.

        Requires the scope `events:read`.

        Args:
            id: ID of the link.
            limit: Maximum number of items per page. Default: 20.
            cursor: The `next_cursor` of the previous page. All other parameters must stay the
                same.
            webhook_id: ID of a webhook, even a deleted one. Default: all webhooks of the
                workspace.
            type: Explains the latest event of this type. Default: the latest event of any type.
        """
        result: types.SubjectExplanation = await self._api.call(
            operations.EXPLAIN_LINK,
            path=[id],
            query={
                "limit": limit,
                "cursor": cursor,
                "webhook_id": webhook_id,
                "type": type,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    def clicks(
        self,
        id: str,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Click]:
        """List a link's clicks.

        Lists the clicks of a link, newest first.

        Requires the scope `clicks:read`.

        Args:
            id: ID of the link.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_LINK_CLICKS,
            path=[id],
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def analytics(
        self,
        id: str,
        *,
        country: str | Sequence[str] | None = None,
        region: str | Sequence[str] | None = None,
        city: str | Sequence[str] | None = None,
        referrer_host: str | Sequence[str] | None = None,
        browser: str | Sequence[str] | None = None,
        os: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        language: str | Sequence[str] | None = None,
        utm_source: str | Sequence[str] | None = None,
        utm_medium: str | Sequence[str] | None = None,
        utm_campaign: str | Sequence[str] | None = None,
        utm_term: str | Sequence[str] | None = None,
        utm_content: str | Sequence[str] | None = None,
        source: Literal["link", "qr", ""] | Sequence[Literal["link", "qr", ""]] | None = None,
        interval: types.AnalyticsInterval | None = None,
        start: str | None = None,
        end: str | None = None,
        timezone: str | None = None,
        granularity: types.AnalyticsGranularity | None = None,
        compare: types.AnalyticsComparison | None = None,
        sort: types.AnalyticsSort | None = None,
        limit: int | None = None,
        group_by: types.LinkAnalyticsGroup | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Analytics:
        """Get link analytics.

        Returns click counts for a link. With `interval=all`, `totals` equals the `clicks` of
        the link.

        Requires the scope `clicks:read`.

        Args:
            id: ID of the link.
            country: Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to
                match any of several values.
            region: Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any
                of several values.
            city: English name of the city. Repeat the parameter to match any of several values.
            referrer_host: Host of the referring page. Repeat the parameter to match any of
                several values.
            browser: Name of the browser. Repeat the parameter to match any of several values.
            os: Name of the operating system. Repeat the parameter to match any of several
                values.
            device: Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the
                parameter to match any of several values.
            language: Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to
                match any of several values.
            utm_source: Value of `utm_source`. Repeat the parameter to match any of several
                values.
            utm_medium: Value of `utm_medium`. Repeat the parameter to match any of several
                values.
            utm_campaign: Value of `utm_campaign`. Repeat the parameter to match any of several
                values.
            utm_term: Value of `utm_term`. Repeat the parameter to match any of several values.
            utm_content: Value of `utm_content`. Repeat the parameter to match any of several
                values.
            source: Source of the click: the link (`link`) or its QR code (`qr`). Repeat the
                parameter to match any of several values.
            interval: Range up to now, in whole hours, days or months of the time zone,
                including the current one. Cannot be combined with `start` and `end`. Default:
                `30d`.
            start: Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`.
            end: End of the range, exclusive. A date means 00:00 in `timezone`.
            timezone: IANA time zone that defines days, weeks and months. Default: UTC.
            granularity: Time between two points, with `group_by=time`. Default: the granularity
                that gives 24 to 120 points.
            compare: With `previous`, the response includes the totals of the previous period of
                the same length.
            sort: Order of the groups. Default: `-clicks`.
            limit: Maximum number of rows, from 1 to 1000. The first rows in the order of `sort`
                are returned. Default: 100.
            group_by: Dimension of the rows. Default: only totals.
        """
        result: types.Analytics = await self._api.call(
            operations.GET_LINK_ANALYTICS,
            path=[id],
            query={
                "country": country,
                "region": region,
                "city": city,
                "referrer_host": referrer_host,
                "browser": browser,
                "os": os,
                "device": device,
                "language": language,
                "utm_source": utm_source,
                "utm_medium": utm_medium,
                "utm_campaign": utm_campaign,
                "utm_term": utm_term,
                "utm_content": utm_content,
                "source": source,
                "interval": interval,
                "start": start,
                "end": end,
                "timezone": timezone,
                "granularity": granularity,
                "compare": compare,
                "sort": sort,
                "limit": limit,
                "group_by": group_by,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def analytics_csv(
        self,
        id: str,
        *,
        country: str | Sequence[str] | None = None,
        region: str | Sequence[str] | None = None,
        city: str | Sequence[str] | None = None,
        referrer_host: str | Sequence[str] | None = None,
        browser: str | Sequence[str] | None = None,
        os: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        language: str | Sequence[str] | None = None,
        utm_source: str | Sequence[str] | None = None,
        utm_medium: str | Sequence[str] | None = None,
        utm_campaign: str | Sequence[str] | None = None,
        utm_term: str | Sequence[str] | None = None,
        utm_content: str | Sequence[str] | None = None,
        source: Literal["link", "qr", ""] | Sequence[Literal["link", "qr", ""]] | None = None,
        interval: types.AnalyticsInterval | None = None,
        start: str | None = None,
        end: str | None = None,
        timezone: str | None = None,
        granularity: types.AnalyticsGranularity | None = None,
        compare: types.AnalyticsComparison | None = None,
        sort: types.AnalyticsSort | None = None,
        limit: int | None = None,
        group_by: types.LinkAnalyticsGroup | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncDownload:
        """Get link analytics.

        Returns click counts for a link. With `interval=all`, `totals` equals the `clicks` of
        the link.

        Requires the scope `clicks:read`.

        Returns the result as a CSV file.

        Args:
            id: ID of the link.
            country: Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to
                match any of several values.
            region: Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any
                of several values.
            city: English name of the city. Repeat the parameter to match any of several values.
            referrer_host: Host of the referring page. Repeat the parameter to match any of
                several values.
            browser: Name of the browser. Repeat the parameter to match any of several values.
            os: Name of the operating system. Repeat the parameter to match any of several
                values.
            device: Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the
                parameter to match any of several values.
            language: Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to
                match any of several values.
            utm_source: Value of `utm_source`. Repeat the parameter to match any of several
                values.
            utm_medium: Value of `utm_medium`. Repeat the parameter to match any of several
                values.
            utm_campaign: Value of `utm_campaign`. Repeat the parameter to match any of several
                values.
            utm_term: Value of `utm_term`. Repeat the parameter to match any of several values.
            utm_content: Value of `utm_content`. Repeat the parameter to match any of several
                values.
            source: Source of the click: the link (`link`) or its QR code (`qr`). Repeat the
                parameter to match any of several values.
            interval: Range up to now, in whole hours, days or months of the time zone,
                including the current one. Cannot be combined with `start` and `end`. Default:
                `30d`.
            start: Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`.
            end: End of the range, exclusive. A date means 00:00 in `timezone`.
            timezone: IANA time zone that defines days, weeks and months. Default: UTC.
            granularity: Time between two points, with `group_by=time`. Default: the granularity
                that gives 24 to 120 points.
            compare: With `previous`, the response includes the totals of the previous period of
                the same length.
            sort: Order of the groups. Default: `-clicks`.
            limit: Maximum number of rows, from 1 to 1000. The first rows in the order of `sort`
                are returned. Default: 100.
            group_by: Dimension of the rows. Default: only totals.
        """
        return await self._api.download(
            operations.GET_LINK_ANALYTICS,
            path=[id],
            query={
                "country": country,
                "region": region,
                "city": city,
                "referrer_host": referrer_host,
                "browser": browser,
                "os": os,
                "device": device,
                "language": language,
                "utm_source": utm_source,
                "utm_medium": utm_medium,
                "utm_campaign": utm_campaign,
                "utm_term": utm_term,
                "utm_content": utm_content,
                "source": source,
                "interval": interval,
                "start": start,
                "end": end,
                "timezone": timezone,
                "granularity": granularity,
                "compare": compare,
                "sort": sort,
                "limit": limit,
                "group_by": group_by,
            },
            media_types=["text/csv"],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def export(
        self,
        *,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        q: str | None = None,
        tag: str | None = None,
        external_id: str | None = None,
        enabled: bool | None = None,
        sort: types.LinkSort | None = None,
        format: types.ExportFormat | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncDownload:
        """Export links.

        Streams all links that match the filters, as of one point in time. An export is aborted
        after ten minutes, and a workspace can run two exports at a time. In CSV, cells that a
        spreadsheet would treat as formulas start with an apostrophe, which imports remove.

        Requires the scope `links:read`.

        Args:
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            q: Text to search for in the slug, URL and title, ignoring case. Beyond the first
                10,000 links of the list, a single letter matches only at the start of a word,
                and punctuation alone, such as `--`, has no matches.
            tag: Returns only links with this tag.
            external_id: Returns only the link with this external ID.
            enabled: Returns only enabled (`true`) or only disabled (`false`) links.
            sort: Sort order. Default: `-created_at`, newest first.
            format: Export format. Default: `csv`.
        """
        return await self._api.download(
            operations.EXPORT_LINKS,
            query={
                "created_after": created_after,
                "created_before": created_before,
                "q": q,
                "tag": tag,
                "external_id": external_id,
                "enabled": enabled,
                "sort": sort,
                "format": format,
            },
            media_types=["text/csv", "application/x-ndjson"],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class TagsMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Tag]:
        """List tags.

        Lists tags and the number of links with each, most used first.

        Requires the scope `links:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_TAGS,
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class TokensMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[types.WorkspaceScope] | Unset = UNSET,
        expires_in: str | None | Unset = UNSET,
        restrictions: types.CreateTokenRestrictions | None | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.CreatedToken:
        """Create a token.

        Creates a token. Its value is returned only in this response. The new token cannot have
        scopes that the calling token lacks, and cannot expire after it. An `expires_in` that is
        too long by less than a minute is shortened.

        Requires the scope `tokens:write`.

        Args:
            name: Name of the token, such as the program that uses it.
            scopes: Scopes of the token. Duplicates are merged. Default: the scopes of the
                calling token, except `instance:read`, which can be granted only on the command
                line.
            expires_in: Lifetime, from `60s` to `365d`: a whole number and s, m (minutes), h, d
                or w. Default: no expiry.
            restrictions: Restrictions of the token. They cannot be changed later.
        """
        result: types.CreatedToken = await self._api.call(
            operations.CREATE_TOKEN,
            body={
                "name": name,
                "scopes": scopes,
                "expires_in": expires_in,
                "restrictions": restrictions,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    def list(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.TokenWithUsage]:
        """List active tokens.

        Lists active tokens, newest first. Revoked and expired tokens are not included.

        Requires the scope `tokens:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_TOKENS,
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.TokenWithUsage:
        """Get a token.

        Returns a token, including one that has expired or was revoked: see `status`.

        Requires the scope `tokens:read`.

        Args:
            id: ID of the token.
        """
        result: types.TokenWithUsage = await self._api.call(
            operations.GET_TOKEN,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def revoke(
        self,
        id: str,
        *,
        descendants: bool | None = None,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Revoke a token.

        Revokes a token. The token stops working immediately. Safe to repeat.

        Requires the scope `tokens:write`.

        Args:
            id: ID of the token.
            descendants: Whether to also revoke the tokens it created, directly or indirectly.
                Default: false.
        """
        await self._api.call(
            operations.REVOKE_TOKEN,
            path=[id],
            query={
                "descendants": descendants,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )

    async def rotate(
        self,
        id: str,
        *,
        overlap: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.CreatedToken:
        """Rotate a token.

        Replaces a token with a new one that has the same name, scopes and expiry. The old token
        keeps working until the overlap ends.

        Requires the scope `tokens:write`.

        Args:
            id: ID of the token.
            overlap: How long the old token remains valid, from `1s` to `30d`. Default: `24h`.
        """
        result: types.CreatedToken = await self._api.call(
            operations.ROTATE_TOKEN,
            path=[id],
            body=given_body(
                {
                    "overlap": overlap,
                },
            ),
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def self(
        self,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Token:
        """Get the calling token.

        Returns the token of this request: its workspace, scopes and expiry.

        Accepts any valid token.
        """
        result: types.Token = await self._api.call(
            operations.GET_OWN_TOKEN,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def revoke_self(
        self,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Revoke the calling token.

        Revokes the token of this request. It stops working immediately.

        Accepts any valid token.
        """
        await self._api.call(
            operations.REVOKE_OWN_TOKEN,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )

    async def revoke_by_value(
        self,
        *,
        token: str,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Revoke a leaked token.

        Revokes a token by its value, without authentication. The response is the same whether
        or not the token exists.

        Requires no token.

        Args:
            token: Full value of the token to revoke.
        """
        await self._api.call(
            operations.REVOKE_TOKEN_BY_VALUE,
            body={
                "token": token,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class WebhooksMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Webhook]:
        """List webhooks.

        Lists webhooks, newest first.

        Requires the scope `webhooks:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_WEBHOOKS,
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def create(
        self,
        *,
        url: str,
        events: Sequence[types.EventSubscription],
        filter: types.WebhookFilterInput | None | Unset = UNSET,
        description: str | None | Unset = UNSET,
        max_in_flight: int | Unset = UNSET,
        ordered: bool | Unset = UNSET,
        format: types.WebhookFormat | Unset = UNSET,
        secret: str | Unset = UNSET,
        batch: types.WebhookBatchInput | None | Unset = UNSET,
        headers: dict[str, str] | None | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.CreatedWebhook:
        """Create a webhook.

        Creates a webhook, which receives a signed request for each event that matches its types
        and its filter. If `secret` is absent, a secret is generated and returned only in this
        response. Subscribing to token events (`token.*`) also requires the scope `tokens:read`.

        Requires the scopes `webhooks:write` and `events:read`.

        Args:
            url: URL that receives events: https, at most 2,048 characters, without credentials
                or fragment, and not a private IP address.
            events: Event types the webhook subscribes to. `*` means all types, including future
                ones, except token events (`token.*`), which must be named. Duplicates are
                merged.
            filter: Filter of the events that the webhook receives, in addition to their types.
                An event must meet all conditions. Null for no filter.
            description: Description of the webhook, for your own reference.
            max_in_flight: Maximum number of concurrent requests to the webhook. Default: 20.
            ordered: Whether deliveries are sent one at a time, in the order of their events. A
                failing delivery then blocks all later ones until it succeeds, is skipped, or
                has no retries left. Default: false.
            format: Format of the request body: the event (`standard`, the default), or a
                message that describes the event in a Slack or Discord channel.
            secret: Secret that signs requests: 1 to 256 characters, ideally at least 24 random
                bytes. After `whsec_`, it must be base64, and the decoded bytes are the key. Any
                other secret is used as UTF-8 text. Default: a generated secret, which is
                returned only in this response.
            batch: Sends several events in one request with the body `{"batch_id", "events"}`,
                which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the
                batch, and `webhook-sequence` is the `sequence` of its first event. Only with
                the format `standard`. Null for one event per request.
            headers: Custom headers of requests to the webhook, such as `Authorization`: at most
                10, with visible ASCII values. They are stored encrypted and never shown again.
                Headers that the service sets, such as `webhook-*` and `Content-Type`, and
                connection headers are rejected.
        """
        result: types.CreatedWebhook = await self._api.call(
            operations.CREATE_WEBHOOK,
            body={
                "filter": filter,
                "description": description,
                "max_in_flight": max_in_flight,
                "ordered": ordered,
                "format": format,
                "url": url,
                "events": events,
                "secret": secret,
                "batch": batch,
                "headers": headers,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Webhook:
        """Get a webhook.

        Returns a webhook with its number of pending deliveries and its health: the last error,
        the success rate and the next attempt. The secret is not returned.

        Requires the scope `webhooks:read`.

        Args:
            id: ID of the webhook.
        """
        result: types.Webhook = await self._api.call(
            operations.GET_WEBHOOK,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def update(
        self,
        id: str,
        *,
        filter: types.WebhookFilterInput | None | Unset = UNSET,
        description: str | None | Unset = UNSET,
        max_in_flight: int | Unset = UNSET,
        ordered: bool | Unset = UNSET,
        format: types.WebhookFormat | Unset = UNSET,
        url: str | Unset = UNSET,
        events: Sequence[types.EventSubscription] | Unset = UNSET,
        secret: str | Unset = UNSET,
        batch: types.WebhookBatchPatch | None | Unset = UNSET,
        headers: dict[str, str | None] | None | Unset = UNSET,
        status: types.ChosenWebhookStatus | Unset = UNSET,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Webhook:
        """Update a webhook.

        Updates a webhook with a JSON merge patch: absent fields stay unchanged, and `null`
        clears a field. After `secret` is changed, requests are also signed with the old secret
        for 24 hours. A secret from an earlier change stops signing immediately. Changing `url`
        ends any pause requested by the old receiver. `filter` is merged too: its absent
        conditions stay unchanged. Changing `url`, `events` or `filter` also requires the scope
        `events:read`, because the webhook will receive those events, and `tokens:read` if the
        webhook subscribes to token events (`token.*`). Changing `url` also requires
        `tokens:read` if the webhook still has deliveries of token events, because they can be
        sent to the new URL.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
            filter: Filter of the events that the webhook receives, in addition to their types.
                An event must meet all conditions. Null for no filter.
            description: Description of the webhook, for your own reference.
            max_in_flight: Maximum number of concurrent requests to the webhook. Default: 20.
            ordered: Whether deliveries are sent one at a time, in the order of their events. A
                failing delivery then blocks all later ones until it succeeds, is skipped, or
                has no retries left. Default: false.
            format: Format of the request body: the event (`standard`, the default), or a
                message that describes the event in a Slack or Discord channel.
            url: URL that receives events: https, at most 2,048 characters, without credentials
                or fragment, and not a private IP address.
            events: Event types the webhook subscribes to. `*` means all types, including future
                ones, except token events (`token.*`), which must be named. Duplicates are
                merged.
            secret: New secret. For 24 hours, requests are also signed with the old one.
            batch: Sends several events in one request with the body `{"batch_id", "events"}`,
                which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the
                batch, and `webhook-sequence` is the `sequence` of its first event. Only with
                the format `standard`. Null for one event per request.
            headers: Custom headers to set, or null to remove one. Absent headers keep their
                values, and `null` instead of the object removes all. If the scheme, host or
                port of `url` changes, every header needs a new value or null.
            status: `paused` holds events. `active` sends held events and reactivates a disabled
                webhook.
        """
        result: types.Webhook = await self._api.call(
            operations.UPDATE_WEBHOOK,
            path=[id],
            body={
                "filter": filter,
                "description": description,
                "max_in_flight": max_in_flight,
                "ordered": ordered,
                "format": format,
                "url": url,
                "events": events,
                "secret": secret,
                "batch": batch,
                "headers": headers,
                "status": status,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Delete a webhook.

        Deletes a webhook. Its pending deliveries are canceled.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
        """
        await self._api.call(
            operations.DELETE_WEBHOOK,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )

    async def rotate_secret(
        self,
        id: str,
        *,
        secret: str | Unset = UNSET,
        overlap: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.CreatedWebhook:
        """Rotate a webhook's secret.

        Replaces the secret with the given one, or with a generated one that is returned only in
        this response. Requests are also signed with the old secret until the overlap ends. A
        secret from an earlier rotation stops signing immediately. If `secret` is the current
        secret, nothing is rotated, and `overlap` can only shorten the current overlap:
        `{"secret": "<current secret>", "overlap": "0s"}` stops signing with the old secret
        immediately.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
            secret: Secret that signs requests: 1 to 256 characters, ideally at least 24 random
                bytes. After `whsec_`, it must be base64, and the decoded bytes are the key. Any
                other secret is used as UTF-8 text. Default: a generated secret, which is
                returned only in this response.
            overlap: How long requests are also signed with the old secret, from `1s` to `30d`,
                or `0s` to stop immediately. Default: `24h`.
        """
        result: types.CreatedWebhook = await self._api.call(
            operations.ROTATE_WEBHOOK_SECRET,
            path=[id],
            body=given_body(
                {
                    "secret": secret,
                    "overlap": overlap,
                },
            ),
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def test_filter(
        self,
        id: str,
        *,
        event_id: str,
        filter: types.WebhookFilterInput | None | Unset = UNSET,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.FilterTest:
        """Test a filter.

        Tests whether the filter of the webhook, or the given filter, includes a recorded event.
        Nothing is sent or changed.

        Requires the scopes `webhooks:read` and `events:read`.

        Args:
            id: ID of the webhook.
            event_id: ID of the event.
            filter: Filter to test instead of the filter of the webhook. Null for no filter.
        """
        result: types.FilterTest = await self._api.call(
            operations.TEST_WEBHOOK_FILTER,
            path=[id],
            body={
                "event_id": event_id,
                "filter": filter,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def create_portal_link(
        self,
        id: str,
        *,
        expires_in: str | Unset = UNSET,
        allow: Sequence[types.PortalAction] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.PortalLink:
        """Create a portal link.

        Creates a link to pages that show only this webhook and its deliveries. Give the link to
        the user who runs the receiver. The link works once. The link and its session also end
        when your token expires or is revoked.

        Requires the scopes `webhooks:read` and `webhooks:write`.

        Args:
            id: ID of the webhook.
            expires_in: How long the link and its session are valid, from `60s` to `24h`.
                Default: `1h`.
            allow: What the visitor may do besides reading: `test` sends test events, `replay`
                redelivers and replays, `rotate` rotates the secret. Default: none.
        """
        result: types.PortalLink = await self._api.call(
            operations.CREATE_PORTAL_LINK,
            path=[id],
            body=given_body(
                {
                    "expires_in": expires_in,
                    "allow": allow,
                },
            ),
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def test(
        self,
        id: str,
        *,
        event: types.EventType | Unset = UNSET,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.TestSend:
        """Send a test event.

        Sends one signed request immediately, even when the webhook is paused or disabled, and
        returns the result. A test is not retried, does not count in the statistics, and is sent
        to this webhook only. A `webhook.test` event is listed by `/v1/events`; examples of
        other types are not, so that they cannot be mistaken for real events.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
            event: Type of the event to send, with example data. The webhook does not have to
                subscribe to this type. Default: `webhook.test`.
        """
        result: types.TestSend = await self._api.call(
            operations.SEND_TEST_EVENT,
            path=[id],
            body=given_body(
                {
                    "event": event,
                },
            ),
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    def deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        status: types.DeliveryStatus | None = None,
        event: types.EventType | None = None,
        tried: bool | None = None,
        error_class: types.AttemptErrorClass | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Delivery]:
        """List a webhook's deliveries.

        Lists deliveries, newest first. Filters are combined with AND. Test deliveries are
        included, with `test` set to true.

        Requires the scope `webhooks:read`.

        Args:
            id: ID of the webhook.
            limit: Maximum number of items per page. Default: 20.
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            status: Returns only deliveries with this status.
            event: Returns only deliveries of events of this type.
            tried: `true`: returns only deliveries with at least one attempt.
            error_class: Returns only deliveries whose last attempt failed with an error of this
                class.
        """
        return self._api.list(
            operations.LIST_DELIVERIES,
            path=[id],
            query={
                "limit": limit,
                "created_after": created_after,
                "created_before": created_before,
                "status": status,
                "event": event,
                "tried": tried,
                "error_class": error_class,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.DeliveryWithAttempts:
        """Get a delivery.

        Returns a delivery with all its attempts, each with its response and timings.

        Requires the scope `webhooks:read`.

        Args:
            id: ID of the webhook.
            delivery_id: ID of the delivery.
        """
        result: types.DeliveryWithAttempts = await self._api.call(
            operations.GET_DELIVERY,
            path=[id, delivery_id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Delivery:
        """Redeliver a delivery.

        Redelivers a delivery, even one that succeeded, with the same `webhook-id` and
        `webhook-sequence`. Its retry schedule starts again. A pending delivery becomes due
        immediately. While the webhook is paused or disabled, the delivery is `held`. Returns
        409 for tests and for deliveries older than `EVENT_RETENTION`.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
            delivery_id: ID of the delivery.
        """
        result: types.Delivery = await self._api.call(
            operations.REDELIVER_DELIVERY,
            path=[id, delivery_id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def skip(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Delivery:
        """Skip a delivery.

        Cancels a pending or held delivery. An ordered webhook then sends the next one. An
        attempt in flight is not interrupted, but its result is not recorded. Safe to repeat.
        Returns 409 if the delivery has succeeded, failed or been canceled for another reason.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
            delivery_id: ID of the delivery.
        """
        result: types.Delivery = await self._api.call(
            operations.SKIP_DELIVERY,
            path=[id, delivery_id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def replay(
        self,
        id: str,
        *,
        since: str,
        until: str | Unset = UNSET,
        status: types.ReplayedStatus | Unset = UNSET,
        events: Sequence[types.EventType] | Unset = UNSET,
        from_: types.ReplaySource | Unset = UNSET,
        ignore_filter: bool | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Replay:
        """Replay deliveries or events.

        Redelivers the failed, or all completed, deliveries of a time range, oldest first. New
        events have priority. With `"from": "events"`, the webhook receives the events that it
        never received, including those from before it was created, in new deliveries with new
        sequence numbers. Pending deliveries, tests, and events older than `EVENT_RETENTION` are
        skipped. While the webhook is paused or disabled, the deliveries are `held`.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the webhook.
            since: Start of the range, inclusive, by the creation time of deliveries or the time
                of events. A time, or a duration before now, such as `1d`: a whole number and a
                unit (s, m, h, d or w).
            until: End of the range, inclusive, in the same format as `since`. Default: now.
            status: Which deliveries to replay. Cannot be combined with `"from": "events"`.
                Default: `failed`.
            events: Event types to send. Default: all.
            from_: `deliveries`: redelivers deliveries of this webhook. `events`: sends events
                that the webhook currently subscribes to and that meet its filter, but that it
                never received, including those from before it was created. Default:
                `deliveries`.
            ignore_filter: Whether to send what the current filter of the webhook excludes. The
                tags of a restricted token that created the webhook always apply. Default:
                false.
            dry_run: Returns the number of deliveries without sending them. Default: false.
        """
        result: types.Replay = await self._api.call(
            operations.REPLAY_DELIVERIES,
            path=[id],
            body={
                "since": since,
                "until": until,
                "status": status,
                "events": events,
                "from": from_,
                "ignore_filter": ignore_filter,
                "dry_run": dry_run,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def stats(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.WebhookStats:
        """Get a webhook's delivery statistics.

        Returns the number of deliveries by status. `emitted` is always the sum of `succeeded`,
        `pending`, `held`, `failed` and `canceled`. A redelivery counts as `pending` again.

        Requires the scope `webhooks:read`.

        Args:
            id: ID of the webhook.
        """
        result: types.WebhookStats = await self._api.call(
            operations.GET_WEBHOOK_STATS,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result


class EventsMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def explain(
        self,
        id: str,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Explanation]:
        """Explain the deliveries of an event.

        Explains why webhooks did or did not receive an event, with a reason code, a sentence
        and a next step. With `webhook_id`, returns one explanation, otherwise a page with one
        per webhook, newest webhook first. `reason` and `sentence` are set when the workspace
        has no webhooks.

        Requires the scope `events:read`.

        Args:
            id: ID of the event.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.EXPLAIN_EVENT,
            path=[id],
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def explain_for(
        self,
        id: str,
        webhook_id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Explanation:
        """Explain the deliveries of an event.

        Explains why webhooks did or did not receive an event, with a reason code, a sentence
        and a next step. With `webhook_id`, returns one explanation, otherwise a page with one
        per webhook, newest webhook first. `reason` and `sentence` are set when the workspace
        has no webhooks.

        Requires the scope `events:read`.

        Args:
            id: ID of the event.
            webhook_id: ID of a webhook, even a deleted one. Default: all webhooks of the
                workspace.
        """
        result: types.Explanation = await self._api.call(
            operations.EXPLAIN_EVENT,
            path=[id],
            query={
                "webhook_id": webhook_id,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    def list(
        self,
        *,
        limit: int | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        type: types.EventType | None = None,
        link_id: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Event]:
        """List events.

        Lists events, newest first. Filters are combined with AND. With `after`, even an empty
        one, the list is a feed: oldest first, and `next_cursor` is always returned. Store it,
        and pass it as `after` to continue later without gaps or repetitions. A click creates an
        event only if a webhook subscribes to clicks and its filter includes the click; `GET
        /v1/clicks` lists all clicks. If few events match, a page may have fewer events than
        `limit`, or none, although `has_more` is true. Token events (`token.*`) are included
        only if the calling token also has the scope `tokens:read`.

        Requires the scope `events:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            type: Returns only events of this type.
            link_id: Returns only events of this link, including its clicks.
        """
        return self._api.list(
            operations.LIST_EVENTS,
            query={
                "limit": limit,
                "created_after": created_after,
                "created_before": created_before,
                "type": type,
                "link_id": link_id,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def read(
        self,
        *,
        limit: int | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        type: types.EventType | None = None,
        link_id: str | None = None,
        after: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.EventPage:
        """List events.

        Lists events, newest first. Filters are combined with AND. With `after`, even an empty
        one, the list is a feed: oldest first, and `next_cursor` is always returned. Store it,
        and pass it as `after` to continue later without gaps or repetitions. A click creates an
        event only if a webhook subscribes to clicks and its filter includes the click; `GET
        /v1/clicks` lists all clicks. If few events match, a page may have fewer events than
        `limit`, or none, although `has_more` is true. Token events (`token.*`) are included
        only if the calling token also has the scope `tokens:read`.

        Requires the scope `events:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            type: Returns only events of this type.
            link_id: Returns only events of this link, including its clicks.
            after: Returns events oldest first, in the order they were recorded. The
                `next_cursor` of an earlier page continues after that page, an empty value
                starts at the oldest event, and `latest` returns an empty page whose
                `next_cursor` is the end of the feed. Cannot be combined with `cursor`.
        """
        result: types.EventPage = await self._api.call(
            operations.LIST_EVENTS,
            query={
                "limit": limit,
                "created_after": created_after,
                "created_before": created_before,
                "type": type,
                "link_id": link_id,
                "after": after,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    def follow(
        self,
        *,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        type: types.EventType | None = None,
        link_id: str | None = None,
        after: str = "",
        poll_interval: float = 5.0,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncIterator[FollowedRow[types.Event]]:
        """List events.

        Lists events, newest first. Filters are combined with AND. With `after`, even an empty
        one, the list is a feed: oldest first, and `next_cursor` is always returned. Store it,
        and pass it as `after` to continue later without gaps or repetitions. A click creates an
        event only if a webhook subscribes to clicks and its filter includes the click; `GET
        /v1/clicks` lists all clicks. If few events match, a page may have fewer events than
        `limit`, or none, although `has_more` is true. Token events (`token.*`) are included
        only if the calling token also has the scope `tokens:read`.

        Requires the scope `events:read`.

        Yields all items, oldest first, then waits for new ones. Store the `cursor` of each
        handled item, and pass it as `after` to continue without gaps. An empty `after` starts
        with the oldest item, `latest` with new items. After the first page, temporary failures
        are retried forever. `poll_interval` is the maximum delay between polls in seconds.

        Args:
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            type: Returns only events of this type.
            link_id: Returns only events of this link, including its clicks.
        """
        return self._api.follow(
            operations.LIST_EVENTS,
            query={
                "created_after": created_after,
                "created_before": created_before,
                "type": type,
                "link_id": link_id,
            },
            after=after,
            poll_interval=poll_interval,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.EventWithDeliveries:
        """Get an event.

        Returns an event with a summary of its deliveries. A token event (`token.*`) also
        requires the scope `tokens:read`.

        Requires the scope `events:read`.

        Args:
            id: ID of the event.
        """
        result: types.EventWithDeliveries = await self._api.call(
            operations.GET_EVENT,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    def types(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.EventTypeInfo]:
        """List event types.

        Lists the event types that a webhook can subscribe to, each with its meaning, the JSON
        Schema of its `data` and an example.

        Requires the scope `events:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_EVENT_TYPES,
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class ClicksMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def explain(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        webhook_id: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.SubjectExplanation:
        """Explain the deliveries of a click.

        Explains the deliveries of a click, for one webhook or for all. If the click has no
        event, `reason` and `sentence` explain why.

        Requires the scope `events:read`.

        Args:
            id: ID of the click.
            limit: Maximum number of items per page. Default: 20.
            cursor: The `next_cursor` of the previous page. All other parameters must stay the
                same.
            webhook_id: ID of a webhook, even a deleted one. Default: all webhooks of the
                workspace.
        """
        result: types.SubjectExplanation = await self._api.call(
            operations.EXPLAIN_CLICK,
            path=[id],
            query={
                "limit": limit,
                "cursor": cursor,
                "webhook_id": webhook_id,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def read(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        link_id: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.ClickPage:
        """List clicks as a feed.

        Lists all clicks of the workspace in the order in which they were recorded, oldest
        first. `next_cursor` is always returned: store it, and pass it as `after` to continue
        later.

        Requires the scope `clicks:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
            after: The `next_cursor` of the previous response, or empty to start at the oldest
                click (the default). `latest` returns an empty page whose `next_cursor` is the
                end of the feed.
            link_id: Returns only clicks of this link.
        """
        result: types.ClickPage = await self._api.call(
            operations.LIST_CLICKS,
            query={
                "limit": limit,
                "after": after,
                "link_id": link_id,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    def follow(
        self,
        *,
        link_id: str | None = None,
        after: str = "",
        poll_interval: float = 5.0,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncIterator[FollowedRow[types.Click]]:
        """List clicks as a feed.

        Lists all clicks of the workspace in the order in which they were recorded, oldest
        first. `next_cursor` is always returned: store it, and pass it as `after` to continue
        later.

        Requires the scope `clicks:read`.

        Yields all items, oldest first, then waits for new ones. Store the `cursor` of each
        handled item, and pass it as `after` to continue without gaps. An empty `after` starts
        with the oldest item, `latest` with new items. After the first page, temporary failures
        are retried forever. `poll_interval` is the maximum delay between polls in seconds.

        Args:
            link_id: Returns only clicks of this link.
        """
        return self._api.follow(
            operations.LIST_CLICKS,
            query={
                "link_id": link_id,
            },
            after=after,
            poll_interval=poll_interval,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    def live(
        self,
        *,
        country: str | Sequence[str] | None = None,
        region: str | Sequence[str] | None = None,
        city: str | Sequence[str] | None = None,
        referrer_host: str | Sequence[str] | None = None,
        browser: str | Sequence[str] | None = None,
        os: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        language: str | Sequence[str] | None = None,
        utm_source: str | Sequence[str] | None = None,
        utm_medium: str | Sequence[str] | None = None,
        utm_campaign: str | Sequence[str] | None = None,
        utm_term: str | Sequence[str] | None = None,
        utm_content: str | Sequence[str] | None = None,
        source: Literal["link", "qr", ""] | Sequence[Literal["link", "qr", ""]] | None = None,
        link_id: str | None = None,
        after: str | None = None,
        silence: float = 45.0,
        max_retries: float | None = None,
    ) -> AsyncIterator[FollowedRow[types.Click]]:
        """Stream live clicks.

        Streams clicks as server-sent events, within a second. Each `click` event has the click
        as `data` and a cursor as `id`. The stream begins with an `id` without an event. To
        resume the stream without missing a click, send the last `id` as `Last-Event-ID`, with
        the same `link_id`. A comment is sent every 15 seconds. The stream ends when the token
        expires or is revoked, when the service stops, or when the client reads too slowly. Each
        process allows 5 concurrent streams per token and 20 per workspace
        (`WORKSPACE_LIVE_STREAMS`).

        Requires the scope `clicks:read`.

        Reconnects when the stream breaks, or after `silence` seconds without data. `after` is
        the cursor of the last handled item; by default, the stream starts with new clicks. The
        cursors also work with `follow`.

        Args:
            country: Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to
                match any of several values.
            region: Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any
                of several values.
            city: English name of the city. Repeat the parameter to match any of several values.
            referrer_host: Host of the referring page. Repeat the parameter to match any of
                several values.
            browser: Name of the browser. Repeat the parameter to match any of several values.
            os: Name of the operating system. Repeat the parameter to match any of several
                values.
            device: Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the
                parameter to match any of several values.
            language: Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to
                match any of several values.
            utm_source: Value of `utm_source`. Repeat the parameter to match any of several
                values.
            utm_medium: Value of `utm_medium`. Repeat the parameter to match any of several
                values.
            utm_campaign: Value of `utm_campaign`. Repeat the parameter to match any of several
                values.
            utm_term: Value of `utm_term`. Repeat the parameter to match any of several values.
            utm_content: Value of `utm_content`. Repeat the parameter to match any of several
                values.
            source: Source of the click: the link (`link`) or its QR code (`qr`). Repeat the
                parameter to match any of several values.
            link_id: Returns only clicks of this link.
        """
        return self._api.live(
            query={
                "country": country,
                "region": region,
                "city": city,
                "referrer_host": referrer_host,
                "browser": browser,
                "os": os,
                "device": device,
                "language": language,
                "utm_source": utm_source,
                "utm_medium": utm_medium,
                "utm_campaign": utm_campaign,
                "utm_term": utm_term,
                "utm_content": utm_content,
                "source": source,
                "link_id": link_id,
            },
            after=after,
            silence=silence,
            options=Options(
                max_retries=max_retries,
            ),
        )


class NoticesMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.NoticeTarget]:
        """List notice targets.

        Lists the notice targets of the workspace, newest first. Targets that the operator has
        set in `NOTICES` are not included.

        Requires the scope `webhooks:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_NOTICE_TARGETS,
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def create(
        self,
        *,
        type: types.NoticeTargetType,
        address: str,
        events: Sequence[types.NoticeEvent] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.NoticeTarget:
        """Create a notice target.

        Creates a notice target: a Slack or Discord channel, or an email address. It receives at
        most one message per hour for each event type. Token events (`token.*`), which the
        default includes, also require the scope `tokens:read`.

        Requires the scopes `webhooks:write` and `events:read`.

        Args:
            type: Type of the target. `email` requires a mail server, which the operator sets in
                `NOTICES`.
            address: URL of a Slack or Discord webhook, or an email address. Stored encrypted,
                and returned only masked.
            events: Events to send. Duplicates are merged. Default: `webhook.failing`,
                `webhook.disabled`, `webhook.recovered`, `token.expiring`.
        """
        result: types.NoticeTarget = await self._api.call(
            operations.CREATE_NOTICE_TARGET,
            body={
                "type": type,
                "address": address,
                "events": events,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.NoticeTarget:
        """Get a notice target.

        Returns a notice target, with the time and result of the last message to it.

        Requires the scope `webhooks:read`.

        Args:
            id: ID of the notice target.
        """
        result: types.NoticeTarget = await self._api.call(
            operations.GET_NOTICE_TARGET,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def update(
        self,
        id: str,
        *,
        events: Sequence[types.NoticeEvent] | Unset = UNSET,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.NoticeTarget:
        """Update a notice target.

        Updates the events that are sent to a target. Unsent notices of other events are
        dropped. Token events (`token.*`) also require the scope `tokens:read`. To change the
        address, create another target.

        Requires the scopes `webhooks:write` and `events:read`.

        Args:
            id: ID of the notice target.
            events: Events to send, instead of the current ones. Duplicates are merged.
        """
        result: types.NoticeTarget = await self._api.call(
            operations.UPDATE_NOTICE_TARGET,
            path=[id],
            body={
                "events": events,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )
        return result

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Delete a notice target.

        Deletes a target. Unsent notices for it are dropped.

        Requires the scope `webhooks:write`.

        Args:
            id: ID of the notice target.
        """
        await self._api.call(
            operations.DELETE_NOTICE_TARGET,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )

    async def test(
        self,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.NoticeTest:
        """Send a test notice.

        Sends a test message to each target, and returns the results. With the scope
        `instance:read`, the targets in `NOTICES` are tested too. A workspace can send one test
        every 10 seconds.

        Requires the scope `webhooks:write`.
        """
        result: types.NoticeTest = await self._api.call(
            operations.TEST_NOTICES,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result


class AnalyticsMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def get(
        self,
        *,
        country: str | Sequence[str] | None = None,
        region: str | Sequence[str] | None = None,
        city: str | Sequence[str] | None = None,
        referrer_host: str | Sequence[str] | None = None,
        browser: str | Sequence[str] | None = None,
        os: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        language: str | Sequence[str] | None = None,
        utm_source: str | Sequence[str] | None = None,
        utm_medium: str | Sequence[str] | None = None,
        utm_campaign: str | Sequence[str] | None = None,
        utm_term: str | Sequence[str] | None = None,
        utm_content: str | Sequence[str] | None = None,
        source: Literal["link", "qr", ""] | Sequence[Literal["link", "qr", ""]] | None = None,
        interval: types.AnalyticsInterval | None = None,
        start: str | None = None,
        end: str | None = None,
        timezone: str | None = None,
        granularity: types.AnalyticsGranularity | None = None,
        compare: types.AnalyticsComparison | None = None,
        sort: types.AnalyticsSort | None = None,
        limit: int | None = None,
        group_by: types.AnalyticsGroup | None = None,
        link_id: str | Sequence[str] | None = None,
        tag: str | Sequence[str] | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Analytics:
        """Get workspace analytics.

        Returns click counts for the workspace. Counts are exact, never estimated. A query that
        would read too many individual clicks returns 422 with the widest range that fits.

        Requires the scope `clicks:read`.

        Args:
            country: Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to
                match any of several values.
            region: Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any
                of several values.
            city: English name of the city. Repeat the parameter to match any of several values.
            referrer_host: Host of the referring page. Repeat the parameter to match any of
                several values.
            browser: Name of the browser. Repeat the parameter to match any of several values.
            os: Name of the operating system. Repeat the parameter to match any of several
                values.
            device: Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the
                parameter to match any of several values.
            language: Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to
                match any of several values.
            utm_source: Value of `utm_source`. Repeat the parameter to match any of several
                values.
            utm_medium: Value of `utm_medium`. Repeat the parameter to match any of several
                values.
            utm_campaign: Value of `utm_campaign`. Repeat the parameter to match any of several
                values.
            utm_term: Value of `utm_term`. Repeat the parameter to match any of several values.
            utm_content: Value of `utm_content`. Repeat the parameter to match any of several
                values.
            source: Source of the click: the link (`link`) or its QR code (`qr`). Repeat the
                parameter to match any of several values.
            interval: Range up to now, in whole hours, days or months of the time zone,
                including the current one. Cannot be combined with `start` and `end`. Default:
                `30d`.
            start: Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`.
            end: End of the range, exclusive. A date means 00:00 in `timezone`.
            timezone: IANA time zone that defines days, weeks and months. Default: UTC.
            granularity: Time between two points, with `group_by=time`. Default: the granularity
                that gives 24 to 120 points.
            compare: With `previous`, the response includes the totals of the previous period of
                the same length.
            sort: Order of the groups. Default: `-clicks`.
            limit: Maximum number of rows, from 1 to 1000. The first rows in the order of `sort`
                are returned. Default: 100.
            group_by: Dimension of the rows. Default: only totals.
            link_id: ID of the link. Repeat the parameter to match any of several values.
            tag: Tag that the link currently has. Repeat the parameter to match any of several
                values.
        """
        result: types.Analytics = await self._api.call(
            operations.GET_ANALYTICS,
            query={
                "country": country,
                "region": region,
                "city": city,
                "referrer_host": referrer_host,
                "browser": browser,
                "os": os,
                "device": device,
                "language": language,
                "utm_source": utm_source,
                "utm_medium": utm_medium,
                "utm_campaign": utm_campaign,
                "utm_term": utm_term,
                "utm_content": utm_content,
                "source": source,
                "interval": interval,
                "start": start,
                "end": end,
                "timezone": timezone,
                "granularity": granularity,
                "compare": compare,
                "sort": sort,
                "limit": limit,
                "group_by": group_by,
                "link_id": link_id,
                "tag": tag,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def csv(
        self,
        *,
        country: str | Sequence[str] | None = None,
        region: str | Sequence[str] | None = None,
        city: str | Sequence[str] | None = None,
        referrer_host: str | Sequence[str] | None = None,
        browser: str | Sequence[str] | None = None,
        os: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        language: str | Sequence[str] | None = None,
        utm_source: str | Sequence[str] | None = None,
        utm_medium: str | Sequence[str] | None = None,
        utm_campaign: str | Sequence[str] | None = None,
        utm_term: str | Sequence[str] | None = None,
        utm_content: str | Sequence[str] | None = None,
        source: Literal["link", "qr", ""] | Sequence[Literal["link", "qr", ""]] | None = None,
        interval: types.AnalyticsInterval | None = None,
        start: str | None = None,
        end: str | None = None,
        timezone: str | None = None,
        granularity: types.AnalyticsGranularity | None = None,
        compare: types.AnalyticsComparison | None = None,
        sort: types.AnalyticsSort | None = None,
        limit: int | None = None,
        group_by: types.AnalyticsGroup | None = None,
        link_id: str | Sequence[str] | None = None,
        tag: str | Sequence[str] | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncDownload:
        """Get workspace analytics.

        Returns click counts for the workspace. Counts are exact, never estimated. A query that
        would read too many individual clicks returns 422 with the widest range that fits.

        Requires the scope `clicks:read`.

        Returns the result as a CSV file.

        Args:
            country: Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to
                match any of several values.
            region: Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any
                of several values.
            city: English name of the city. Repeat the parameter to match any of several values.
            referrer_host: Host of the referring page. Repeat the parameter to match any of
                several values.
            browser: Name of the browser. Repeat the parameter to match any of several values.
            os: Name of the operating system. Repeat the parameter to match any of several
                values.
            device: Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the
                parameter to match any of several values.
            language: Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to
                match any of several values.
            utm_source: Value of `utm_source`. Repeat the parameter to match any of several
                values.
            utm_medium: Value of `utm_medium`. Repeat the parameter to match any of several
                values.
            utm_campaign: Value of `utm_campaign`. Repeat the parameter to match any of several
                values.
            utm_term: Value of `utm_term`. Repeat the parameter to match any of several values.
            utm_content: Value of `utm_content`. Repeat the parameter to match any of several
                values.
            source: Source of the click: the link (`link`) or its QR code (`qr`). Repeat the
                parameter to match any of several values.
            interval: Range up to now, in whole hours, days or months of the time zone,
                including the current one. Cannot be combined with `start` and `end`. Default:
                `30d`.
            start: Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`.
            end: End of the range, exclusive. A date means 00:00 in `timezone`.
            timezone: IANA time zone that defines days, weeks and months. Default: UTC.
            granularity: Time between two points, with `group_by=time`. Default: the granularity
                that gives 24 to 120 points.
            compare: With `previous`, the response includes the totals of the previous period of
                the same length.
            sort: Order of the groups. Default: `-clicks`.
            limit: Maximum number of rows, from 1 to 1000. The first rows in the order of `sort`
                are returned. Default: 100.
            group_by: Dimension of the rows. Default: only totals.
            link_id: ID of the link. Repeat the parameter to match any of several values.
            tag: Tag that the link currently has. Repeat the parameter to match any of several
                values.
        """
        return await self._api.download(
            operations.GET_ANALYTICS,
            query={
                "country": country,
                "region": region,
                "city": city,
                "referrer_host": referrer_host,
                "browser": browser,
                "os": os,
                "device": device,
                "language": language,
                "utm_source": utm_source,
                "utm_medium": utm_medium,
                "utm_campaign": utm_campaign,
                "utm_term": utm_term,
                "utm_content": utm_content,
                "source": source,
                "interval": interval,
                "start": start,
                "end": end,
                "timezone": timezone,
                "granularity": granularity,
                "compare": compare,
                "sort": sort,
                "limit": limit,
                "group_by": group_by,
                "link_id": link_id,
                "tag": tag,
            },
            media_types=["text/csv"],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class ImportsMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.Import]:
        """List imports.

        Lists running imports and those that ended in the last 7 days, newest first.

        Requires the scope `links:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
        """
        return self._api.list(
            operations.LIST_IMPORTS,
            query={
                "limit": limit,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def create(
        self,
        file: str | bytes | IO[bytes],
        *,
        format: types.ImportFormat | None = None,
        on_conflict: types.ConflictMode | None = None,
        dry_run: bool | None = None,
        notify: bool | None = None,
        media_type: Literal["text/csv", "application/x-ndjson"] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Import:
        """Import links.

        Imports links from a CSV file with a header row or from an NDJSON file, including
        exports of Bitly, Dub, Kutt, Shlink and YOURLS. A file can be up to 256 MiB,
        uncompressed, and a line up to 64 KiB. The response is sent when the file is stored.
        Workers then process the lines in order, each exactly once. A workspace runs up to two
        imports at a time. The file and its report are kept for 7 days after the import ends.

        Requires the scope `links:write`.

        `file` is a string, bytes, or a file that is open in binary mode. A file is retried only
        if it can seek. `media_type` defaults to NDJSON if `format` is `ndjson`, and to CSV
        otherwise.

        Args:
            format: Format of the file. `csv` and `ndjson` use the field names of links; the
                others are exports of other services. Default: detected from the columns.
            on_conflict: How to handle a slug or external ID that already exists in the
                workspace: fail the line, skip it, or update the existing link. Default: `fail`.
            dry_run: Checks each line and counts the results without creating or changing links.
                Default: false.
            notify: Whether the imported links emit events, which are delivered to webhooks.
                Default: true.
        """
        result: types.Import = await self._api.call(
            operations.CREATE_IMPORT,
            query={
                "format": format,
                "on_conflict": on_conflict,
                "dry_run": dry_run,
                "notify": notify,
            },
            body=upload_of(file),
            headers={"content-type": upload_type(media_type, format)},
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                idempotency_key=idempotency_key,
            ),
        )
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Import:
        """Get an import.

        Returns an import with its progress and the results so far.

        Requires the scope `links:read`.

        Args:
            id: ID of the import.
        """
        result: types.Import = await self._api.call(
            operations.GET_IMPORT,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def cancel(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Cancel an import.

        Cancels an import. Links that were already created are kept. Has no effect on an import
        that has ended.

        Requires the scope `links:write`.

        Args:
            id: ID of the import.
        """
        await self._api.call(
            operations.CANCEL_IMPORT,
            path=[id],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
                if_match=if_match,
            ),
        )

    async def report(
        self,
        id: str,
        *,
        media_type: Literal["text/csv", "application/x-ndjson"] = "application/x-ndjson",
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncDownload:
        """Get an import's report.

        Lists the failed lines so far in file order, each with its number, the reasons and its
        content, as CSV or, with `Accept: application/x-ndjson`, as NDJSON.

        Requires the scope `links:read`.

        Args:
            id: ID of the import.
        """
        return await self._api.download(
            operations.GET_IMPORT_REPORT,
            path=[id],
            media_types=[media_type],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class AuditLogMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(
        self,
        *,
        limit: int | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        action: types.AuditAction | None = None,
        token_id: str | None = None,
        object_id: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPagedList[types.AuditEntry]:
        """List audit log entries.

        Lists audit log entries, newest first: each action with its actor, object, time and IP
        address. Entries are never changed and contain no secrets. Not available to tokens that
        are restricted to tags.

        Requires the scope `audit:read`.

        Args:
            limit: Maximum number of items per page. Default: 20.
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            action: Returns only entries with this action.
            token_id: Returns only actions of this token.
            object_id: Returns only actions on this object.
        """
        return self._api.list(
            operations.LIST_AUDIT_ENTRIES,
            query={
                "limit": limit,
                "created_after": created_after,
                "created_before": created_before,
                "action": action,
                "token_id": token_id,
                "object_id": object_id,
            },
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )

    async def export(
        self,
        *,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        action: types.AuditAction | None = None,
        token_id: str | None = None,
        object_id: str | None = None,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncDownload:
        """Export audit log entries.

        Exports all audit log entries that match the filters as CSV, newest first. An export is
        aborted after ten minutes, and a workspace can run two exports at a time. Cells that a
        spreadsheet would run as formulas are prefixed with an apostrophe. Not available to
        tokens that are restricted to tags.

        Requires the scope `audit:read`.

        Args:
            created_after: Returns only items created after this time, such as
                `2026-01-31T12:00:00Z`.
            created_before: Returns only items created before this time.
            action: Returns only entries with this action.
            token_id: Returns only actions of this token.
            object_id: Returns only actions on this object.
        """
        return await self._api.download(
            operations.EXPORT_AUDIT_ENTRIES,
            query={
                "created_after": created_after,
                "created_before": created_before,
                "action": action,
                "token_id": token_id,
                "object_id": object_id,
            },
            media_types=["text/csv"],
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )


class InstanceMethods:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Instance:
        """Get settings and health checks.

        Returns the settings of the responding process, each with its source, and the checks of
        the command `doctor`. Secrets are not returned. Tokens with this scope can be created
        only on the command line, because the settings apply to all workspaces. Not available to
        tokens that are restricted to tags.

        Requires the scope `instance:read`.
        """
        result: types.Instance = await self._api.call(
            operations.GET_INSTANCE,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def egress(
        self,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Egress:
        """Get source IP addresses.

        Returns the IP addresses that deliveries, tests and notices come from, so that a
        receiver can allow them in its firewall. Verify signatures as well: other workspaces
        send from the same addresses.

        Requires the scope `webhooks:read`.
        """
        result: types.Egress = await self._api.call(
            operations.GET_EGRESS,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result

    async def deliveries(
        self,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.DeliveryState:
        """Get the delivery state.

        Returns whether the operator of the service has paused all deliveries. During a pause,
        events are still recorded, deliveries wait, and tests and notices are still sent.

        Requires the scope `webhooks:read`.
        """
        result: types.DeliveryState = await self._api.call(
            operations.GET_DELIVERY_STATE,
            options=Options(
                timeout=timeout,
                max_retries=max_retries,
            ),
        )
        return result
