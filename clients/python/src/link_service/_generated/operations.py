# Generated from openapi.json by scripts/client-python.js.
"""The operations of the API."""

from .._request import Operation

API_VERSION = "0.1.0"

LIST_LINKS = Operation(
    "listLinks",
    "GET",
    "/v1/links",
)
CREATE_LINK = Operation(
    "createLink",
    "POST",
    "/v1/links",
    has_key=True,
)
GET_LINK = Operation(
    "getLink",
    "GET",
    "/v1/links/{id}",
)
UPDATE_LINK = Operation(
    "updateLink",
    "PATCH",
    "/v1/links/{id}",
)
DELETE_LINK = Operation(
    "deleteLink",
    "DELETE",
    "/v1/links/{id}",
)
GET_LINK_BY_SLUG = Operation(
    "getLinkBySlug",
    "GET",
    "/v1/links/by-slug/{slug}",
)
PUT_LINK_BY_EXTERNAL_ID = Operation(
    "putLinkByExternalId",
    "PUT",
    "/v1/links/by-external-id/{external_id}",
)
CREATE_LINKS = Operation(
    "createLinks",
    "POST",
    "/v1/links/bulk",
    has_key=True,
)
UPDATE_LINKS = Operation(
    "updateLinks",
    "POST",
    "/v1/links/bulk/update",
    has_key=True,
)
DELETE_LINKS = Operation(
    "deleteLinks",
    "POST",
    "/v1/links/bulk/delete",
    has_key=True,
)
LIST_TAGS = Operation(
    "listTags",
    "GET",
    "/v1/tags",
)
RESOLVE_SLUG = Operation(
    "resolveSlug",
    "GET",
    "/v1/resolve",
)
GET_LINK_QR = Operation(
    "getLinkQr",
    "GET",
    "/v1/links/{id}/qr",
)
LIST_LINK_HISTORY = Operation(
    "listLinkHistory",
    "GET",
    "/v1/links/{id}/history",
)
CREATE_TOKEN = Operation(
    "createToken",
    "POST",
    "/v1/auth/token",
    has_key=True,
)
LIST_TOKENS = Operation(
    "listTokens",
    "GET",
    "/v1/auth/tokens",
)
GET_TOKEN = Operation(
    "getToken",
    "GET",
    "/v1/auth/token/{id}",
)
REVOKE_TOKEN = Operation(
    "revokeToken",
    "DELETE",
    "/v1/auth/token/{id}",
)
ROTATE_TOKEN = Operation(
    "rotateToken",
    "POST",
    "/v1/auth/token/{id}/rotate",
    has_key=True,
)
GET_OWN_TOKEN = Operation(
    "getOwnToken",
    "GET",
    "/v1/auth/token/self",
)
REVOKE_OWN_TOKEN = Operation(
    "revokeOwnToken",
    "DELETE",
    "/v1/auth/token/self",
)
REVOKE_TOKEN_BY_VALUE = Operation(
    "revokeTokenByValue",
    "POST",
    "/v1/auth/revoke",
)
LIST_WEBHOOKS = Operation(
    "listWebhooks",
    "GET",
    "/v1/webhooks",
)
CREATE_WEBHOOK = Operation(
    "createWebhook",
    "POST",
    "/v1/webhooks",
    has_key=True,
)
GET_WEBHOOK = Operation(
    "getWebhook",
    "GET",
    "/v1/webhooks/{id}",
)
UPDATE_WEBHOOK = Operation(
    "updateWebhook",
    "PATCH",
    "/v1/webhooks/{id}",
)
DELETE_WEBHOOK = Operation(
    "deleteWebhook",
    "DELETE",
    "/v1/webhooks/{id}",
)
ROTATE_WEBHOOK_SECRET = Operation(
    "rotateWebhookSecret",
    "POST",
    "/v1/webhooks/{id}/secret/rotate",
    has_key=True,
)
TEST_WEBHOOK_FILTER = Operation(
    "testWebhookFilter",
    "POST",
    "/v1/webhooks/{id}/filter/test",
)
CREATE_PORTAL_LINK = Operation(
    "createPortalLink",
    "POST",
    "/v1/webhooks/{id}/portal",
    has_key=True,
)
SEND_TEST_EVENT = Operation(
    "sendTestEvent",
    "POST",
    "/v1/webhooks/{id}/test",
)
LIST_DELIVERIES = Operation(
    "listDeliveries",
    "GET",
    "/v1/webhooks/{id}/deliveries",
)
GET_DELIVERY = Operation(
    "getDelivery",
    "GET",
    "/v1/webhooks/{id}/deliveries/{delivery_id}",
)
REDELIVER_DELIVERY = Operation(
    "redeliverDelivery",
    "POST",
    "/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
)
SKIP_DELIVERY = Operation(
    "skipDelivery",
    "POST",
    "/v1/webhooks/{id}/deliveries/{delivery_id}/skip",
)
REPLAY_DELIVERIES = Operation(
    "replayDeliveries",
    "POST",
    "/v1/webhooks/{id}/replay",
    has_key=True,
)
GET_WEBHOOK_STATS = Operation(
    "getWebhookStats",
    "GET",
    "/v1/webhooks/{id}/stats",
)
EXPLAIN_EVENT = Operation(
    "explainEvent",
    "GET",
    "/v1/events/{id}/explain",
)
EXPLAIN_LINK = Operation(
    "explainLink",
    "GET",
    "/v1/links/{id}/explain",
)
EXPLAIN_CLICK = Operation(
    "explainClick",
    "GET",
    "/v1/clicks/{id}/explain",
)
LIST_NOTICE_TARGETS = Operation(
    "listNoticeTargets",
    "GET",
    "/v1/workspace/notices",
)
CREATE_NOTICE_TARGET = Operation(
    "createNoticeTarget",
    "POST",
    "/v1/workspace/notices",
    has_key=True,
)
GET_NOTICE_TARGET = Operation(
    "getNoticeTarget",
    "GET",
    "/v1/workspace/notices/{id}",
)
UPDATE_NOTICE_TARGET = Operation(
    "updateNoticeTarget",
    "PATCH",
    "/v1/workspace/notices/{id}",
)
DELETE_NOTICE_TARGET = Operation(
    "deleteNoticeTarget",
    "DELETE",
    "/v1/workspace/notices/{id}",
)
TEST_NOTICES = Operation(
    "testNotices",
    "POST",
    "/v1/workspace/notices/test",
)
LIST_EVENTS = Operation(
    "listEvents",
    "GET",
    "/v1/events",
)
GET_EVENT = Operation(
    "getEvent",
    "GET",
    "/v1/events/{id}",
)
LIST_EVENT_TYPES = Operation(
    "listEventTypes",
    "GET",
    "/v1/event-types",
)
LIST_LINK_CLICKS = Operation(
    "listLinkClicks",
    "GET",
    "/v1/links/{id}/clicks",
)
LIST_CLICKS = Operation(
    "listClicks",
    "GET",
    "/v1/clicks",
)
FOLLOW_LIVE_CLICKS = Operation(
    "followLiveClicks",
    "GET",
    "/v1/clicks/live",
)
GET_ANALYTICS = Operation(
    "getAnalytics",
    "GET",
    "/v1/analytics",
)
GET_LINK_ANALYTICS = Operation(
    "getLinkAnalytics",
    "GET",
    "/v1/links/{id}/analytics",
)
LIST_IMPORTS = Operation(
    "listImports",
    "GET",
    "/v1/imports",
)
CREATE_IMPORT = Operation(
    "createImport",
    "POST",
    "/v1/imports",
    has_key=True,
)
GET_IMPORT = Operation(
    "getImport",
    "GET",
    "/v1/imports/{id}",
)
CANCEL_IMPORT = Operation(
    "cancelImport",
    "DELETE",
    "/v1/imports/{id}",
)
GET_IMPORT_REPORT = Operation(
    "getImportReport",
    "GET",
    "/v1/imports/{id}/report",
)
EXPORT_LINKS = Operation(
    "exportLinks",
    "GET",
    "/v1/links/export",
)
LIST_AUDIT_ENTRIES = Operation(
    "listAuditEntries",
    "GET",
    "/v1/audit-log",
)
EXPORT_AUDIT_ENTRIES = Operation(
    "exportAuditEntries",
    "GET",
    "/v1/audit-log/export",
)
GET_INSTANCE = Operation(
    "getInstance",
    "GET",
    "/v1/instance",
)
GET_EGRESS = Operation(
    "getEgress",
    "GET",
    "/v1/instance/egress",
)
GET_DELIVERY_STATE = Operation(
    "getDeliveryState",
    "GET",
    "/v1/instance/deliveries",
)
