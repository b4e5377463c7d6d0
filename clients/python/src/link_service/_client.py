"""The clients. Their methods are grouped by resource."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import httpx

from ._generated import async_methods, methods, operations, types
from ._request import Options
from ._retry import Retry
from ._transport import (
    DEFAULT_BASE_URL,
    DEFAULT_MAX_RETRIES,
    DEFAULT_MAX_RETRY_WAIT,
    DEFAULT_TIMEOUT,
    Token,
)

LinkChange = Callable[[types.Link], types.UpdateLink | None]
WebhookChange = Callable[[types.Webhook], types.UpdateWebhook | None]
AsyncLinkChange = Callable[
    [types.Link], types.UpdateLink | None | Awaitable[types.UpdateLink | None]
]
AsyncWebhookChange = Callable[
    [types.Webhook], types.UpdateWebhook | None | Awaitable[types.UpdateWebhook | None]
]


class Links(methods.LinksMethods):
    def update_with(
        self,
        id: str,
        change: LinkChange,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Updates the fields that `change` returns for the current link.

        `change` is called again after a conflict. None or an empty dictionary changes nothing.
        """
        options = Options(timeout=timeout, max_retries=max_retries)
        read, write = operations.GET_LINK, operations.UPDATE_LINK
        return cast(types.Link, self._api.update_with(read, write, id, cast(Any, change), options))


class AsyncLinks(async_methods.LinksMethods):
    async def update_with(
        self,
        id: str,
        change: AsyncLinkChange,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Link:
        """Updates the fields that `change` returns for the current link.

        `change` is called again after a conflict. None or an empty dictionary changes nothing.
        """
        options = Options(timeout=timeout, max_retries=max_retries)
        read, write = operations.GET_LINK, operations.UPDATE_LINK
        return cast(types.Link, await self._api.update_with(read, write, id, change, options))


class Webhooks(methods.WebhooksMethods):
    def update_with(
        self,
        id: str,
        change: WebhookChange,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Webhook:
        """Updates the fields that `change` returns for the current webhook.

        `change` is called again after a conflict. None or an empty dictionary changes nothing.
        """
        options = Options(timeout=timeout, max_retries=max_retries)
        read, write = operations.GET_WEBHOOK, operations.UPDATE_WEBHOOK
        updated = self._api.update_with(read, write, id, cast(Any, change), options)
        return cast(types.Webhook, updated)


class AsyncWebhooks(async_methods.WebhooksMethods):
    async def update_with(
        self,
        id: str,
        change: AsyncWebhookChange,
        *,
        timeout: float | None = None,
        max_retries: float | None = None,
    ) -> types.Webhook:
        """Updates the fields that `change` returns for the current webhook.

        `change` is called again after a conflict. None or an empty dictionary changes nothing.
        """
        options = Options(timeout=timeout, max_retries=max_retries)
        read, write = operations.GET_WEBHOOK, operations.UPDATE_WEBHOOK
        return cast(types.Webhook, await self._api.update_with(read, write, id, change, options))


class LinkService:
    """A client of the API.

    Args:
        base_url: The URL of the API without `/v1`.
        token: The token, or a function that is called before each attempt.
        timeout: The limit in seconds for connecting, and for each wait for data. None: no limit.
        max_retries: The maximum number of retries of a call.
        max_retry_wait: The longest accepted `Retry-After` in seconds.
        on_retry: Called before the delay of each retry.
        http_client: A client of httpx, for example with a proxy. `close` also closes this client.

    Calls accept `timeout` and `max_retries` too. Calls that create something accept an
    `idempotency_key`, by default a new random key; calls that change something accept `if_match`.
    """

    def __init__(
        self,
        *,
        base_url: str = DEFAULT_BASE_URL,
        token: Token = None,
        timeout: float | None = DEFAULT_TIMEOUT,
        max_retries: float = DEFAULT_MAX_RETRIES,
        max_retry_wait: float = DEFAULT_MAX_RETRY_WAIT,
        on_retry: Callable[[Retry], None] | None = None,
        user_agent: str | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._api = methods.Transport(
            base_url=base_url,
            token=token,
            timeout=timeout,
            max_retries=max_retries,
            max_retry_wait=max_retry_wait,
            on_retry=on_retry,
            user_agent=user_agent,
            http_client=http_client,
        )
        self.base_url = self._api.base_url
        self.links = Links(self._api)
        self.clicks = methods.ClicksMethods(self._api)
        self.analytics = methods.AnalyticsMethods(self._api)
        self.events = methods.EventsMethods(self._api)
        self.imports = methods.ImportsMethods(self._api)
        self.tags = methods.TagsMethods(self._api)
        self.webhooks = Webhooks(self._api)
        self.notices = methods.NoticesMethods(self._api)
        self.tokens = methods.TokensMethods(self._api)
        self.audit_log = methods.AuditLogMethods(self._api)
        self.instance = methods.InstanceMethods(self._api)

    def close(self) -> None:
        """Closes the connections."""
        self._api.close()

    def __enter__(self) -> LinkService:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class AsyncLinkService:
    """A client of the API for asyncio, with the options and methods of `LinkService`."""

    def __init__(
        self,
        *,
        base_url: str = DEFAULT_BASE_URL,
        token: Token = None,
        timeout: float | None = DEFAULT_TIMEOUT,
        max_retries: float = DEFAULT_MAX_RETRIES,
        max_retry_wait: float = DEFAULT_MAX_RETRY_WAIT,
        on_retry: Callable[[Retry], None] | None = None,
        user_agent: str | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._api = async_methods.AsyncTransport(
            base_url=base_url,
            token=token,
            timeout=timeout,
            max_retries=max_retries,
            max_retry_wait=max_retry_wait,
            on_retry=on_retry,
            user_agent=user_agent,
            http_client=http_client,
        )
        self.base_url = self._api.base_url
        self.links = AsyncLinks(self._api)
        self.clicks = async_methods.ClicksMethods(self._api)
        self.analytics = async_methods.AnalyticsMethods(self._api)
        self.events = async_methods.EventsMethods(self._api)
        self.imports = async_methods.ImportsMethods(self._api)
        self.tags = async_methods.TagsMethods(self._api)
        self.webhooks = AsyncWebhooks(self._api)
        self.notices = async_methods.NoticesMethods(self._api)
        self.tokens = async_methods.TokensMethods(self._api)
        self.audit_log = async_methods.AuditLogMethods(self._api)
        self.instance = async_methods.InstanceMethods(self._api)

    async def close(self) -> None:
        """Closes the connections."""
        await self._api.close()

    async def __aenter__(self) -> AsyncLinkService:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()
