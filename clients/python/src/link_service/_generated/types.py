# Generated from openapi.json by scripts/client-python.js.
"""The objects of the API. They are plain dictionaries, and keep fields and values that this version of
the client does not know."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias
else:
    from typing_extensions import NotRequired, TypeAlias

__all__ = [
    "Analytics",
    "AnalyticsComparison",
    "AnalyticsCounts",
    "AnalyticsGranularity",
    "AnalyticsGroup",
    "AnalyticsInterval",
    "AnalyticsMeta",
    "AnalyticsRow",
    "AnalyticsSort",
    "Attempt",
    "AttemptError",
    "AttemptErrorClass",
    "AttemptPhase",
    "AttemptTimings",
    "AuditAction",
    "AuditActor",
    "AuditActorType",
    "AuditEntry",
    "AuditEntryPage",
    "AuditObject",
    "AuditObjectType",
    "AwaitedDelivery",
    "BulkCreate",
    "BulkDelete",
    "BulkError",
    "BulkReport",
    "BulkResult",
    "BulkStatus",
    "BulkUpdate",
    "CanceledReason",
    "ChosenWebhookStatus",
    "Circuit",
    "Click",
    "ClickCounts",
    "ClickEvent",
    "ClickEventData",
    "ClickPage",
    "ClickSource",
    "ClickedLink",
    "ComponentState",
    "ComponentStates",
    "ConflictMode",
    "CreateFilterTest",
    "CreateLink",
    "CreateNoticeTarget",
    "CreatePortalLink",
    "CreateReplay",
    "CreateTestSend",
    "CreateToken",
    "CreateTokenRestrictions",
    "CreateWebhook",
    "CreatedToken",
    "CreatedWebhook",
    "Delivery",
    "DeliveryPage",
    "DeliveryState",
    "DeliveryStateStatus",
    "DeliveryStatus",
    "DeliverySubject",
    "DeliverySubjectType",
    "DeliverySummary",
    "DeliveryWithAttempts",
    "Device",
    "Egress",
    "EgressProxy",
    "EgressSource",
    "Event",
    "EventPage",
    "EventSubscription",
    "EventType",
    "EventTypeInfo",
    "EventTypeInfoPage",
    "EventWithDeliveries",
    "Explanation",
    "ExplanationReason",
    "ExportFormat",
    "FieldErrorCode",
    "FilterCondition",
    "FilterTest",
    "FindingStatus",
    "Health",
    "Import",
    "ImportEventData",
    "ImportFinishedEvent",
    "ImportFormat",
    "ImportOutcome",
    "ImportPage",
    "ImportPreviewRow",
    "ImportStatus",
    "InputError",
    "Instance",
    "InstanceFinding",
    "InstanceProcess",
    "InstanceProcessRole",
    "InstanceProcessStatus",
    "Link",
    "LinkAction",
    "LinkAnalyticsGroup",
    "LinkChange",
    "LinkChangePage",
    "LinkCreatedEvent",
    "LinkDeletedEvent",
    "LinkEventData",
    "LinkField",
    "LinkPage",
    "LinkSort",
    "LinkUpdatedEvent",
    "LinkUpdatedEventData",
    "NextAction",
    "NextStep",
    "NoticeEvent",
    "NoticeTarget",
    "NoticeTargetPage",
    "NoticeTargetType",
    "NoticeTest",
    "NoticeTestResult",
    "PortalAction",
    "PortalLink",
    "PreviousLink",
    "Problem",
    "ProblemCode",
    "QrFormat",
    "QrLevel",
    "Readiness",
    "ReadinessUse",
    "Replay",
    "ReplaySource",
    "ReplayedStatus",
    "ReportedWebhook",
    "Resolution",
    "ResolutionOutcome",
    "RevokeToken",
    "RotateToken",
    "RotateWebhookSecret",
    "Scope",
    "ScopeExcess",
    "SecretRotation",
    "SentRequest",
    "Setting",
    "SettingGroup",
    "SettingSource",
    "SubjectExplanation",
    "Tag",
    "TagPage",
    "TestSend",
    "Token",
    "TokenCreatedEvent",
    "TokenEventData",
    "TokenExpiringEvent",
    "TokenExpiringEventData",
    "TokenRestrictions",
    "TokenRevokedEvent",
    "TokenRevokedEventData",
    "TokenStatus",
    "TokenWithUsage",
    "TokenWithUsagePage",
    "UnexplainedReason",
    "UpdateLink",
    "UpdateNoticeTarget",
    "UpdateWebhook",
    "Webhook",
    "WebhookBatch",
    "WebhookBatchInput",
    "WebhookBatchPatch",
    "WebhookDisabledEvent",
    "WebhookError",
    "WebhookEvent",
    "WebhookEventData",
    "WebhookFailingEvent",
    "WebhookFilter",
    "WebhookFilterInput",
    "WebhookFormat",
    "WebhookHour",
    "WebhookLatency",
    "WebhookPage",
    "WebhookRecoveredEvent",
    "WebhookStats",
    "WebhookStatus",
    "WebhookTestEvent",
    "WebhookTestEventData",
    "WorkspaceScope",
]


class Analytics(TypedDict):
    """Click analytics."""

    meta: AnalyticsMeta
    """The query with defaults applied."""
    totals: AnalyticsCounts
    """Counts of the whole range."""
    previous: AnalyticsCounts | None
    """Totals of the previous period, with `compare=previous`."""
    data: list[AnalyticsRow]
    """Rows of the result. With `group_by=time`, one row per point in time, oldest first, including
    points without clicks. Otherwise one row per value, in the order of `sort`.
    """
    other: AnalyticsCounts | None
    """Clicks not included in any row. `data` and `other` add up to `totals`, except when grouped
    by tag: a click counts once for each tag of its link.
    """


AnalyticsComparison: TypeAlias = Literal["previous"]
"""Period to compare with."""


class AnalyticsCounts(TypedDict):
    """Click and visitor counts."""

    clicks: int
    """All clicks: human clicks and bots."""
    human: int
    """Human clicks: clicks that are not from known bots."""
    visitors: int | None
    """Visitors: unique people, counted once per UTC day and summed over days. Null in rows of a
    dimension, if the query has filters other than a single link, and if the range or point is
    not whole UTC days.
    """


AnalyticsGranularity: TypeAlias = Literal[
    "hour",
    "day",
    "week",
    "month",
]
"""Time between two points of a series."""


AnalyticsGroup: TypeAlias = Literal[
    "time",
    "country",
    "region",
    "city",
    "referrer_host",
    "browser",
    "os",
    "device",
    "language",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "source",
    "link",
    "tag",
]
"""Dimension of the rows."""


AnalyticsInterval: TypeAlias = Literal[
    "24h",
    "7d",
    "30d",
    "90d",
    "12mo",
    "all",
]
"""A range up to now."""


class AnalyticsMeta(TypedDict):
    """The query with defaults applied."""

    start: str
    """Start of the range."""
    end: str
    """End of the range, exclusive."""
    timezone: str
    """IANA time zone that defines days, weeks and months."""
    granularity: Literal["hour", "day", "week", "month"] | None
    """Time between two points of a series."""
    group_by: str | None
    """Dimension of the rows."""
    as_of: str
    """Every click recorded before this time is counted."""
    truncated: bool
    """Whether rare values are counted in `other` instead of in their own rows. Per day, at most
    5,000 values of a dimension are counted separately. Values seen in the last 30 days have
    priority. Totals, series, links and tags are always complete.
    """


class AnalyticsRow(TypedDict):
    """A row of the result, with `start` if grouped by time, otherwise with `key`."""

    clicks: int
    """All clicks: human clicks and bots."""
    human: int
    """Human clicks: clicks that are not from known bots."""
    visitors: int | None
    """Visitors: unique people, counted once per UTC day and summed over days. Null in rows of a
    dimension, if the query has filters other than a single link, and if the range or point is
    not whole UTC days.
    """
    start: NotRequired[str]
    """Start of this point of a series."""
    key: NotRequired[str | None]
    """Value of the dimension. Null if unknown."""
    country: NotRequired[str | None]
    """Country of the city."""
    region: NotRequired[str | None]
    """Region of the city."""
    slug: NotRequired[str]
    """Slug of the link."""
    short_url: NotRequired[str]
    """Short URL of the link."""


AnalyticsSort: TypeAlias = Literal[
    "-clicks",
    "-human",
]
"""Most clicks or most human clicks first."""


class Attempt(TypedDict):
    """A request to a receiver and its result."""

    id: str
    """ID of the attempt."""
    number: int
    """Number of the attempt, starting at 1. A redelivery continues the numbering."""
    started_at: str
    """Time the attempt started."""
    duration_ms: int
    """Duration in milliseconds."""
    status_code: int | None
    """HTTP status code of the response. Null if there was no response."""
    error: AttemptError | None
    """Why the attempt failed. Null if it succeeded."""
    remote_address: str | None
    """IP address the request was sent to."""
    request_headers: dict[str, str]
    """Headers sent by this service, including the signature, which is valid only with the body.
    The values of custom headers are masked.
    """
    response_headers: dict[str, str] | None
    """Response headers. Null if there was no response. Values of custom headers that the receiver
    returns are masked, as they are in `response_body`.
    """
    response_body: str | None
    """Response body, up to the first 16 KiB. Null if there was no response."""
    response_truncated: bool
    """Whether `response_body` is truncated."""
    timings: AttemptTimings
    """Duration of each phase in milliseconds."""


AttemptError = TypedDict(
    "AttemptError",
    {
        "class": "AttemptErrorClass",
        "message": "str",
        "phase": "AttemptPhase | None",
    },
)
"""Why an attempt failed."""


AttemptErrorClass: TypeAlias = Union[
    Literal[
        "dns",
        "blocked_address",
        "proxy",
        "refused",
        "reset",
        "tls",
        "timeout",
        "too_large",
        "redirect",
        "http_status",
        "canceled",
        "other",
    ],
    str,
]
"""Type of delivery failure. New values may be added. Known values: `dns`, `blocked_address`,
`proxy`, `refused`, `reset`, `tls`, `timeout`, `too_large`, `redirect`, `http_status`,
`canceled`, `other`.
"""


AttemptPhase: TypeAlias = Union[
    Literal[
        "dns",
        "connect",
        "tls",
        "first_byte",
        "body",
    ],
    str,
]
"""Phase of an attempt: DNS lookup, TCP connection, TLS handshake, waiting for the first byte, or
receiving the response. New values may be added. Known values: `dns`, `connect`, `tls`,
`first_byte`, `body`.
"""


class AttemptTimings(TypedDict):
    """Duration of each phase of an attempt in milliseconds."""

    dns_ms: float | None
    """DNS lookup. Null if it was not needed."""
    connect_ms: float | None
    """TCP connection. Null if an open connection was reused."""
    tls_ms: float | None
    """TLS handshake. Null if there was none."""
    first_byte_ms: float | None
    """From sending the request to the first byte of the response."""
    total_ms: float | None
    """Total duration."""


AuditAction: TypeAlias = Union[
    Literal[
        "token.created",
        "token.rotated",
        "token.revoked",
        "token.refused",
        "link.created",
        "link.updated",
        "link.deleted",
        "session.created",
        "session.refused",
        "session.ended",
        "webhook.created",
        "webhook.changed",
        "webhook.secret_rotated",
        "webhook.deleted",
        "webhook.disabled",
        "webhook.portal_link_created",
        "webhook.delivery_skipped",
        "notice_target.created",
        "notice_target.changed",
        "notice_target.deleted",
    ],
    str,
]
"""Action recorded in the audit log. New values may be added. Known values: `token.created`,
`token.rotated`, `token.revoked`, `token.refused`, `link.created`, `link.updated`,
`link.deleted`, `session.created`, `session.refused`, `session.ended`, `webhook.created`,
`webhook.changed`, `webhook.secret_rotated`, `webhook.deleted`, `webhook.disabled`,
`webhook.portal_link_created`, `webhook.delivery_skipped`, `notice_target.created`,
`notice_target.changed`, `notice_target.deleted`.
"""


class AuditActor(TypedDict):
    """Actor that performed an action."""

    type: AuditActorType
    """Type of actor."""
    id: str | None
    """ID of the token. Null for other types of actors."""
    name: str | None
    """Name of the token. Null for other types of actors, and in the history of a link without
    `audit:read` or `tokens:read`.
    """


AuditActorType: TypeAlias = Union[
    Literal[
        "token",
        "command_line",
        "service",
    ],
    str,
]
"""Type of actor. `service` is the service itself. New values may be added. Known values: `token`,
`command_line`, `service`.
"""


class AuditEntry(TypedDict):
    """An entry of the audit log."""

    id: str
    """ID of the entry."""
    action: AuditAction
    """Action that was performed."""
    actor: AuditActor
    """Actor that performed the action."""
    object: AuditObject
    """Object of the action."""
    address: str | None
    """IP address of the caller. Null if the action did not come from a request."""
    request_id: str | None
    """ID of the request. Null if the action did not come from a request."""
    details: dict[str, Any]
    """Details that depend on the action. Never contains secrets."""
    occurred_at: str
    """Time of the action."""


class AuditEntryPage(TypedDict):
    """A page of `AuditEntry` objects."""

    data: list[AuditEntry]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class AuditObject(TypedDict):
    """Object of an action."""

    type: AuditObjectType
    """Type of object."""
    id: str | None
    """ID of the object. Null if it did not have one yet."""
    name: str | None
    """Current name of the object: the name of a token, the slug of a link, or the description of a
    webhook (without one, the host of its URL). Null for sessions.
    """


AuditObjectType: TypeAlias = Union[
    Literal[
        "token",
        "session",
        "link",
        "webhook",
        "notice_target",
    ],
    str,
]
"""Type of object. New values may be added. Known values: `token`, `session`, `link`, `webhook`,
`notice_target`.
"""


class AwaitedDelivery(TypedDict):
    """Delivery of an ordered webhook that has failed or cannot be sent yet, and blocks all later
    ones.
    """

    delivery_id: str
    """ID of the delivery."""
    since: str
    """Start of its first attempt, or the time it was created if it has not been attempted yet."""
    next_attempt_at: str
    """Expected time of its next attempt."""


class BulkCreate(TypedDict):
    """Links to create."""

    atomic: NotRequired[bool]
    """Whether to change nothing if one item fails. `true`: all items succeed, or the response
    lists every error. `false`: items are processed independently, and the result of each failed
    item contains its error. Default: true.
    """
    links: list[CreateLink]
    """Links to create, processed in this order. Each has the fields of a single create request."""
    on_conflict: NotRequired[ConflictMode]
    """How to handle a slug or external ID that already exists in the workspace. `fail` reports an
    error, `skip` leaves the existing link unchanged, and `update` updates it with the given
    fields. A slug that is used in another workspace, or was used by a deleted link, is always
    an error. Default: `fail`.
    """


class BulkDelete(TypedDict):
    """Links to delete."""

    atomic: NotRequired[bool]
    """Whether to change nothing if one item fails. `true`: all items succeed, or the response
    lists every error. `false`: items are processed independently, and the result of each failed
    item contains its error. Default: true.
    """
    ids: list[str]
    """IDs of the links."""


class BulkError(TypedDict):
    """Error of an item."""

    code: str
    """Error code, as for a request for a single link."""
    detail: str
    """Explanation of the error."""
    errors: list[InputError]
    """Every invalid field of the item, with JSON pointers into the request body."""


class BulkReport(TypedDict):
    """Counts for all items and the result of each."""

    created: int
    """Number of created links."""
    updated: int
    """Number of updated links."""
    deleted: int
    """Number of deleted links."""
    skipped: int
    """Number of skipped links."""
    failed: int
    """Number of failed items."""
    results: list[BulkResult]
    """One result per item, in the order of the request."""


class BulkResult(TypedDict):
    """Result of an item."""

    index: int
    """Position of the item in the request, starting at 0."""
    status: BulkStatus
    """Result of the item. `skipped`: the link already existed or needed no change."""
    link: Link | None
    """The link after the request. Null if the item failed."""
    error: BulkError | None
    """Error of the item. Null if it succeeded."""


BulkStatus: TypeAlias = Literal[
    "created",
    "updated",
    "deleted",
    "skipped",
    "failed",
]
"""Result status of an item."""


class BulkUpdate(TypedDict):
    """A change to apply to several links."""

    atomic: NotRequired[bool]
    """Whether to change nothing if one item fails. `true`: all items succeed, or the response
    lists every error. `false`: items are processed independently, and the result of each failed
    item contains its error. Default: true.
    """
    ids: list[str]
    """IDs of the links."""
    patch: NotRequired[UpdateLink]
    """Changes to apply to each link, as in `PATCH /v1/links/:id`."""
    add_tags: NotRequired[list[str]]
    """Tags to add to each link."""
    remove_tags: NotRequired[list[str]]
    """Tags to remove from each link."""


CanceledReason: TypeAlias = Union[
    Literal[
        "retention",
        "webhook_deleted",
        "skipped",
    ],
    str,
]
"""Why a delivery was canceled. `retention`: it was pending for longer than events are kept.
`webhook_deleted`: its webhook was deleted. `skipped`: a caller skipped it. New values may be
added. Known values: `retention`, `webhook_deleted`, `skipped`.
"""


ChosenWebhookStatus: TypeAlias = Literal[
    "active",
    "paused",
]
"""Status that a webhook can be set to."""


Circuit: TypeAlias = Literal[
    "closed",
    "open",
    "half_open",
]
"""State of the circuit breaker."""


class Click(TypedDict):
    """A visit to a short link. Privacy settings limit what is recorded."""

    id: str
    """ID of the click."""
    link_id: str
    """ID of the clicked link."""
    slug: str
    """Slug that was visited."""
    url: str
    """URL the visitor was redirected to."""
    occurred_at: str
    """Time of the click."""
    bot: bool
    """Whether the visitor was a bot, such as a crawler, a link preview or an HTTP library."""
    referrer: str | None
    """URL of the referring page."""
    referrer_host: str | None
    """Host of the referring page."""
    country: str | None
    """Two-letter country code (ISO 3166)."""
    region: str | None
    """Region code (ISO 3166-2). Requires a MaxMind city database."""
    city: str | None
    """English name of the city."""
    browser: str | None
    """Name of the browser, or of the app with a built-in browser. Null if unknown."""
    os: str | None
    """Name of the operating system. Null if unknown."""
    device: Device | None
    """Device type. `bot` for every bot. Null if unknown."""
    language: str | None
    """Preferred language of the visitor (BCP 47)."""
    utm_source: str | None
    """`utm_source` of the visited URL, otherwise of the destination, truncated to 100 characters."""
    utm_medium: str | None
    """`utm_medium` of the visited URL, otherwise of the destination, truncated to 100 characters."""
    utm_campaign: str | None
    """`utm_campaign` of the visited URL, otherwise of the destination, truncated to 100
    characters.
    """
    utm_term: str | None
    """`utm_term` of the visited URL, otherwise of the destination, truncated to 100 characters."""
    utm_content: str | None
    """`utm_content` of the visited URL, otherwise of the destination, truncated to 100 characters."""
    source: ClickSource
    """Source of the click: the link (`link`) or its QR code (`qr`)."""
    ip: str | None
    """IP address of the visitor, truncated to its network unless the operator changed this."""
    visitor: str | None
    """Pseudonymous visitor ID that changes daily."""
    event_id: str | None
    """ID of the event sent to webhooks. Null if no webhook wanted the click: none subscribed to
    clicks, or their filters excluded it. Only the prefix differs from the click ID.
    """


class ClickCounts(TypedDict):
    """Click counts of a link."""

    total: int
    """All clicks: human clicks and bots."""
    human: int
    """Human clicks: clicks that are not from known bots."""


class ClickEvent(TypedDict):
    """A link was clicked."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["click"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: ClickEventData


class ClickEventData(TypedDict):
    """The click and the clicked link."""

    click: Click
    link: ClickedLink


class ClickPage(TypedDict):
    """A page of `Click` objects."""

    data: list[Click]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


ClickSource: TypeAlias = Literal[
    "link",
    "qr",
]
"""Source of a click."""


class ClickedLink(TypedDict):
    """The clicked link, without the fields that change with each click."""

    id: str
    slug: str
    short_url: str
    url: str
    title: str | None
    tags: list[str]
    external_id: str | None


ComponentState: TypeAlias = Literal[
    "ok",
    "failing",
]
"""State of a component."""


class ComponentStates(TypedDict):
    """State of each component of the service."""

    database: ComponentState
    """PostgreSQL connection."""
    migrations: ComponentState
    """Database migrations. `ok` if the schema is that of this version."""
    change_feed: ComponentState
    """Connection that notifies processes of changes."""
    queue: ComponentState
    """Job queue. While it is failing, deliveries start a few seconds later."""


ConflictMode: TypeAlias = Literal[
    "fail",
    "skip",
    "update",
]
"""How to handle a link that already exists."""


class CreateFilterTest(TypedDict):
    """An event, and the filter to test it with."""

    event_id: str
    """ID of the event."""
    filter: NotRequired[WebhookFilterInput | None]
    """Filter to test instead of the filter of the webhook. Null for no filter."""


class CreateLink(TypedDict):
    """A link to create. Only `url` is required."""

    url: str
    """Destination URL: http or https, at most 8,192 characters when percent-encoded."""
    title: NotRequired[str | None]
    """Display title of the link."""
    note: NotRequired[str | None]
    """Internal note. Visitors never see it."""
    external_id: NotRequired[str | None]
    """Your own ID for the link, unique in the workspace."""
    redirect_status: NotRequired[Literal[301, 302, 307, 308]]
    """HTTP status of the redirect. Default: 302."""
    forward_query: NotRequired[bool]
    """Whether the visitor's query is added to the destination. Default: false."""
    enabled: NotRequired[bool]
    """A disabled link responds with 410. Default: true."""
    expires_at: NotRequired[str | None]
    """Time the link expires. An expired link responds with 410."""
    tags: NotRequired[list[str] | None]
    """Tags of the link, at most 20. Duplicates are merged."""
    expires_in: NotRequired[str | None]
    """Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot be combined with
    `expires_at`.
    """
    slug: NotRequired[str]
    """Path of the short link. Default: a generated slug of seven characters."""


class CreateNoticeTarget(TypedDict):
    """A notice target to create."""

    type: NoticeTargetType
    """Type of the target. `email` requires a mail server, which the operator sets in `NOTICES`."""
    address: str
    """URL of a Slack or Discord webhook, or an email address. Stored encrypted, and returned only
    masked.
    """
    events: NotRequired[list[NoticeEvent]]
    """Events to send. Duplicates are merged. Default: `webhook.failing`, `webhook.disabled`,
    `webhook.recovered`, `token.expiring`.
    """


class CreatePortalLink(TypedDict):
    """Options for a portal link. The request body is optional."""

    expires_in: NotRequired[str]
    """How long the link and its session are valid, from `60s` to `24h`. Default: `1h`."""
    allow: NotRequired[list[PortalAction]]
    """What the visitor may do besides reading: `test` sends test events, `replay` redelivers and
    replays, `rotate` rotates the secret. Default: none.
    """


CreateReplay = TypedDict(
    "CreateReplay",
    {
        "since": "str",
        "until": "NotRequired[str]",
        "status": "NotRequired[ReplayedStatus]",
        "events": "NotRequired[list[EventType]]",
        "from": "NotRequired[ReplaySource]",
        "ignore_filter": "NotRequired[bool]",
        "dry_run": "NotRequired[bool]",
    },
)
"""Deliveries or events to send."""


class CreateTestSend(TypedDict):
    """Options for a test. The request body is optional."""

    event: NotRequired[EventType]
    """Type of the event to send, with example data. The webhook does not have to subscribe to this
    type. Default: `webhook.test`.
    """


class CreateToken(TypedDict):
    """A token to create. Only `name` is required."""

    name: str
    """Name of the token, such as the program that uses it."""
    scopes: NotRequired[list[WorkspaceScope]]
    """Scopes of the token. Duplicates are merged. Default: the scopes of the calling token, except
    `instance:read`, which can be granted only on the command line.
    """
    expires_in: NotRequired[str | None]
    """Lifetime, from `60s` to `365d`: a whole number and s, m (minutes), h, d or w. Default: no
    expiry.
    """
    restrictions: NotRequired[CreateTokenRestrictions | None]
    """Restrictions of the token. They cannot be changed later."""


class CreateTokenRestrictions(TypedDict):
    """Restrictions of a new token. Each absent field is copied from the calling token."""

    allowed_ips: NotRequired[list[str] | None]
    """IP networks (CIDR) or addresses that the token can be used from, at most 20."""
    not_before: NotRequired[str | None]
    """Time from which the token is valid."""
    rate_limit: NotRequired[str | None]
    """Maximum number of requests in a time window of at most `1h`, instead of `RATE_LIMIT`. Cannot
    exceed `WORKSPACE_RATE_LIMIT`.
    """
    tags: NotRequired[list[str] | None]
    """The token can only access links with one of these tags. With a single tag, links that it
    creates get the tag.
    """


class CreateWebhook(TypedDict):
    """A webhook to create. `url` and `events` are required."""

    filter: NotRequired[WebhookFilterInput | None]
    """Filter of the events that the webhook receives, in addition to their types. An event must
    meet all conditions. Null for no filter.
    """
    description: NotRequired[str | None]
    """Description of the webhook, for your own reference."""
    max_in_flight: NotRequired[int]
    """Maximum number of concurrent requests to the webhook. Default: 20."""
    ordered: NotRequired[bool]
    """Whether deliveries are sent one at a time, in the order of their events. A failing delivery
    then blocks all later ones until it succeeds, is skipped, or has no retries left. Default:
    false.
    """
    format: NotRequired[WebhookFormat]
    """Format of the request body: the event (`standard`, the default), or a message that describes
    the event in a Slack or Discord channel.
    """
    url: str
    """URL that receives events: https, at most 2,048 characters, without credentials or fragment,
    and not a private IP address.
    """
    events: list[EventSubscription]
    """Event types the webhook subscribes to. `*` means all types, including future ones, except
    token events (`token.*`), which must be named. Duplicates are merged.
    """
    secret: NotRequired[str]
    """Secret that signs requests: 1 to 256 characters, ideally at least 24 random bytes. After
    `whsec_`, it must be base64, and the decoded bytes are the key. Any other secret is used as
    UTF-8 text. Default: a generated secret, which is returned only in this response.
    """
    batch: NotRequired[WebhookBatchInput | None]
    """Sends several events in one request with the body `{"batch_id", "events"}`, which is signed
    as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and
    `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`.
    Null for one event per request.
    """
    headers: NotRequired[dict[str, str] | None]
    """Custom headers of requests to the webhook, such as `Authorization`: at most 10, with visible
    ASCII values. They are stored encrypted and never shown again. Headers that the service
    sets, such as `webhook-*` and `Content-Type`, and connection headers are rejected.
    """


class CreatedToken(TypedDict):
    """A new token with its value, which is shown only once."""

    id: str
    """ID of the token."""
    name: str
    """Name of the token."""
    scopes: list[Scope]
    """Scopes of the token."""
    restrictions: TokenRestrictions | None
    """Restrictions of the token. Null if it has none."""
    prefix: str
    """First characters of the value."""
    last4: str
    """Last four characters of the value."""
    status: TokenStatus
    """Status of the token. Lists contain only active tokens."""
    created_at: str
    """Time the token was created."""
    expires_at: str | None
    """Time the token expires. Null if it does not expire."""
    last_used_at: str | None
    """Time of the last accepted request. Requests to other processes may take a few seconds to
    appear.
    """
    created_by: str | None
    """ID of the token that created it. Null if it was created from the command line."""
    rotated_from: str | None
    """ID of the token it replaces."""
    token: str
    """Value of the token. It is shown only in this response."""


class CreatedWebhook(TypedDict):
    """A webhook with its generated secret."""

    id: str
    """ID of the webhook."""
    url: str
    """URL that receives events: https, at most 2,048 characters, without credentials or fragment,
    and not a private IP address.
    """
    events: list[EventSubscription]
    """Event types the webhook subscribes to. `*` means all types, including future ones, except
    token events (`token.*`), which must be named. Duplicates are merged.
    """
    filter: WebhookFilter | None
    """Filter of the events that the webhook receives, in addition to their types. An event must
    meet all conditions. Null for no filter.
    """
    description: str | None
    """Description of the webhook, for your own reference."""
    status: WebhookStatus
    """`active` webhooks receive events. Events for `paused` and `disabled` webhooks are held. The
    service disables a webhook whose attempts keep failing, or whose receiver responds with 410.
    """
    disabled_reason: str | None
    """Why the service disabled the webhook. Null if it is not disabled."""
    max_in_flight: int
    """Maximum number of concurrent requests to the webhook. Default: 20."""
    ordered: bool
    """Whether deliveries are sent one at a time, in the order of their events. A failing delivery
    then blocks all later ones until it succeeds, is skipped, or has no retries left. Default:
    false.
    """
    batch: WebhookBatch | None
    """Sends several events in one request with the body `{"batch_id", "events"}`, which is signed
    as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and
    `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`.
    Null for one event per request.
    """
    secret_hint: str
    """Last characters of the secret. Secrets of fewer than 12 characters are not shown."""
    secret_rotation: SecretRotation | None
    """Secret rotation in progress. Null if there is none."""
    format: WebhookFormat
    """Format of the request body: the event (`standard`, the default), or a message that describes
    the event in a Slack or Discord channel.
    """
    headers: dict[str, str]
    """Custom headers of requests to the webhook. Values are never shown."""
    held: int
    """Number of deliveries held until the webhook is active. 0 while it is active."""
    pending: int
    """Number of deliveries waiting to be sent or retried. 0 while the webhook is not active."""
    last_success_at: str | None
    """Time of the last successful attempt."""
    failing_since: str | None
    """Time of the first failure after the last success. Null if there is none."""
    last_error: WebhookError | None
    """Last failed attempt, kept after later successes. Null if no attempt has failed since the URL
    was changed or the webhook was resumed.
    """
    success_rate_24h: float | None
    """Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null
    if there were no attempts.
    """
    next_attempt_at: str | None
    """Earliest time of the next attempt. Null if no delivery is pending."""
    circuit: Circuit
    """State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries
    are sent, because several attempts in a row have failed, or nothing is sent, because the
    receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and
    its result closes or reopens the circuit.
    """
    created_at: str
    """Time the webhook was created."""
    updated_at: str
    """Time of the last change."""
    secret: str | None
    """Generated secret. Store it: it is shown only in this response. Null if you supplied the
    secret.
    """


class Delivery(TypedDict):
    """Delivery of an event to a webhook."""

    id: str
    """ID of the delivery."""
    webhook_id: str
    """ID of the webhook."""
    event_id: str
    """ID of the event."""
    event_type: EventType
    """Type of the event."""
    subject: DeliverySubject | None
    """Object that the event is about. Null if there is none, if the event is no longer kept, or if
    the token does not have the scope `events:read`.
    """
    sequence: int | None
    """Position in the delivery order of the webhook. Null until the first attempt, and for tests."""
    batch_id: str | None
    """ID of the batch that contains the event. Null until the batch is formed, and for webhooks
    without batches. A redelivery gets a new batch.
    """
    status: DeliveryStatus
    """Status of the delivery."""
    attempt_count: int
    """Number of attempts so far."""
    next_attempt_at: str | None
    """Expected time of the next attempt, according to the retry schedule, `Retry-After` and, for
    first attempts, the circuit breaker. In an ordered webhook, not before the next attempt of
    the delivery in `waiting_for`. Null if the delivery is not pending.
    """
    waiting_for: str | None
    """ID of the delivery that an ordered webhook must send before this one. Null if this delivery
    is next or not pending, or if the webhook is not ordered.
    """
    last_attempt: Attempt | None
    """Latest attempt. Null if there is none."""
    test: bool
    """Whether this is a test. Tests are not counted in statistics and never retried."""
    canceled_reason: CanceledReason | None
    """Why the delivery was canceled. Null if it was not canceled."""
    created_at: str
    """Time the delivery was created."""
    completed_at: str | None
    """Time the delivery succeeded, failed or was canceled. Null until then."""


class DeliveryPage(TypedDict):
    """A page of `Delivery` objects."""

    data: list[Delivery]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class DeliveryState(TypedDict):
    """Whether deliveries are sent."""

    status: DeliveryStateStatus
    """Whether deliveries are sent."""
    paused_at: str | None
    """Start of the pause. Null unless deliveries are paused."""
    reason: str | None
    """Reason that the operator gave for the pause. Null without one."""


DeliveryStateStatus: TypeAlias = Union[
    Literal[
        "active",
        "paused",
    ],
    str,
]
"""`active`: deliveries are sent. `paused`: the operator paused all deliveries, which wait until
the operator resumes them. New values may be added. Known values: `active`, `paused`.
"""


DeliveryStatus: TypeAlias = Literal[
    "pending",
    "held",
    "succeeded",
    "failed",
    "canceled",
]
"""`pending`: waiting to be sent or retried. `held`: waiting until the webhook is active.
`succeeded`: the receiver responded with 2xx. `failed`: no attempts are left. `canceled`: the
delivery was skipped, its webhook was deleted, or it waited for longer than events are kept.
"""


class DeliverySubject(TypedDict):
    """The object that the event of a delivery is about."""

    type: DeliverySubjectType
    """Type of the object."""
    id: str
    """ID of the object."""
    name: str
    """Slug of the link, or URL of the webhook, when the event occurred."""


DeliverySubjectType: TypeAlias = Union[
    Literal[
        "link",
        "webhook",
    ],
    str,
]
"""Type of the object that an event is about. New values may be added. Known values: `link`,
`webhook`.
"""


class DeliverySummary(TypedDict):
    """Delivery of an event to a webhook."""

    id: str
    """ID of the delivery."""
    webhook_id: str
    """ID of the webhook."""
    status: DeliveryStatus
    """Status of the delivery."""
    attempt_count: int
    """Number of attempts so far."""
    next_attempt_at: str | None
    """Time of the next attempt. Null if the delivery is completed, or held until the webhook is
    active.
    """
    completed_at: str | None
    """Time the delivery succeeded, failed or was canceled. Null until then."""


class DeliveryWithAttempts(TypedDict):
    """A delivery with its attempts."""

    id: str
    """ID of the delivery."""
    webhook_id: str
    """ID of the webhook."""
    event_id: str
    """ID of the event."""
    event_type: EventType
    """Type of the event."""
    subject: DeliverySubject | None
    """Object that the event is about. Null if there is none, if the event is no longer kept, or if
    the token does not have the scope `events:read`.
    """
    sequence: int | None
    """Position in the delivery order of the webhook. Null until the first attempt, and for tests."""
    batch_id: str | None
    """ID of the batch that contains the event. Null until the batch is formed, and for webhooks
    without batches. A redelivery gets a new batch.
    """
    status: DeliveryStatus
    """Status of the delivery."""
    attempt_count: int
    """Number of attempts so far."""
    next_attempt_at: str | None
    """Expected time of the next attempt, according to the retry schedule, `Retry-After` and, for
    first attempts, the circuit breaker. In an ordered webhook, not before the next attempt of
    the delivery in `waiting_for`. Null if the delivery is not pending.
    """
    waiting_for: str | None
    """ID of the delivery that an ordered webhook must send before this one. Null if this delivery
    is next or not pending, or if the webhook is not ordered.
    """
    last_attempt: Attempt | None
    """Latest attempt. Null if there is none."""
    test: bool
    """Whether this is a test. Tests are not counted in statistics and never retried."""
    canceled_reason: CanceledReason | None
    """Why the delivery was canceled. Null if it was not canceled."""
    created_at: str
    """Time the delivery was created."""
    completed_at: str | None
    """Time the delivery succeeded, failed or was canceled. Null until then."""
    attempts: list[Attempt]
    """Attempts, oldest first. After more than 100 attempts, only the newest 100."""


Device: TypeAlias = Literal[
    "desktop",
    "mobile",
    "tablet",
    "bot",
    "other",
]
"""Device type. `other` is a television, console, watch or headset."""


class Egress(TypedDict):
    """Where deliveries come from."""

    addresses: list[str]
    """IP addresses and networks that deliveries come from. Empty if the service does not know
    them.
    """
    source: EgressSource
    """Source of the addresses."""
    proxy: EgressProxy | None
    """Proxy through which deliveries are sent. Null if they are sent directly."""
    message: str
    """What to allow in a firewall, as human-readable text."""


class EgressProxy(TypedDict):
    """Proxy through which deliveries are sent."""

    host: str | None
    """Host of the proxy. Null for tokens without the scope `instance:read`."""
    port: int | None
    """Port of the proxy. Null for tokens without the scope `instance:read`."""


EgressSource: TypeAlias = Union[
    Literal[
        "configured",
        "source_address",
        "unknown",
    ],
    str,
]
"""Source of the addresses: the setting `WEBHOOK_EGRESS_IPS` (`configured`), or the local address
of connections (`source_address`), which receivers do not see behind NAT. `unknown`: neither is
set. New values may be added. Known values: `configured`, `source_address`, `unknown`.
"""


class Event(TypedDict):
    """An event. `type` determines the fields of `data`: for `link.created`, the schema
    `LinkCreatedEvent` describes the whole event.
    """

    id: str
    """ID of the event, the same for every attempt."""
    type: EventType
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: dict[str, Any]
    """Data of the event. `GET /v1/event-types` returns the schema for each type."""


class EventPage(TypedDict):
    """A page of `Event` objects."""

    data: list[Event]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


EventSubscription: TypeAlias = Union[
    Literal[
        "link.created",
        "link.updated",
        "link.deleted",
        "click",
        "webhook.test",
        "webhook.failing",
        "webhook.disabled",
        "webhook.recovered",
        "token.created",
        "token.revoked",
        "token.expiring",
        "import.finished",
        "*",
    ],
    str,
]
"""An event type, or `*` for all types, including future ones. Token events (`token.*`) must be
named. New values may be added. Known values: `link.created`, `link.updated`, `link.deleted`,
`click`, `webhook.test`, `webhook.failing`, `webhook.disabled`, `webhook.recovered`,
`token.created`, `token.revoked`, `token.expiring`, `import.finished`, `*`.
"""


EventType: TypeAlias = Union[
    Literal[
        "link.created",
        "link.updated",
        "link.deleted",
        "click",
        "webhook.test",
        "webhook.failing",
        "webhook.disabled",
        "webhook.recovered",
        "token.created",
        "token.revoked",
        "token.expiring",
        "import.finished",
    ],
    str,
]
"""Type of an event. New values may be added. Known values: `link.created`, `link.updated`,
`link.deleted`, `click`, `webhook.test`, `webhook.failing`, `webhook.disabled`,
`webhook.recovered`, `token.created`, `token.revoked`, `token.expiring`, `import.finished`.
"""


class EventTypeInfo(TypedDict):
    """An event type, with its meaning and schema."""

    name: EventType
    """Name of the event type."""
    meaning: str
    """When the event occurs."""
    schema: dict[str, Any]
    """JSON Schema (2020-12) of `data`. New fields may be added, so ignore unknown fields."""
    example: dict[str, Any]
    """Complete event of this type, as sent to webhooks."""


class EventTypeInfoPage(TypedDict):
    """A page of `EventTypeInfo` objects."""

    data: list[EventTypeInfo]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class EventWithDeliveries(TypedDict):
    """An event and its deliveries."""

    id: str
    """ID of the event, the same for every attempt."""
    type: EventType
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: dict[str, Any]
    """Data of the event. `GET /v1/event-types` returns the schema for each type."""
    deliveries: list[DeliverySummary]
    """Deliveries of the event: one per webhook, and one more per replay."""


class Explanation(TypedDict):
    """Explains why a webhook did or did not receive an event."""

    event_id: str
    """ID of the event."""
    webhook_id: str
    """ID of the webhook."""
    reason: ExplanationReason
    """Machine-readable reason."""
    sentence: str
    """Human-readable reason."""
    next_step: NextStep
    """Suggested next step."""
    next_attempt_at: str | None
    """Time of the next attempt. Null if the delivery is not pending."""
    delivery: DeliverySummary | None
    """Delivery to this webhook. Null if there is none."""


ExplanationReason: TypeAlias = Union[
    Literal[
        "delivered",
        "waiting",
        "waiting_in_order",
        "waiting_for_batch",
        "waiting_for_circuit",
        "waiting_for_proxy",
        "deliveries_paused",
        "paused_by_receiver",
        "held",
        "failed",
        "canceled",
        "test",
        "not_subscribed",
        "filtered",
        "created_later",
        "webhook_deleted",
    ],
    str,
]
"""Reason code of an explanation. New values may be added. Known values: `delivered`, `waiting`,
`waiting_in_order`, `waiting_for_batch`, `waiting_for_circuit`, `waiting_for_proxy`,
`deliveries_paused`, `paused_by_receiver`, `held`, `failed`, `canceled`, `test`,
`not_subscribed`, `filtered`, `created_later`, `webhook_deleted`.
"""


ExportFormat: TypeAlias = Literal[
    "csv",
    "ndjson",
]
"""Export format: CSV with a header row, or one JSON object per line."""


FieldErrorCode: TypeAlias = Union[
    Literal[
        "required",
        "unknown_field",
        "duplicate",
        "not_an_object",
        "mutually_exclusive",
        "one_of",
        "mismatch",
        "invalid_text",
        "invalid_time",
        "invalid_number",
        "invalid_flag",
        "invalid_duration",
        "invalid_timestamp",
        "in_the_future",
        "not_after_since",
        "in_the_past",
        "invalid_list",
        "invalid_cursor",
        "invalid_key",
        "unknown_value",
        "unknown_timezone",
        "before_start",
        "incompatible",
        "too_many",
        "too_many_points",
        "invalid_sort",
        "invalid_format",
        "invalid_status",
        "invalid_url",
        "too_long",
        "https_required",
        "taken",
        "invalid_scopes",
        "invalid_networks",
        "invalid_rate",
        "after_expiry",
        "invalid_action",
        "invalid_slug",
        "reserved",
        "unchangeable",
        "other_link",
        "not_found",
        "invalid_tags",
        "too_many_tags",
        "restricted",
        "invalid_redirect_status",
        "invalid_conflict_mode",
        "invalid_level",
        "too_small",
        "empty",
        "not_utf8",
        "unsupported_line_endings",
        "format_mismatch",
        "unknown_columns",
        "other_columns",
        "too_many_columns",
        "duplicate_column",
        "invalid_json",
        "invalid_utf8",
        "nul_byte",
        "line_too_long",
        "too_many_cells",
        "bad_quotes",
        "open_quote",
        "has_password",
        "invalid_events",
        "unknown_event",
        "blocked_port",
        "blocked_address",
        "invalid_actions",
        "invalid_link_ids",
        "invalid_changed_fields",
        "invalid_secret",
        "invalid_headers",
        "invalid_header",
        "reserved_header",
        "masked_value",
        "unreadable_value",
        "other_origin",
        "invalid_target",
        "invalid_mail_address",
        "no_mail_server",
        "not_subscribed",
        "invalid_source",
        "invalid_error_class",
    ],
    str,
]
"""Machine-readable error code of a field. New values may be added. Known values:

* `required`: The field is missing.
* `unknown_field`: The field or parameter is not supported by the operation.
* `duplicate`: The value is repeated.
* `not_an_object`: Not a JSON object.
* `mutually_exclusive`: Two mutually exclusive fields are set.
* `one_of`: Exactly one of several fields is required.
* `mismatch`: Differs from the value in the URL.
* `invalid_text`: Too short, too long, blank, or contains control characters.
* `invalid_time`: Not a valid date or time.
* `invalid_number`: Not a whole number in the allowed range.
* `invalid_flag`: Not `true` or `false`.
* `invalid_duration`: Not a duration such as `30d`, or not in the allowed range.
* `invalid_timestamp`: Not a valid RFC 3339 time.
* `in_the_future`: The time is in the future.
* `not_after_since`: Not later than `since`.
* `in_the_past`: The time is in the past.
* `invalid_list`: Not a list, or has too few or too many elements.
* `invalid_cursor`: The cursor is malformed, or belongs to another list or other parameters.
* `invalid_key`: The idempotency key is empty, too long, or contains characters other than
  visible ASCII.
* `unknown_value`: Not one of the allowed values.
* `unknown_timezone`: Not an IANA time zone.
* `before_start`: Not later than `start`.
* `incompatible`: Cannot be combined with the other fields or parameters.
* `too_many`: Too many values.
* `too_many_points`: The response would have too many points.
* `invalid_sort`: The list cannot be sorted this way.
* `invalid_format`: Not an available format.
* `invalid_status`: Not a valid status.
* `invalid_url`: Not a URL that can be used for this field.
* `too_long`: The URL is too long.
* `https_required`: The URL does not start with `https://`.
* `taken`: The value is in use, or was in use before and cannot be reused.
* `invalid_scopes`: Not a list of known scopes.
* `invalid_networks`: Not a list of IP networks or addresses, or too many of them.
* `invalid_rate`: Not a number of requests and a duration, or too high.
* `after_expiry`: Not before the expiry of the token.
* `invalid_action`: Not an audit log action.
* `invalid_slug`: The slug is too long or contains characters that are not allowed.
* `reserved`: The slug is a path of the service itself.
* `unchangeable`: The slug of a link cannot be changed.
* `other_link`: The slug and the external ID belong to different links.
* `not_found`: The link was not found in the workspace.
* `invalid_tags`: Not a list of tags, or has too many tags or tags that are too long.
* `too_many_tags`: The link would have too many tags.
* `restricted`: The link would have none of the tags that the token is restricted to.
* `invalid_redirect_status`: Not a supported redirect status.
* `invalid_conflict_mode`: Not a valid conflict mode.
* `invalid_level`: Not a valid error correction level.
* `too_small`: The image would be too small to scan.
* `empty`: The file is empty.
* `not_utf8`: The file is not UTF-8.
* `unsupported_line_endings`: The lines end with a carriage return (CR) only.
* `format_mismatch`: The file is not in the format that `format` names.
* `unknown_columns`: The columns do not match a supported export.
* `other_columns`: The columns do not match `format`.
* `too_many_columns`: The header row has too many columns.
* `duplicate_column`: The header row has a duplicate column.
* `invalid_json`: The line is not a JSON object, or has a duplicate key.
* `invalid_utf8`: The line is not UTF-8.
* `nul_byte`: The line contains a NUL byte.
* `line_too_long`: The line is too long.
* `too_many_cells`: The line has more cells than the header row.
* `bad_quotes`: Text follows a closing quote.
* `open_quote`: A quote is not closed.
* `has_password`: The link is password-protected, which this service does not support.
* `invalid_events`: Not a list of event types.
* `unknown_event`: Not an event type.
* `blocked_port`: Webhooks cannot use this port.
* `blocked_address`: Webhooks cannot use this IP address.
* `invalid_actions`: Not a list of portal actions.
* `invalid_link_ids`: Not a list of link IDs, or has too few or too many.
* `invalid_changed_fields`: Not a list of link fields.
* `invalid_secret`: Blank or too long, or not base64 after `whsec_`.
* `invalid_headers`: Not an object of header names and values.
* `invalid_header`: Not a valid header name or value, or too long.
* `reserved_header`: The service reserves this header.
* `masked_value`: A masked value instead of the actual value.
* `unreadable_value`: The stored value cannot be decrypted.
* `other_origin`: The stored values were set for another scheme, host or port.
* `invalid_target`: Not a type of notice target.
* `invalid_mail_address`: Not an email address.
* `no_mail_server`: No mail server is configured.
* `not_subscribed`: The webhook is not subscribed to the event.
* `invalid_source`: Not a valid replay source.
* `invalid_error_class`: Not a known error class.
"""


FilterCondition: TypeAlias = Union[
    Literal[
        "restricted_tags",
        "link_ids",
        "tags",
        "human_only",
        "changed_fields",
    ],
    str,
]
"""Condition of a filter. `restricted_tags`: the tags of the restricted token that created the
webhook. New values may be added. Known values: `restricted_tags`, `link_ids`, `tags`,
`human_only`, `changed_fields`.
"""


class FilterTest(TypedDict):
    """Result of a filter for an event."""

    matches: bool
    """Whether the filter includes the event."""
    condition: FilterCondition | None
    """First condition that the event does not meet. Null if the filter includes the event."""
    message: str
    """Human-readable result."""


FindingStatus: TypeAlias = Literal[
    "ok",
    "warn",
    "fail",
]
"""Result of a check: passed, warning or failed."""


class Health(TypedDict):
    """State of a running process."""

    status: Literal["ok"]
    """Always `ok`."""


class Import(TypedDict):
    """An import of links from a file, with its progress."""

    id: str
    """ID of the import."""
    status: ImportStatus
    """Status of the import. `waiting`: two other imports of the workspace are running. `failed`:
    the import stopped early, see `error`. A failed line does not stop the import.
    """
    format: ImportFormat
    """Format of the file. `csv` and `ndjson` use the field names of links; the others are exports
    of other services.
    """
    on_conflict: ConflictMode
    """How to handle a slug or external ID that already exists in the workspace: fail the line,
    skip it, or update the existing link.
    """
    dry_run: bool
    """Whether lines are only checked, without creating or changing links."""
    notify: bool
    """Whether the imported links emit events."""
    bytes: int
    """Size of the file in bytes."""
    bytes_processed: int
    """Number of processed bytes."""
    lines: int
    """Number of processed lines: the sum of `created`, `updated`, `skipped` and `failed`."""
    created: int
    """Number of created links."""
    updated: int
    """Number of updated links."""
    skipped: int
    """Number of lines whose link already existed or needed no change."""
    failed: int
    """Number of failed lines. The report lists them."""
    ignored_columns: list[str]
    """Columns that were ignored, at most 100."""
    preview: list[ImportPreviewRow]
    """The first 10 lines of a dry run that did not fail, as they would be imported. Lines that
    update a link show its values after the update. Empty for other imports.
    """
    error: str | None
    """Why the import failed. Null if it did not fail."""
    created_at: str
    """Time the import was created."""
    started_at: str | None
    """Time processing started. Null until then."""
    finished_at: str | None
    """Time the import ended. Null until then."""


ImportEventData = TypedDict(
    "ImportEventData",
    {
        "import": "Import",
    },
)
"""The import after its end."""


class ImportFinishedEvent(TypedDict):
    """An import has ended. Not sent for dry runs. `status` is `finished`, `canceled` or `failed`."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["import.finished"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: ImportEventData


ImportFormat: TypeAlias = Union[
    Literal[
        "csv",
        "ndjson",
        "bitly",
        "dub",
        "kutt",
        "shlink",
        "yourls",
    ],
    str,
]
"""File format: native, or an export of another service. New values may be added. Known values:
`csv`, `ndjson`, `bitly`, `dub`, `kutt`, `shlink`, `yourls`.
"""


ImportOutcome: TypeAlias = Literal[
    "created",
    "updated",
    "skipped",
]
"""What an import would do with a line."""


class ImportPage(TypedDict):
    """A page of `Import` objects."""

    data: list[Import]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class ImportPreviewRow(TypedDict):
    """A line of a file, as it would be imported."""

    line: int
    """Number of the line in the file."""
    outcome: ImportOutcome
    """What an import would do with the line. `skipped`: the link already exists or needs no
    change.
    """
    slug: str | None
    """Slug of the line. Null if it has none, so that a new link gets a generated slug."""
    url: str
    """Destination URL: http or https, at most 8,192 characters when percent-encoded."""
    title: str | None
    """Display title of the link."""
    tags: list[str]
    """Tags of the link, at most 20. Duplicates are merged."""
    expires_at: str | None
    """Time the link expires. An expired link responds with 410."""


ImportStatus: TypeAlias = Literal[
    "waiting",
    "running",
    "finished",
    "canceled",
    "failed",
]
"""Status of an import."""


class InputError(TypedDict):
    """An invalid field, parameter or header of the request."""

    pointer: NotRequired[str]
    """JSON pointer to the field in the request body."""
    parameter: NotRequired[str]
    """Name of the query parameter."""
    header: NotRequired[str]
    """Name of the request header."""
    code: FieldErrorCode
    detail: str
    """How to fix the value."""


class Instance(TypedDict):
    """Settings and health of the service."""

    version: str
    """Version of the service."""
    checked_at: str
    """Time of the `doctor` checks."""
    processes: list[InstanceProcess]
    """The running processes of all roles, oldest first."""
    settings: list[Setting]
    """All settings, in the order of the settings reference."""
    findings: list[InstanceFinding]
    """Results of the `doctor` checks, in the order they ran."""


class InstanceFinding(TypedDict):
    """Result of a `doctor` check."""

    name: str
    """Name of the check."""
    status: FindingStatus
    """Result of the check."""
    message: str
    """What the check found, and how to fix it."""


class InstanceProcess(TypedDict):
    """A running process of the service."""

    id: str
    """ID of the process."""
    role: InstanceProcessRole
    """Role of the process."""
    status: InstanceProcessStatus
    """Status of the process."""
    version: str
    """Version of the process."""
    host: str
    """Name of the host or container."""
    pid: int
    """Process ID on the host."""
    started_at: str
    """Time of the start."""
    seen_at: str
    """Time of the last report. Processes report every 5 seconds."""
    webhooks: int | None
    """Number of webhooks that its worker currently sends to. Null for the role `api`."""
    lag_seconds: float | None
    """Age in seconds of the oldest click that is not in the database yet. Null for the role
    `worker`.
    """


InstanceProcessRole: TypeAlias = Union[
    Literal[
        "all",
        "api",
        "worker",
    ],
    str,
]
"""Role of a process. New values may be added. Known values: `all`, `api`, `worker`."""


InstanceProcessStatus: TypeAlias = Union[
    Literal[
        "running",
        "draining",
        "drained",
    ],
    str,
]
"""Status of a process. `draining`: its worker finishes its requests and takes no more work.
`drained`: its worker has finished and can be stopped. New values may be added. Known values:
`running`, `draining`, `drained`.
"""


class Link(TypedDict):
    """A short link with its destination, settings and click counts."""

    id: str
    """ID of the link."""
    slug: str
    """Path of the short link."""
    short_url: str
    """Short URL to share with visitors."""
    url: str
    """Destination URL: http or https, at most 8,192 characters when percent-encoded."""
    title: str | None
    """Display title of the link."""
    note: str | None
    """Internal note. Visitors never see it."""
    tags: list[str]
    """Tags of the link, at most 20. Duplicates are merged."""
    external_id: str | None
    """Your own ID for the link, unique in the workspace."""
    redirect_status: Literal[301, 302, 307, 308]
    """HTTP status of the redirect. Default: 302."""
    forward_query: bool
    """Whether the visitor's query is added to the destination. Default: false."""
    enabled: bool
    """A disabled link responds with 410. Default: true."""
    expires_at: str | None
    """Time the link expires. An expired link responds with 410."""
    clicks: ClickCounts
    """Click counts. They lag behind redirects by a fraction of a second."""
    last_clicked_at: str | None
    """Time of the last click. Null before the first click."""
    created_at: str
    """Time the link was created."""
    updated_at: str
    """Time of the last change. Clicks do not count as changes."""


LinkAction: TypeAlias = Union[
    Literal[
        "link.created",
        "link.updated",
        "link.deleted",
    ],
    str,
]
"""Action on a link. New values may be added. Known values: `link.created`, `link.updated`,
`link.deleted`.
"""


LinkAnalyticsGroup: TypeAlias = Literal[
    "time",
    "country",
    "region",
    "city",
    "referrer_host",
    "browser",
    "os",
    "device",
    "language",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "source",
]
"""Dimension of the rows for a link."""


class LinkChange(TypedDict):
    """A change to a link."""

    id: str
    """ID of the audit log entry."""
    action: LinkAction
    """Action that was performed."""
    actor: AuditActor
    """Who performed the action."""
    fields: list[str]
    """Names of the changed fields. Empty if the link was created or deleted."""
    request_id: str | None
    """ID of the request."""
    occurred_at: str
    """Time of the change."""


class LinkChangePage(TypedDict):
    """A page of `LinkChange` objects."""

    data: list[LinkChange]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class LinkCreatedEvent(TypedDict):
    """A link was created."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["link.created"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: LinkEventData


class LinkDeletedEvent(TypedDict):
    """A link was deleted."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["link.deleted"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: LinkEventData


class LinkEventData(TypedDict):
    """The link at the time of the event."""

    link: Link


LinkField: TypeAlias = Union[
    Literal[
        "url",
        "title",
        "note",
        "tags",
        "external_id",
        "redirect_status",
        "forward_query",
        "enabled",
        "expires_at",
    ],
    str,
]
"""A field of a link that users can set. New values may be added. Known values: `url`, `title`,
`note`, `tags`, `external_id`, `redirect_status`, `forward_query`, `enabled`, `expires_at`.
"""


class LinkPage(TypedDict):
    """A page of `Link` objects."""

    data: list[Link]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


LinkSort: TypeAlias = Literal[
    "created_at",
    "-created_at",
    "-clicks",
]
"""Sort order of links. A minus sign means descending."""


class LinkUpdatedEvent(TypedDict):
    """A link was updated. `previous` contains the old values of the changed fields."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["link.updated"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: LinkUpdatedEventData


class LinkUpdatedEventData(TypedDict):
    """The link at the time of the event, and the old values of its changed fields."""

    link: Link
    previous: PreviousLink


NextAction: TypeAlias = Union[
    Literal[
        "redeliver",
        "skip",
        "test",
        "resume",
        "replay",
        "update",
        "none",
    ],
    str,
]
"""Action of a next step. `redeliver`: redeliver the delivery. `skip`: skip the delivery, which
blocks later ones. `test`: send a test. `resume`: set the status of the webhook to `active`.
`replay`: replay events with `"from": "events"`. `update`: change the event types or the filter
of the webhook. `none`: no action is needed, or the API has none. New values may be added. Known
values: `redeliver`, `skip`, `test`, `resume`, `replay`, `update`, `none`.
"""


class NextStep(TypedDict):
    """Suggested next step: a machine-readable action with the IDs it needs, and a human-readable
    message.
    """

    action: NextAction
    """Machine-readable action."""
    message: str
    """Human-readable next step."""
    webhook_id: str | None
    """ID of the webhook that the action is for. Null if the action is `none`."""
    delivery_id: str | None
    """ID of the delivery to redeliver or skip. Null for other actions."""
    since: str | None
    """Start of the replay. Null for other actions."""


NoticeEvent: TypeAlias = Union[
    Literal[
        "webhook.failing",
        "webhook.disabled",
        "webhook.recovered",
        "token.expiring",
        "token.created",
        "token.revoked",
        "import.finished",
    ],
    str,
]
"""Event that a notice can report. New values may be added. Known values: `webhook.failing`,
`webhook.disabled`, `webhook.recovered`, `token.expiring`, `token.created`, `token.revoked`,
`import.finished`.
"""


class NoticeTarget(TypedDict):
    """A channel or email address that receives the notices of a workspace."""

    id: str
    """ID of the target."""
    type: NoticeTargetType
    """Type of the target."""
    address: str
    """Masked address."""
    events: list[NoticeEvent]
    """Events that are sent."""
    last_sent_at: str | None
    """Time of the last accepted message. Null if there is none."""
    failing_since: str | None
    """Time of the first failed attempt to send the messages that are still unsent. Null if the
    target is not failing.
    """
    last_error: str | None
    """Why messages are not accepted. Null if the target is not failing."""
    created_at: str
    """Time the target was created."""


class NoticeTargetPage(TypedDict):
    """A page of `NoticeTarget` objects."""

    data: list[NoticeTarget]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


NoticeTargetType: TypeAlias = Union[
    Literal[
        "slack",
        "discord",
        "email",
    ],
    str,
]
"""Type of a notice target. New values may be added. Known values: `slack`, `discord`, `email`."""


class NoticeTest(TypedDict):
    """Results of a test."""

    results: list[NoticeTestResult]
    """One result for each target."""


class NoticeTestResult(TypedDict):
    """Result of a test for one target."""

    id: str | None
    """ID of the target. Null for a target that the operator has set in `NOTICES`."""
    type: NoticeTargetType
    """Type of the target."""
    address: str
    """Masked address."""
    delivered: bool
    """Whether the target accepted the message."""
    error: str | None
    """Why the message was not accepted. Null if it was accepted."""


PortalAction: TypeAlias = Literal[
    "test",
    "replay",
    "rotate",
]
"""What the visitor of a webhook portal may do."""


class PortalLink(TypedDict):
    """A link to the portal of one webhook."""

    url: str
    """URL to give to the visitor. It works once, in one browser, and is shown only here."""
    expires_at: str
    """Time the link and its session end."""


class PreviousLink(TypedDict):
    """Old values of the changed fields. Unchanged fields are absent."""

    url: NotRequired[str]
    title: NotRequired[str | None]
    note: NotRequired[str | None]
    tags: NotRequired[list[str]]
    external_id: NotRequired[str | None]
    redirect_status: NotRequired[int]
    forward_query: NotRequired[bool]
    enabled: NotRequired[bool]
    expires_at: NotRequired[str | None]


class Problem(TypedDict):
    """An error in the format of RFC 9457. `code` is stable; the messages may change."""

    type: str
    """URL of a page that explains the error and how to fix it."""
    title: str
    """Short summary of the error, the same for every error with this code."""
    status: int
    """HTTP status code."""
    detail: str
    """Explanation of this occurrence of the error."""
    instance: str
    """ID of the request."""
    code: ProblemCode
    errors: NotRequired[list[InputError]]
    """Every invalid field, parameter or header."""
    required: NotRequired[list[str]]
    """Scopes that the operation requires and the token does not have."""
    granted: NotRequired[list[str]]
    """The scopes that the token has."""
    restriction: NotRequired[str]
    """Name of the restriction: `allowed_ips`, `not_before`, `tags` or `portal`."""
    excess: NotRequired[ScopeExcess]
    limit: NotRequired[int]
    """Quota of the workspace."""
    setting: NotRequired[str]
    """Name of the setting that sets the quota."""
    field: NotRequired[str]
    """Name of the field whose value is taken."""
    parts: NotRequired[dict[str, str]]
    """State of each component: `ok` or `failing`."""


ProblemCode: TypeAlias = Union[
    Literal[
        "not_found",
        "method_not_allowed",
        "invalid_json",
        "invalid_query",
        "invalid_header",
        "bad_request",
        "validation_failed",
        "idempotency_mismatch",
        "idempotency_in_progress",
        "idempotency_unreadable",
        "unsupported_media_type",
        "payload_too_large",
        "headers_too_large",
        "request_timeout",
        "precondition_failed",
        "rate_limited",
        "internal_error",
        "unavailable",
        "unauthorized",
        "invalid_token",
        "token_expired",
        "token_revoked",
        "insufficient_scope",
        "restricted",
        "scope_escalation",
        "quota_exceeded",
        "no_session",
        "invalid_code",
        "cross_site",
        "conflict",
        "gone",
        "not_redeliverable",
        "not_skippable",
        "secret_unreadable",
        "headers_unreadable",
        "range_too_large",
        "range_not_kept",
        "not_ready",
    ],
    str,
]
"""Machine-readable error code. New values may be added. Known values: `not_found`,
`method_not_allowed`, `invalid_json`, `invalid_query`, `invalid_header`, `bad_request`,
`validation_failed`, `idempotency_mismatch`, `idempotency_in_progress`,
`idempotency_unreadable`, `unsupported_media_type`, `payload_too_large`, `headers_too_large`,
`request_timeout`, `precondition_failed`, `rate_limited`, `internal_error`, `unavailable`,
`unauthorized`, `invalid_token`, `token_expired`, `token_revoked`, `insufficient_scope`,
`restricted`, `scope_escalation`, `quota_exceeded`, `no_session`, `invalid_code`, `cross_site`,
`conflict`, `gone`, `not_redeliverable`, `not_skippable`, `secret_unreadable`,
`headers_unreadable`, `range_too_large`, `range_not_kept`, `not_ready`.
"""


QrFormat: TypeAlias = Literal[
    "svg",
    "png",
]
"""Image format."""


QrLevel: TypeAlias = Literal[
    "L",
    "M",
    "Q",
    "H",
]
"""Error correction level, the share of the image that can be damaged: L 7%, M 15%, Q 25%, H 30%."""


class Readiness(TypedDict):
    """State of a ready process."""

    status: Literal["ok"]
    """Always `ok`."""
    parts: ComponentStates
    """State of each component, at most half a second old."""


ReadinessUse: TypeAlias = Literal["api"]
"""Purpose the process must be ready for."""


class Replay(TypedDict):
    """Result of a replay request."""

    deliveries: int
    """Number of deliveries that will be sent, or would be sent without `dry_run`."""
    note: str | None
    """Note about events that are not included in the replay. Null if there is none."""


ReplaySource: TypeAlias = Literal[
    "deliveries",
    "events",
]
"""Source of a replay."""


ReplayedStatus: TypeAlias = Literal[
    "failed",
    "all",
]
"""Deliveries to replay. `failed`: failed deliveries. `all`: failed, succeeded and canceled
deliveries.
"""


class ReportedWebhook(TypedDict):
    """The webhook that the event is about."""

    id: str
    url: str
    events: list[str]
    description: str | None
    status: Literal["active", "paused", "disabled"]
    disabled_reason: str | None
    last_success_at: str | None
    failing_since: str | None
    created_at: str
    updated_at: str


class Resolution(TypedDict):
    """Result of a visit to a short link."""

    outcome: ResolutionOutcome
    """Outcome of the visit. Slugs of other workspaces are `unknown`."""
    status: int
    """HTTP status code that the visitor receives."""
    location: str | None
    """URL the visitor is redirected to. Null if there is no redirect."""
    reason: str
    """Explanation of the outcome."""
    link: Link | None
    """The link. Null if it does not exist or was deleted."""


ResolutionOutcome: TypeAlias = Literal[
    "redirect",
    "gone",
    "unknown",
]
"""Outcome of a visit."""


class RevokeToken(TypedDict):
    """A token to revoke, identified by its value."""

    token: str
    """Full value of the token to revoke."""


class RotateToken(TypedDict):
    """Options for a rotation. The request body is optional."""

    overlap: NotRequired[str]
    """How long the old token remains valid, from `1s` to `30d`. Default: `24h`."""


class RotateWebhookSecret(TypedDict):
    """Options of a rotation. The request body is optional."""

    secret: NotRequired[str]
    """Secret that signs requests: 1 to 256 characters, ideally at least 24 random bytes. After
    `whsec_`, it must be base64, and the decoded bytes are the key. Any other secret is used as
    UTF-8 text. Default: a generated secret, which is returned only in this response.
    """
    overlap: NotRequired[str]
    """How long requests are also signed with the old secret, from `1s` to `30d`, or `0s` to stop
    immediately. Default: `24h`.
    """


Scope: TypeAlias = Union[
    Literal[
        "tokens:read",
        "tokens:write",
        "links:read",
        "links:write",
        "clicks:read",
        "webhooks:read",
        "webhooks:write",
        "events:read",
        "audit:read",
        "instance:read",
    ],
    str,
]
"""Permission of a token. A `:write` scope does not include `:read`. New values may be added. Known
values:

* `tokens:read`: List tokens and their usage.
* `tokens:write`: Create, rotate and revoke tokens.
* `links:read`: Read links, their history, tags and exports.
* `links:write`: Create, import, change and delete links.
* `clicks:read`: Read clicks and analytics.
* `webhooks:read`: Read webhooks, deliveries and statistics.
* `webhooks:write`: Manage and test webhooks, and redeliver events.
* `events:read`: Read events, and why webhooks did or did not receive them.
* `audit:read`: Read and export the audit log.
* `instance:read`: Read the settings and health checks of the service.
"""


class ScopeExcess(TypedDict):
    """Requested scopes, expiry and restrictions that exceed those of the calling token."""

    scopes: NotRequired[list[str]]
    """Requested scopes that the calling token does not have."""
    expires_at: NotRequired[str | None]
    """Requested expiry. Null means no expiry."""
    latest: NotRequired[str]
    """Expiry of the calling token, the latest that it can grant."""
    restrictions: NotRequired[dict[str, Any]]
    """How each restriction exceeds that of the calling token, such as the tags that it cannot
    access. Null if the new token lacks the restriction.
    """


class SecretRotation(TypedDict):
    """Secret rotation in progress."""

    old_ends_at: str
    """Time until which requests are also signed with the old secret."""


class SentRequest(TypedDict):
    """The request as sent to the receiver."""

    method: Literal["POST"]
    """HTTP method."""
    url: str
    """URL of the request."""
    headers: dict[str, str]
    """All request headers, including the signature. The values of custom headers are masked."""
    body: str
    """Request body, exactly as signed and sent, in the `format` of the webhook."""
    curl: str
    """Shell command that resends the same headers and body. The signature is that of the test, so
    a receiver that checks the timestamp rejects it after a few minutes. Custom headers are
    masked: insert their values.
    """


class Setting(TypedDict):
    """An effective setting of the responding process."""

    name: str
    """Name of the environment variable."""
    value: str | None
    """Value, in the format of the environment variable. Null if it is not set, and for secrets."""
    is_set: bool
    """Whether the setting has a value, even if the value is not shown."""
    secret: bool
    """Whether the setting is a secret. Its value is never shown."""
    source: SettingSource
    """Source of the setting."""
    default_value: str | None
    """Default value. Null if there is none, or if it depends on other settings."""
    description: str
    """Description of the setting."""
    group: SettingGroup
    """Group of the setting."""


SettingGroup: TypeAlias = Union[
    Literal[
        "network",
        "storage",
        "privacy",
        "webhooks",
        "limits",
        "tokens",
        "process",
        "appearance",
    ],
    str,
]
"""Group of a setting. New values may be added. Known values: `network`, `storage`, `privacy`,
`webhooks`, `limits`, `tokens`, `process`, `appearance`.
"""


SettingSource: TypeAlias = Literal[
    "environment",
    "env_file",
    "file",
    "command_line",
    "data_folder",
    "default",
]
"""Source of a setting: the environment, the `.env` file, a file that the setting with the suffix
`_FILE` names, a command-line argument, a file in the data folder created at the first start, or
the default.
"""


class SubjectExplanation(TypedDict):
    """Explanations of an event for each webhook, or the reason why there are none."""

    event_id: str | None
    """ID of the explained event. Null if there is no event."""
    event_type: EventType | None
    """Type of the event. Null if there is no event."""
    reason: UnexplainedReason | None
    """Reason code for a missing explanation: there is no event, or no webhook that could receive
    it. Null if there are explanations.
    """
    sentence: str | None
    """Human-readable reason for a missing explanation. Null if there are explanations."""
    next_step: NextStep | None
    """Suggested next step if there are no explanations. Null otherwise."""
    data: list[Explanation]
    """One explanation per webhook, newest webhook first. Empty if there is no event or no webhook."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class Tag(TypedDict):
    """A tag, and the number of links with it."""

    tag: str
    """Name of the tag."""
    links: int
    """Number of links with this tag."""


class TagPage(TypedDict):
    """A page of `Tag` objects."""

    data: list[Tag]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class TestSend(TypedDict):
    """Result of a test, with the request and the response."""

    delivered: bool
    """Whether the receiver responded with 2xx."""
    verdict: str
    """What happened, and how to fix it."""
    event: Event
    """Event that was sent."""
    request: SentRequest
    """Request that was sent."""
    attempt: Attempt
    """Attempt with the response."""


class Token(TypedDict):
    """An API token, without its value."""

    id: str
    """ID of the token."""
    name: str
    """Name of the token."""
    scopes: list[Scope]
    """Scopes of the token."""
    restrictions: TokenRestrictions | None
    """Restrictions of the token. Null if it has none."""
    prefix: str
    """First characters of the value."""
    last4: str
    """Last four characters of the value."""
    status: TokenStatus
    """Status of the token. Lists contain only active tokens."""
    created_at: str
    """Time the token was created."""
    expires_at: str | None
    """Time the token expires. Null if it does not expire."""
    last_used_at: str | None
    """Time of the last accepted request. Requests to other processes may take a few seconds to
    appear.
    """
    created_by: str | None
    """ID of the token that created it. Null if it was created from the command line."""
    rotated_from: str | None
    """ID of the token it replaces."""


class TokenCreatedEvent(TypedDict):
    """A token was created, including by a rotation or on the command line."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["token.created"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: TokenEventData


class TokenEventData(TypedDict):
    """The token at the time of the event."""

    token: Token


class TokenExpiringEvent(TypedDict):
    """A token expires within 7 days or 1 day: see `days_left`. Not sent for a token that was
    created with a shorter lifetime.
    """

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["token.expiring"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: TokenExpiringEventData


class TokenExpiringEventData(TypedDict):
    """The token that expires, and the number of days until then."""

    token: Token
    days_left: Literal[7, 1]


class TokenRestrictions(TypedDict):
    """Restrictions of a token. A null field does not restrict."""

    allowed_ips: list[str] | None
    """IP networks that the token can be used from."""
    not_before: str | None
    """Time from which the token is valid."""
    rate_limit: str | None
    """Rate limit of the token."""
    tags: list[str] | None
    """The token can only access links with one of these tags."""


class TokenRevokedEvent(TypedDict):
    """A token was revoked. `revoked_by` is the ID of the token that revoked it, or null if it was
    revoked on the command line.
    """

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["token.revoked"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: TokenRevokedEventData


class TokenRevokedEventData(TypedDict):
    """The revoked token, and the token that revoked it."""

    token: Token
    revoked_by: str | None


TokenStatus: TypeAlias = Literal[
    "active",
    "expired",
    "revoked",
]
"""Status of a token. Only active tokens are accepted."""


class TokenWithUsage(TypedDict):
    """An API token with its usage."""

    id: str
    """ID of the token."""
    name: str
    """Name of the token."""
    scopes: list[Scope]
    """Scopes of the token."""
    restrictions: TokenRestrictions | None
    """Restrictions of the token. Null if it has none."""
    prefix: str
    """First characters of the value."""
    last4: str
    """Last four characters of the value."""
    status: TokenStatus
    """Status of the token. Lists contain only active tokens."""
    created_at: str
    """Time the token was created."""
    expires_at: str | None
    """Time the token expires. Null if it does not expire."""
    last_used_at: str | None
    """Time of the last accepted request. Requests to other processes may take a few seconds to
    appear.
    """
    created_by: str | None
    """ID of the token that created it. Null if it was created from the command line."""
    rotated_from: str | None
    """ID of the token it replaces."""
    unused_scopes: list[Scope]
    """Scopes that no accepted request has used since `scopes_watched_since`. Requests to other
    processes may take a few seconds to appear.
    """
    scopes_watched_since: str
    """Start of the period that `unused_scopes` covers: the creation time of the token."""
    minted: int
    """Number of active tokens created directly by this token."""


class TokenWithUsagePage(TypedDict):
    """A page of `TokenWithUsage` objects."""

    data: list[TokenWithUsage]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


UnexplainedReason: TypeAlias = Union[
    Literal[
        "not_wanted",
        "filtered",
        "not_kept",
        "none_recorded",
        "no_webhook",
    ],
    str,
]
"""Reason code for a missing explanation. New values may be added. Known values: `not_wanted`,
`filtered`, `not_kept`, `none_recorded`, `no_webhook`.
"""


class UpdateLink(TypedDict):
    """Changes to a link. Absent fields stay unchanged, and null clears a field."""

    url: NotRequired[str]
    """Destination URL: http or https, at most 8,192 characters when percent-encoded."""
    title: NotRequired[str | None]
    """Display title of the link."""
    note: NotRequired[str | None]
    """Internal note. Visitors never see it."""
    external_id: NotRequired[str | None]
    """Your own ID for the link, unique in the workspace."""
    redirect_status: NotRequired[Literal[301, 302, 307, 308]]
    """HTTP status of the redirect. Default: 302."""
    forward_query: NotRequired[bool]
    """Whether the visitor's query is added to the destination. Default: false."""
    enabled: NotRequired[bool]
    """A disabled link responds with 410. Default: true."""
    expires_at: NotRequired[str | None]
    """Time the link expires. An expired link responds with 410."""
    tags: NotRequired[list[str] | None]
    """Tags of the link, at most 20. Duplicates are merged."""
    expires_in: NotRequired[str | None]
    """Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot be combined with
    `expires_at`.
    """


class UpdateNoticeTarget(TypedDict):
    """Changes to a notice target."""

    events: NotRequired[list[NoticeEvent]]
    """Events to send, instead of the current ones. Duplicates are merged."""


class UpdateWebhook(TypedDict):
    """Changes to a webhook. Absent fields stay unchanged, and null clears a field."""

    filter: NotRequired[WebhookFilterInput | None]
    """Filter of the events that the webhook receives, in addition to their types. An event must
    meet all conditions. Null for no filter.
    """
    description: NotRequired[str | None]
    """Description of the webhook, for your own reference."""
    max_in_flight: NotRequired[int]
    """Maximum number of concurrent requests to the webhook. Default: 20."""
    ordered: NotRequired[bool]
    """Whether deliveries are sent one at a time, in the order of their events. A failing delivery
    then blocks all later ones until it succeeds, is skipped, or has no retries left. Default:
    false.
    """
    format: NotRequired[WebhookFormat]
    """Format of the request body: the event (`standard`, the default), or a message that describes
    the event in a Slack or Discord channel.
    """
    url: NotRequired[str]
    """URL that receives events: https, at most 2,048 characters, without credentials or fragment,
    and not a private IP address.
    """
    events: NotRequired[list[EventSubscription]]
    """Event types the webhook subscribes to. `*` means all types, including future ones, except
    token events (`token.*`), which must be named. Duplicates are merged.
    """
    secret: NotRequired[str]
    """New secret. For 24 hours, requests are also signed with the old one."""
    batch: NotRequired[WebhookBatchPatch | None]
    """Sends several events in one request with the body `{"batch_id", "events"}`, which is signed
    as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and
    `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`.
    Null for one event per request.
    """
    headers: NotRequired[dict[str, str | None] | None]
    """Custom headers to set, or null to remove one. Absent headers keep their values, and `null`
    instead of the object removes all. If the scheme, host or port of `url` changes, every
    header needs a new value or null.
    """
    status: NotRequired[ChosenWebhookStatus]
    """`paused` holds events. `active` sends held events and reactivates a disabled webhook."""


class Webhook(TypedDict):
    """Your endpoint that receives events, and its delivery health."""

    id: str
    """ID of the webhook."""
    url: str
    """URL that receives events: https, at most 2,048 characters, without credentials or fragment,
    and not a private IP address.
    """
    events: list[EventSubscription]
    """Event types the webhook subscribes to. `*` means all types, including future ones, except
    token events (`token.*`), which must be named. Duplicates are merged.
    """
    filter: WebhookFilter | None
    """Filter of the events that the webhook receives, in addition to their types. An event must
    meet all conditions. Null for no filter.
    """
    description: str | None
    """Description of the webhook, for your own reference."""
    status: WebhookStatus
    """`active` webhooks receive events. Events for `paused` and `disabled` webhooks are held. The
    service disables a webhook whose attempts keep failing, or whose receiver responds with 410.
    """
    disabled_reason: str | None
    """Why the service disabled the webhook. Null if it is not disabled."""
    max_in_flight: int
    """Maximum number of concurrent requests to the webhook. Default: 20."""
    ordered: bool
    """Whether deliveries are sent one at a time, in the order of their events. A failing delivery
    then blocks all later ones until it succeeds, is skipped, or has no retries left. Default:
    false.
    """
    batch: WebhookBatch | None
    """Sends several events in one request with the body `{"batch_id", "events"}`, which is signed
    as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and
    `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`.
    Null for one event per request.
    """
    secret_hint: str
    """Last characters of the secret. Secrets of fewer than 12 characters are not shown."""
    secret_rotation: SecretRotation | None
    """Secret rotation in progress. Null if there is none."""
    format: WebhookFormat
    """Format of the request body: the event (`standard`, the default), or a message that describes
    the event in a Slack or Discord channel.
    """
    headers: dict[str, str]
    """Custom headers of requests to the webhook. Values are never shown."""
    held: int
    """Number of deliveries held until the webhook is active. 0 while it is active."""
    pending: int
    """Number of deliveries waiting to be sent or retried. 0 while the webhook is not active."""
    last_success_at: str | None
    """Time of the last successful attempt."""
    failing_since: str | None
    """Time of the first failure after the last success. Null if there is none."""
    last_error: WebhookError | None
    """Last failed attempt, kept after later successes. Null if no attempt has failed since the URL
    was changed or the webhook was resumed.
    """
    success_rate_24h: float | None
    """Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null
    if there were no attempts.
    """
    next_attempt_at: str | None
    """Earliest time of the next attempt. Null if no delivery is pending."""
    circuit: Circuit
    """State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries
    are sent, because several attempts in a row have failed, or nothing is sent, because the
    receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and
    its result closes or reopens the circuit.
    """
    created_at: str
    """Time the webhook was created."""
    updated_at: str
    """Time of the last change."""


class WebhookBatch(TypedDict):
    """When a batch is sent: when it is full, or when its first event has waited long enough."""

    max: int
    """Maximum number of events in a request."""
    within: str
    """Maximum time that an event waits for others."""


class WebhookBatchInput(TypedDict):
    """When a batch is sent."""

    max: int
    """Maximum number of events in a request."""
    within: str
    """Maximum time that an event waits for others."""


class WebhookBatchPatch(TypedDict):
    """Changes to a batch. A webhook without batches needs both fields."""

    max: NotRequired[int]
    """Maximum number of events in a request."""
    within: NotRequired[str]
    """Maximum time that an event waits for others."""


class WebhookDisabledEvent(TypedDict):
    """The service disabled a webhook, because its attempts kept failing or its receiver responded
    with 410. If the disabled webhook subscribes to this type, its own delivery is held until it
    is active again.
    """

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["webhook.disabled"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: WebhookEventData


WebhookError = TypedDict(
    "WebhookError",
    {
        "class": "AttemptErrorClass",
        "message": "str",
        "status_code": "int | None",
        "at": "str",
        "delivery_id": "str",
    },
)
"""Last failed attempt of a webhook."""


class WebhookEventData(TypedDict):
    """The webhook and the reason for the event."""

    webhook: ReportedWebhook
    reason: str


class WebhookFailingEvent(TypedDict):
    """All delivery attempts to a webhook have failed for 1 day (`WEBHOOK_FAILING_AFTER`)."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["webhook.failing"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: WebhookEventData


class WebhookFilter(TypedDict):
    """Conditions that an event must meet. Each condition applies only to events that have the
    attribute, and other events meet it.
    """

    link_ids: list[str] | None
    """Only events of these links and their clicks. Null for all links. Duplicates are merged."""
    tags: list[str] | None
    """Only events of links that have one of these tags, and their clicks. An update that removes
    the tag counts too. Null for all links. Duplicates are merged.
    """
    human_only: bool
    """Whether clicks of bots are excluded."""
    changed_fields: list[LinkField] | None
    """Only `link.updated` events that changed one of these fields. Null for all updates.
    Duplicates are merged.
    """


class WebhookFilterInput(TypedDict):
    """Conditions of a filter. Null removes a condition."""

    link_ids: NotRequired[list[str] | None]
    """Only events of these links and their clicks. Null for all links. Duplicates are merged."""
    tags: NotRequired[list[str] | None]
    """Only events of links that have one of these tags, and their clicks. An update that removes
    the tag counts too. Null for all links. Duplicates are merged.
    """
    human_only: NotRequired[bool | None]
    """Whether clicks of bots are excluded. Default: false."""
    changed_fields: NotRequired[list[LinkField] | None]
    """Only `link.updated` events that changed one of these fields. Null for all updates.
    Duplicates are merged.
    """


WebhookFormat: TypeAlias = Literal[
    "standard",
    "slack",
    "discord",
]
"""Format of the request body.

* `standard`: The event as JSON.
* `slack`: A message for a Slack incoming webhook.
* `discord`: A message for a Discord webhook.
"""


class WebhookHour(TypedDict):
    """Attempts in one hour."""

    start: str
    """Start of the hour (UTC)."""
    succeeded: int
    """Attempts with a 2xx response."""
    failed: int
    """All other attempts."""


class WebhookLatency(TypedDict):
    """Latency percentiles of attempts in milliseconds. Null if there were no attempts."""

    p50: float | None
    """50th percentile."""
    p95: float | None
    """95th percentile."""
    p99: float | None
    """99th percentile."""


class WebhookPage(TypedDict):
    """A page of `Webhook` objects."""

    data: list[Webhook]
    """Items on this page."""
    has_more: bool
    """Whether more items follow this page."""
    next_cursor: str | None
    """Cursor of the next page. Null if there is none."""


class WebhookRecoveredEvent(TypedDict):
    """A webhook that was reported as failing or disabled has received an event again."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["webhook.recovered"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: WebhookEventData


class WebhookStats(TypedDict):
    """Delivery statistics of a webhook."""

    emitted: int
    """Total number of deliveries, excluding tests: the sum of `succeeded`, `pending`, `held`,
    `failed` and `canceled`.
    """
    succeeded: int
    """Deliveries with a 2xx response."""
    pending: int
    """Deliveries waiting to be sent or retried."""
    held: int
    """Deliveries held until the webhook is active."""
    failed: int
    """Deliveries with no attempts left."""
    canceled: int
    """Deliveries that were not sent because they were skipped or too old, or the webhook was
    deleted.
    """
    attempts: int
    """Total number of attempts, excluding tests."""
    success_rate_24h: float | None
    """Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null
    if there were no attempts.
    """
    hours: list[WebhookHour]
    """Attempts in the current hour and the 23 hours before it, oldest first, including hours
    without attempts. Tests are excluded.
    """
    latency_ms: WebhookLatency
    """Latency in milliseconds, from the last attempt of each of the latest 1,000 deliveries. Only
    attempts in the last 24 hours count.
    """
    next_attempt_at: str | None
    """Earliest time of the next attempt. Null if no delivery is pending."""
    circuit: Circuit
    """State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries
    are sent, because several attempts in a row have failed, or nothing is sent, because the
    receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and
    its result closes or reopens the circuit.
    """
    waiting_for: AwaitedDelivery | None
    """Delivery that blocks all later ones of an ordered webhook. Null if nothing is blocked or the
    webhook is not ordered.
    """


WebhookStatus: TypeAlias = Literal[
    "active",
    "paused",
    "disabled",
]
"""Status of a webhook."""


class WebhookTestEvent(TypedDict):
    """A test event was requested. Sent only to the tested webhook."""

    id: str
    """ID of the event, the same for every attempt."""
    type: Literal["webhook.test"]
    """Type of the event."""
    timestamp: str
    """Time of the event."""
    data: WebhookTestEventData


class WebhookTestEventData(TypedDict):
    """Test message to the receiver."""

    webhook_id: str
    message: str


WorkspaceScope: TypeAlias = Union[
    Literal[
        "tokens:read",
        "tokens:write",
        "links:read",
        "links:write",
        "clicks:read",
        "webhooks:read",
        "webhooks:write",
        "events:read",
        "audit:read",
    ],
    str,
]
"""Scope that a token can grant to a new token. `instance:read` can be granted only on the command
line. New values may be added. Known values:

* `tokens:read`: List tokens and their usage.
* `tokens:write`: Create, rotate and revoke tokens.
* `links:read`: Read links, their history, tags and exports.
* `links:write`: Create, import, change and delete links.
* `clicks:read`: Read clicks and analytics.
* `webhooks:read`: Read webhooks, deliveries and statistics.
* `webhooks:write`: Manage and test webhooks, and redeliver events.
* `events:read`: Read events, and why webhooks did or did not receive them.
* `audit:read`: Read and export the audit log.
"""


WebhookEvent: TypeAlias = Union[
    LinkCreatedEvent,
    LinkUpdatedEvent,
    LinkDeletedEvent,
    ClickEvent,
    WebhookTestEvent,
    WebhookFailingEvent,
    WebhookDisabledEvent,
    WebhookRecoveredEvent,
    TokenCreatedEvent,
    TokenRevokedEvent,
    TokenExpiringEvent,
    ImportFinishedEvent,
]
"""A webhook delivery. The value of `type` determines the fields of `data`. Newer services may send
other types: handle them in the `else` branch."""
