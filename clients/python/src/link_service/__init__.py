"""The typed client of Link Service: API calls, feeds and webhook verification."""

from . import types
from ._calls import etag_of
from ._client import AsyncLinkService, LinkService
from ._feed import FollowedRow
from ._lists import AsyncDownload, AsyncPagedList, Download, Page, PagedList
from ._request import UNSET, Unset
from ._retry import Retry
from .errors import (
    ConflictError,
    ConnectionError,
    ForbiddenError,
    LinkServiceError,
    NotFoundError,
    PreconditionFailedError,
    RateLimitedError,
    ServerError,
    TimeoutError,
    UnauthorizedError,
    ValidationError,
)
from .webhooks import (
    EventBatch,
    SequenceGaps,
    WebhookVerificationError,
    verify_webhook,
    verify_webhook_batch,
)

__all__ = [
    "UNSET",
    "AsyncDownload",
    "AsyncLinkService",
    "AsyncPagedList",
    "ConflictError",
    "ConnectionError",
    "Download",
    "EventBatch",
    "FollowedRow",
    "ForbiddenError",
    "LinkService",
    "LinkServiceError",
    "NotFoundError",
    "Page",
    "PagedList",
    "PreconditionFailedError",
    "RateLimitedError",
    "Retry",
    "SequenceGaps",
    "ServerError",
    "TimeoutError",
    "UnauthorizedError",
    "Unset",
    "ValidationError",
    "WebhookVerificationError",
    "etag_of",
    "types",
    "verify_webhook",
    "verify_webhook_batch",
]
