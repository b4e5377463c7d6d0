// Generated from openapi.json by scripts/client-types.js.

export interface paths {
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Who did what to which object, when, from which address. Newest first, append-only, never a secret.
         *
         *     Needs the scope `audit:read`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a token
         * @description The answer is the only place where the value of the token is ever shown. A token cannot give scopes that it lacks, nor a longer life than its own; an `expires_in` that misses the end of its own by less than a minute ends with it.
         *
         *     Needs the scope `tokens:write`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List active tokens
         * @description Newest first; revoked and expired ones are left out.
         *
         *     Needs the scope `tokens:read`.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the calling token
         * @description Which token this is, what it may do, and until when.
         *
         *     Any valid token will do.
         */
        get: operations["getOwnToken"];
        put?: never;
        post?: never;
        /**
         * Revoke the calling token
         * @description It is refused everywhere from then on.
         *
         *     Any valid token will do.
         */
        delete: operations["revokeOwnToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a token
         * @description Also one that has expired or was revoked: `status` says so.
         *
         *     Needs the scope `tokens:read`.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description It is refused everywhere from then on. Repeating the call changes nothing.
         *
         *     Needs the scope `tokens:write`.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a token
         * @description Makes a new token with the same name, scopes and expiry. The old one goes on working until the overlap has passed.
         *
         *     Needs the scope `tokens:write`.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a leaked token
         * @description Needs no bearer: whoever holds the value of a token may end it. The answer is the same for values that are not known.
         *
         *     Needs no token.
         */
        post: operations["revokeTokenByValue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness probe
         * @description The process is running. `/readyz` says whether to send requests to it.
         *
         *     Needs no token.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness probe
         * @description For load balancers. A process that has reached the database since it started is ready for redirects, which it can serve from memory. A worker is ready while it can deliver.
         *
         *     Needs no token.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics
         * @description Metrics of the process, the queue, redirects, clicks and deliveries, for Prometheus.
         *
         *     Needs no token.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many links
         * @description Up to 1,000 links at once, with events and redirects as if each had been created alone. A link sees those before it in the list.
         *
         *     Needs the scope `links:write`.
         */
        post: operations["createLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/bulk/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many links
         * @description Up to 1,000 links at once, by their ids: first the patch, then tags are removed, then added. An id that names no link of the workspace is a fault.
         *
         *     Needs the scope `links:write`.
         */
        post: operations["updateLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/bulk/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many links
         * @description Up to 1,000 links at once, by their ids. Their slugs answer 410 from then on, and are never given out again.
         *
         *     Needs the scope `links:write`.
         */
        post: operations["deleteLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links
         * @description Newest first unless `sort` says otherwise; all filters together.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a link
         * @description It works at once. Only `url` is needed.
         *
         *     Needs the scope `links:write`.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a link
         * @description With how often it was followed.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description Its slug answers 410 from then on, and is never given out again.
         *
         *     Needs the scope `links:write`.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Change a link
         * @description A merge patch: what is absent stays, null clears. The slug cannot be changed. Visitors see the change within a second.
         *
         *     Needs the scope `links:write`.
         */
        patch: operations["updateLink"];
        trace?: never;
    };
    "/v1/links/by-external-id/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a link what is written here
         * @description By your own id for it: the link is created, or changed to this, with absent fields back at their defaults. Its slug stays; another slug than its own is refused. Repeating the call changes nothing.
         *
         *     Needs the scope `links:write`.
         */
        put: operations["putLinkByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a link by its slug
         * @description Needs the scope `links:read`.
         */
        get: operations["getLinkBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who changed a link
         * @description Newest first, from the audit log; also of a link that was deleted.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["listLinkHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of links
         * @description The most used first, with the number of links of each.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say what a visitor would get
         * @description By the rules of the redirect itself, at any time, and without a click.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["resolveSlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw the QR code of a link
         * @description It leads to the short link with `?qr=1`: such visits have the source `qr`. That parameter is not passed on.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["getLinkQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Newest first: those under way, and those that ended in the last 7 days.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Import links from a file
         * @description Takes CSV with a header, or one JSON object on each line, up to 256 MiB and not compressed. It is answered once the whole file is stored; workers then make the links in the order of the lines, each line once, two imports at a time in a workspace. A line may have 64 KiB. Exports of Bitly, Dub, Kutt, Shlink and YOURLS are recognised. The file and its report are kept for 7 days after the end.
         *
         *     Needs the scope `links:write`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an import
         * @description How far it is, and what became of its lines so far.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        /**
         * Stop an import
         * @description What is done stays. One that has ended stays as it is.
         *
         *     Needs the scope `links:write`.
         */
        delete: operations["cancelImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which lines of an import failed
         * @description The lines that failed so far, in their order, each with its number, the reasons and the line itself: as CSV, or as NDJSON where `Accept` says `application/x-ndjson`.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["getImportReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export links to a file
         * @description All links of the list with these filters, as they are at one moment, however long it takes to read them: at most ten minutes. Two exports of a workspace run at a time. In CSV a cell that a spreadsheet would take for a formula begins with an apostrophe; the import takes it off again.
         *
         *     Needs the scope `links:read`.
         */
        get: operations["exportLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a link's clicks
         * @description Newest first.
         *
         *     Needs the scope `clicks:read`.
         */
        get: operations["listLinkClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all clicks
         * @description Every click of the workspace in the order in which they were recorded, oldest first. `next_cursor` is always given: keep it, and pass it as `after` to go on from there, now or next week.
         *
         *     Needs the scope `clicks:read`.
         */
        get: operations["listClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clicks/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow clicks as they come
         * @description Server-sent events: one `click` for each, within a second of its visit, with the record as `data`. Its `id` is a cursor of the feed: sent as `Last-Event-ID`, with the same `link_id`, the stream goes on behind it. A comment comes every 15 seconds. The stream ends when the token does, when the service stops, and when what it sends is not read: connect again, and nothing is missed. A token may have five streams at a time in each process, and a workspace twenty (`WORKSPACE_LIVE_STREAMS`).
         *
         *     Needs the scope `clicks:read`.
         */
        get: operations["followLiveClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Newest first; all filters together. With `after`, also an empty one, the list is a feed: oldest first, with `next_cursor` always given. Keep it, and pass it as `after` to go on from there, now or next week: nothing is missed and nothing comes twice. Clicks are events only where a webhook subscribes to them; `GET /v1/clicks` has them all.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description With its deliveries in short: to which webhooks it goes, and how that stands.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of events
         * @description What a webhook can subscribe to: each with its meaning, the JSON Schema of its `data` and an example.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description From then on every event that it subscribes to is sent to its address, signed. Where the body has no `secret`, one is made, and this answer is the only place where it is shown.
         *
         *     Needs the scopes `webhooks:write` and `events:read`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description With what waits for it and since when it fails. The secret is not shown.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Nothing more is sent to it; what was still to be sent is canceled.
         *
         *     Needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description A merge patch: what is absent stays, null clears. After a change of `secret` the old one signs beside the new one for 24 hours; one that was still signing from an earlier change ends at once. A change of `url` ends whatever pause the old address had caused. What changes `url` or `events` needs the scope `events:read` too, as the webhook will receive them; sending either as it is changes nothing.
         *
         *     Needs the scope `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret
         * @description Gives the webhook a new secret: the one in the body, or one that is made and shown in this answer only. The old one signs beside it until the overlap ends; one that was still signing from an earlier rotation ends at once. With the present secret in the body nothing is rotated, and the overlap can only become shorter: `{"secret": "<the present one>", "overlap": "0s"}` ends the old secret now.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries
         * @description Newest first; all filters together. Tests are among them, marked as such.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description With all its attempts: what was answered, and how long it took.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description As often as you like, also what succeeded. It is sent soon, with the same `webhook-id` and `webhook-sequence`, and its schedule begins anew; one that is pending already is due now. While the webhook is paused or disabled the delivery is `held`, and is sent once the webhook is active again. A test, and what is older than events are kept, is not sent again: 409.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["redeliverDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask why webhooks did or did not get an event
         * @description A reason for programs; a sentence and what can be done for people. Of a `held` event it says why it is held, of a `waiting` one when it is tried next, of a `failed` one how it failed. With `webhook_id` one explanation; without it a page with one for each webhook, the newest webhook first; where the workspace has no webhook, `reason` and `sentence` say so.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["explainEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clicks/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask why webhooks did or did not get a click
         * @description Explains the event that the click became, for one webhook or for all of them. Where it became none, `reason` and `sentence` say why.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["explainClick"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask why webhooks did or did not hear of a link
         * @description Explains the latest event of the link, or the latest of a type, for one webhook or for all of them; also of a link that was deleted. Where there is none, `reason` and `sentence` say why.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["explainLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many deliveries again, or events that the webhook never had
         * @description All deliveries of a time that failed, or all that are completed, become `pending` again within moments, the oldest first, and are sent after whatever is new. With `"from": "events"` the webhook is sent what it never had, also from before it was made, the oldest first, in deliveries of their own that go on with `webhook-sequence`. What is pending already, tests, and what is older than events are kept is left alone. While the webhook is paused or disabled they are `held`.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook's ledger
         * @description What became of every event for this webhook: `emitted` is always the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`. What is sent again moves back to `pending`.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getWebhookStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook
         * @description One signed request, now, also to a webhook that is paused or disabled; the answer says all about it. A test counts nowhere, is not repeated, and goes to this webhook only. A `webhook.test` is an event that `/v1/events` has too; the example of another type is not, so that nobody takes it for a real one.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings and what doctor finds
         * @description The settings of the process that answers, each with where it comes from, and what the command `doctor` would say. No secret is shown. The scope is given on the command line only, because the service belongs to no workspace.
         *
         *     Needs the scope `instance:read`.
         */
        get: operations["getInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count clicks of the workspace
         * @description Counts clicks exactly, never an estimate. A query that would have to read too many single clicks returns 422 with the widest range that fits.
         *
         *     Needs the scope `clicks:read`.
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count clicks of a link
         * @description Like the analytics of the workspace. With `interval=all`, `totals` equals `clicks` of the link.
         *
         *     Needs the scope `clicks:read`.
         */
        get: operations["getLinkAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a short link
         * @description Leads to the address of the link, with the status that the link has, and counts a click. A link that is disabled, has expired or was deleted is gone. Browsers get a page in place of an error in JSON.
         *
         *     Needs no token.
         */
        get: operations["followLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was created.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onLinkCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was changed. `previous` has the old values of what changed.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onLinkUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was deleted.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onLinkDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    click: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was clicked.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onClick"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Someone asked for a test of the webhook. Sent to that webhook only.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All attempts to reach a webhook have failed for as long as `WEBHOOK_FAILING_AFTER` says, a day unless set. Sent to the other webhooks.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onWebhookFailing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook was disabled, because nothing reached it any more. Sent to the other webhooks.
         * @description Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more than once and in any order: tell repetitions by `webhook-id`, and the order by `webhook-sequence`.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Click analytics. */
        Analytics: {
            /** @description The query as it was understood. */
            meta: components["schemas"]["AnalyticsMeta"];
            /** @description Counts of the whole range. */
            totals: components["schemas"]["Figures"];
            /**
             * @description Totals of the previous period, with `compare=previous`.
             * @example null
             */
            previous: components["schemas"]["Figures"] | null;
            /**
             * @description A series in the order of time, including times without clicks. A group has the rows with the most clicks first.
             * @example [
             *       {
             *         "key": "DE",
             *         "clicks": 120,
             *         "human": 100,
             *         "visitors": null
             *       }
             *     ]
             */
            data: components["schemas"]["AnalyticsRow"][];
            /**
             * @description Clicks that are in no row. `data` and `other` add up to `totals`, except by tag: a click counts for each tag.
             * @example null
             */
            other: components["schemas"]["Figures"] | null;
        };
        /**
         * @description Period to compare with.
         * @enum {string}
         */
        AnalyticsComparison: "previous";
        /**
         * @description Length of the points of a series.
         * @enum {string}
         */
        AnalyticsGranularity: "hour" | "day" | "week" | "month";
        /**
         * @description Dimension of the rows.
         * @enum {string}
         */
        AnalyticsGroup: "time" | "country" | "region" | "city" | "referrer_host" | "browser" | "os" | "device" | "language" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "source" | "link" | "tag";
        /**
         * @description A range up to now.
         * @enum {string}
         */
        AnalyticsInterval: "24h" | "7d" | "30d" | "90d" | "12mo" | "all";
        /** @description The query as it was understood. */
        AnalyticsMeta: {
            /**
             * Format: date-time
             * @description Start of the range.
             * @example 2026-01-01T00:00:00.000Z
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the range, exclusive.
             * @example 2026-01-31T00:00:00.000Z
             */
            end: string;
            /**
             * @description Time zone of its days.
             * @example UTC
             */
            timezone: string;
            /**
             * @description Length of the points of a series.
             * @example null
             * @enum {string|null}
             */
            granularity: "hour" | "day" | "week" | "month" | null;
            /**
             * @description Dimension of the rows.
             * @example country
             */
            group_by: string | null;
            /**
             * Format: date-time
             * @description Every click recorded before this time is counted.
             * @example 2026-01-30T12:00:00.000Z
             */
            as_of: string;
            /**
             * @description True when some values have no row of their own and count in `other`: per day, at most 5,000 values of a dimension are counted separately, values known from the last 30 days first. Totals, series, links and tags are always complete.
             * @example false
             */
            truncated: boolean;
        };
        /** @description A row of a series has `start`, a row of a group has `key`. */
        AnalyticsRow: {
            /**
             * @description All clicks.
             * @example 120
             */
            clicks: number;
            /**
             * @description Clicks that are not from known bots.
             * @example 100
             */
            human: number;
            /**
             * @description Unique visitors, counted once per day of UTC and summed over days. Null unless the range is whole days of UTC, and with filters or in groups.
             * @example 80
             */
            visitors: number | null;
            /**
             * Format: date-time
             * @description Start of this point of a series.
             * @example 2026-01-01T00:00:00.000Z
             */
            start?: string;
            /**
             * @description Value of the dimension. Null when it is unknown.
             * @example DE
             */
            key?: string | null;
            /**
             * @description Country of the city.
             * @example DE
             */
            country?: string | null;
            /**
             * @description Region of the city.
             * @example DE-BE
             */
            region?: string | null;
            /**
             * @description Slug of the link.
             * @example spring
             */
            slug?: string;
            /**
             * @description Short URL of the link.
             * @example https://go.example/spring
             */
            short_url?: string;
        };
        /** @description One request to a receiver, and what came of it. */
        Attempt: {
            /**
             * @description Its id.
             * @example att_01kaj4d0qbf9krv2m8x6c3t7hw
             */
            id: string;
            /**
             * @description 1, 2, …; goes on after a redelivery.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-01-31T11:00:00.120Z
             */
            started_at: string;
            /**
             * @description How long it took, in milliseconds.
             * @example 50
             */
            duration_ms: number;
            /**
             * @description What the receiver answered; null when nothing answered.
             * @example 503
             */
            status_code: number | null;
            /**
             * @description Why it failed; null exactly when the attempt succeeded.
             * @example {
             *       "class": "http_status",
             *       "message": "The receiver answered 503."
             *     }
             */
            error: components["schemas"]["AttemptError"] | null;
            /**
             * @description Which of the addresses of the name was asked.
             * @example 203.0.113.80
             */
            remote_address: string | null;
            /**
             * @description The headers of this service that were sent, to compare with what the receiver saw: the signature too, which is worth nothing without the body. Null for attempts made before this was kept.
             * @example {
             *       "content-type": "application/json",
             *       "user-agent": "link-service/0.1.0",
             *       "webhook-id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
             *       "webhook-timestamp": "1769857200",
             *       "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
             *       "webhook-attempt": "1",
             *       "webhook-sequence": "214"
             *     }
             */
            request_headers: {
                [key: string]: string;
            } | null;
            /**
             * @description The headers of the answer; null when nothing answered.
             * @example {
             *       "content-type": "text/plain",
             *       "retry-after": "120"
             *     }
             */
            response_headers: {
                [key: string]: string;
            } | null;
            /**
             * @description The body of the answer, at most 16 KiB of it; null when nothing answered.
             * @example Back in two minutes.
             */
            response_body: string | null;
            /**
             * @description Whether the answer was longer than what was kept.
             * @example false
             */
            response_truncated: boolean;
            /** @description Where the time went. */
            timings: components["schemas"]["AttemptTimings"];
        };
        /** @description Why an attempt failed. */
        AttemptError: {
            /**
             * @description The kind of failure, for programs.
             * @example http_status
             */
            class: components["schemas"]["AttemptErrorClass"];
            /**
             * @description What happened, for people.
             * @example The receiver answered 503.
             */
            message: string;
        };
        /**
         * @description How an attempt can fail.
         * @enum {string}
         */
        AttemptErrorClass: "dns" | "blocked_address" | "refused" | "reset" | "tls" | "timeout" | "too_large" | "redirect" | "http_status" | "canceled" | "other";
        /** @description Where the time of an attempt went, in milliseconds. */
        AttemptTimings: {
            /**
             * @description Looking up the name; null where that was not needed.
             * @example 3.1
             */
            dns_ms: number | null;
            /**
             * @description Null on a connection that was open already.
             * @example 11.8
             */
            connect_ms: number | null;
            /**
             * @description The TLS handshake; null without one.
             * @example 14.2
             */
            tls_ms: number | null;
            /**
             * @description From the sent request to the first byte of the answer.
             * @example 20.4
             */
            first_byte_ms: number | null;
            /**
             * @description All of it.
             * @example 50.3
             */
            total_ms: number | null;
        };
        /**
         * @description What was done.
         * @enum {string}
         */
        AuditAction: "token.created" | "token.rotated" | "token.revoked" | "token.refused" | "link.created" | "link.updated" | "link.deleted" | "session.created" | "session.refused" | "session.ended" | "webhook.created" | "webhook.changed" | "webhook.secret_rotated" | "webhook.deleted" | "webhook.disabled";
        /** @description Who did it. */
        AuditActor: {
            /**
             * @description What kind of actor it was.
             * @example token
             */
            type: components["schemas"]["AuditActorType"];
            /**
             * @description The token that acted; null for the others.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            id: string | null;
        };
        /**
         * @description Who can act: `service` is the service itself.
         * @enum {string}
         */
        AuditActorType: "token" | "command_line" | "service";
        /** @description Who did what to which object, when and from where. */
        AuditEntry: {
            /**
             * @description Its id.
             * @example aud_01kaj3v9z5e0b9t1n8w2k4r6qs
             */
            id: string;
            /**
             * @description What was done.
             * @example token.created
             */
            action: components["schemas"]["AuditAction"];
            /** @description Who did it. */
            actor: components["schemas"]["AuditActor"];
            /** @description What it was done to. */
            object: components["schemas"]["AuditObject"];
            /**
             * @description Where the request came from.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The id of the request; null where there was none.
             * @example k3Jv0Qf2aLx91
             */
            request_id: string | null;
            /**
             * @description What else there is to say, by the action. Never a secret.
             * @example {
             *       "name": "ci",
             *       "scopes": [
             *         "links:read"
             *       ]
             *     }
             */
            details: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-01-31T12:00:00.000Z
             */
            occurred_at: string;
        };
        /** @description One page of a list, each entry of which is a `AuditEntry`. */
        AuditEntryPage: {
            /** @description What is on this page. */
            data: components["schemas"]["AuditEntry"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description What it was done to. */
        AuditObject: {
            /**
             * @description What kind of object it was.
             * @example token
             */
            type: components["schemas"]["AuditObjectType"];
            /**
             * @description Its id; null where there was none yet.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string | null;
        };
        /**
         * @description What the audit log speaks of.
         * @enum {string}
         */
        AuditObjectType: "token" | "session" | "link" | "webhook";
        /** @description Many links to make. */
        BulkCreate: {
            /**
             * @description Whether all are done or none, as it is when absent: then one fault refuses the call, with every fault named. False: each is done by itself, and its fault stands in its result.
             * @example true
             */
            atomic?: boolean;
            /** @description The links, each as it is created alone. They are taken in this order. */
            links: components["schemas"]["CreateLink"][];
            /**
             * @description What is done where a link of the workspace has the slug or the external id already: `fail`, also when absent; `skip` leaves it as it is; `update` changes it by the fields that came, and leaves the others. A slug of another workspace or of a deleted link is a fault in each case.
             * @example skip
             */
            on_conflict?: components["schemas"]["ConflictMode"];
        };
        /** @description Many links to delete. */
        BulkDelete: {
            /**
             * @description Whether all are done or none, as it is when absent: then one fault refuses the call, with every fault named. False: each is done by itself, and its fault stands in its result.
             * @example true
             */
            atomic?: boolean;
            /**
             * @description The ids of the links.
             * @example [
             *       "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *     ]
             */
            ids: string[];
        };
        /** @description Why one of many was not done. */
        BulkFault: {
            /**
             * @description As of a call for this link alone.
             * @example conflict
             */
            code: string;
            /**
             * @description What happened.
             * @example The slug spring is taken, or was once and is not given out again. Choose another.
             */
            detail: string;
            /**
             * @description Every wrong place, with pointers into the body of the call.
             * @example [
             *       {
             *         "pointer": "/links/17/slug",
             *         "code": "taken",
             *         "detail": "The slug spring is taken, or was once and is not given out again. Choose another."
             *       }
             *     ]
             */
            errors: components["schemas"]["InputError"][];
        };
        /** @description What became of all of them, and of each. */
        BulkReport: {
            /**
             * @description How many were created.
             * @example 2
             */
            created: number;
            /**
             * @description How many were changed.
             * @example 0
             */
            updated: number;
            /**
             * @description How many were deleted.
             * @example 0
             */
            deleted: number;
            /**
             * @description How many were left as they are.
             * @example 0
             */
            skipped: number;
            /**
             * @description How many failed.
             * @example 0
             */
            failed: number;
            /** @description One for each, in the order that came. */
            results: components["schemas"]["BulkResult"][];
        };
        /** @description What became of one of many. */
        BulkResult: {
            /**
             * @description Its place in the list that came, from 0 on.
             * @example 0
             */
            index: number;
            /**
             * @description `skipped`: it was there already, or nothing of it had to be changed.
             * @example created
             */
            status: components["schemas"]["BulkStatus"];
            /**
             * @description The link as this left it; null where it failed.
             * @example null
             */
            link: components["schemas"]["Link"] | null;
            /**
             * @description Null where it did not fail.
             * @example null
             */
            error: components["schemas"]["BulkFault"] | null;
        };
        /**
         * @description What can become of one of many.
         * @enum {string}
         */
        BulkStatus: "created" | "updated" | "deleted" | "skipped" | "failed";
        /** @description One change for many links. */
        BulkUpdate: {
            /**
             * @description Whether all are done or none, as it is when absent: then one fault refuses the call, with every fault named. False: each is done by itself, and its fault stands in its result.
             * @example true
             */
            atomic?: boolean;
            /**
             * @description The ids of the links.
             * @example [
             *       "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *     ]
             */
            ids: string[];
            /** @description Changes each of the links as `PATCH /v1/links/:id` does. */
            patch?: components["schemas"]["UpdateLink"];
            /**
             * @description Tags that each of the links has from then on, beside its own.
             * @example [
             *       "sale"
             *     ]
             */
            add_tags?: string[];
            /**
             * @description Tags that none of the links has from then on.
             * @example [
             *       "draft"
             *     ]
             */
            remove_tags?: string[];
        };
        /**
         * @description Why a delivery was canceled: `retention`, it waited longer than events are kept, or `webhook_deleted`.
         * @enum {string}
         */
        CanceledReason: "retention" | "webhook_deleted";
        /**
         * @description What you can make of a webhook.
         * @enum {string}
         */
        ChosenWebhookStatus: "active" | "paused";
        /**
         * @description Whether attempts are made.
         * @enum {string}
         */
        Circuit: "closed" | "open" | "half_open";
        /** @description One visit to a short link, as far as it may be kept. */
        Click: {
            /**
             * @description Its id.
             * @example clk_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description The link that was followed.
             * @example lnk_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            link_id: string;
            /**
             * @description The path that was visited.
             * @example spring
             */
            slug: string;
            /**
             * @description Where the visitor was sent.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * Format: date-time
             * @description When it was.
             * @example 2026-01-31T12:00:00.000Z
             */
            occurred_at: string;
            /**
             * @description Whether the visitor was a bot, such as a crawler, a link preview or an HTTP library.
             * @example false
             */
            bot: boolean;
            /**
             * @description The page that the visitor came from.
             * @example https://news.example/today
             */
            referrer: string | null;
            /**
             * @description The host of that page.
             * @example news.example
             */
            referrer_host: string | null;
            /**
             * @description ISO 3166, two letters.
             * @example DE
             */
            country: string | null;
            /**
             * @description ISO 3166-2, where a MaxMind file of cities knows it.
             * @example DE-BE
             */
            region: string | null;
            /**
             * @description Its English name.
             * @example Berlin
             */
            city: string | null;
            /**
             * @description The name of the browser, or of the app whose built-in browser it is. Null when it is not one of the known names.
             * @example Firefox
             */
            browser: string | null;
            /**
             * @description The operating system. Null when it is not one of the known names.
             * @example Linux
             */
            os: string | null;
            /**
             * @description The kind of device: `bot` for every bot, null when unknown.
             * @example desktop
             */
            device: components["schemas"]["Device"] | null;
            /**
             * @description The first language that the visitor asks for, as BCP 47 writes it.
             * @example de-DE
             */
            language: string | null;
            /**
             * @description The `utm_source` of the visited address, or else of the target: its first 100 characters.
             * @example mail
             */
            utm_source: string | null;
            /**
             * @description The `utm_medium` of the visited address, or else of the target: its first 100 characters.
             * @example email
             */
            utm_medium: string | null;
            /**
             * @description The `utm_campaign` of the visited address, or else of the target: its first 100 characters.
             * @example spring
             */
            utm_campaign: string | null;
            /**
             * @description The `utm_term` of the visited address, or else of the target: its first 100 characters.
             * @example shoes
             */
            utm_term: string | null;
            /**
             * @description The `utm_content` of the visited address, or else of the target: its first 100 characters.
             * @example banner
             */
            utm_content: string | null;
            /**
             * @description Whether the link itself was followed, or its picture was scanned.
             * @example link
             */
            source: components["schemas"]["ClickSource"];
            /**
             * @description Cut to its network unless the operator says otherwise.
             * @example 203.0.113.0
             */
            ip: string | null;
            /**
             * @description The same for one visitor on one day.
             * @example q1Zr7m0VxkJt2nB5cW9dYA
             */
            visitor: string | null;
            /**
             * @description The event that webhooks were sent; null where none wanted clicks when it was recorded. It has the digits of the click.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string | null;
        };
        /** @description How often a link was followed. */
        ClickCounts: {
            /**
             * @description All clicks.
             * @example 1200
             */
            total: number;
            /**
             * @description Without known bots.
             * @example 1100
             */
            human: number;
        };
        /** @description A link was clicked. */
        ClickEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "click";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T11:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["ClickEventData"];
        };
        /** @description The click, and the link that was followed. */
        ClickEventData: {
            click: components["schemas"]["Click"];
            link: components["schemas"]["ClickedLink"];
        };
        /** @description One page of a list, each entry of which is a `Click`. */
        ClickPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Click"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description How a link can be followed.
         * @enum {string}
         */
        ClickSource: "link" | "qr";
        /** @description The link of a click, without the fields that each click changes. */
        ClickedLink: {
            id: string;
            slug: string;
            short_url: string;
            url: string;
            title: string | null;
            tags: string[];
            external_id: string | null;
        };
        /**
         * @description Whether a component works.
         * @enum {string}
         */
        ComponentState: "ok" | "failing";
        /** @description The state of each component that the service uses. */
        ComponentStates: {
            /**
             * @description PostgreSQL.
             * @example ok
             */
            database: components["schemas"]["ComponentState"];
            /**
             * @description Whether the database has the tables of this version.
             * @example ok
             */
            migrations: components["schemas"]["ComponentState"];
            /**
             * @description The connection that tells processes about changes.
             * @example ok
             */
            change_feed: components["schemas"]["ComponentState"];
            /**
             * @description The queue of jobs. While it fails, deliveries start a few seconds later.
             * @example ok
             */
            queue: components["schemas"]["ComponentState"];
        };
        /**
         * @description What is done where a link is there already.
         * @enum {string}
         */
        ConflictMode: "fail" | "skip" | "update";
        /** @description A link to create. Only `url` is required. */
        CreateLink: {
            /**
             * @description The destination: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * @description A label for people.
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description A note for people in the workspace. Visitors never see it.
             * @example Printed on the spring flyers.
             */
            note?: string | null;
            /**
             * @description Your own ID for the link, unique in the workspace.
             * @example campaign-17
             */
            external_id?: string | null;
            /**
             * @description The HTTP status of the redirect. The default is 302.
             * @example 302
             * @enum {integer}
             */
            redirect_status?: 301 | 302 | 307 | 308;
            /**
             * @description Whether the visitor's query is added to the destination's. The default is false.
             * @example false
             */
            forward_query?: boolean;
            /**
             * @description A disabled link answers 410. The default is true.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description From then on, the link answers 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Words to find the link by, at most 20. Repeated tags are stored once.
             * @example [
             *       "sale",
             *       "mail"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description When the link expires, as a time from now such as 30d. Not together with `expires_at`.
             * @example 30d
             */
            expires_in?: string | null;
            /**
             * @description The path of the short link. Seven characters are generated if it is absent.
             * @example spring
             */
            slug?: string;
        };
        /** @description What to send, again or for the first time. */
        CreateReplay: {
            /**
             * @description Deliveries made from this time on, or events from this time on: a time, or how long ago as a whole number and s, m (minutes), h, d or w.
             * @example 1d
             */
            since: string;
            /**
             * @description And no later than this, written as `since` is. Absent: now.
             * @example 2026-01-31T12:00:00Z
             */
            until?: string;
            /**
             * @description Which of them. Absent: `failed`. Not together with `"from": "events"`.
             * @example failed
             */
            status?: components["schemas"]["ReplayedStatus"];
            /**
             * @description Only events of these types. Absent: all.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events?: components["schemas"]["EventType"][];
            /**
             * @description Absent: `deliveries`. `deliveries`: what was sent to this webhook is sent again. `events`: what this webhook never had is sent for the first time, also from before it was made, as far as it subscribes to it now.
             * @example deliveries
             */
            from?: components["schemas"]["ReplaySource"];
            /**
             * @description Only says how many it would be; nothing is sent.
             * @example false
             */
            dry_run?: boolean;
        };
        /** @description What to send. The body may be left out. */
        CreateTestSend: {
            /**
             * @description The type whose example is sent; it need not be one that the webhook subscribes to. Absent: `webhook.test`.
             * @example webhook.test
             */
            event?: components["schemas"]["EventType"];
        };
        /** @description A token to make: only `name` is needed. */
        CreateToken: {
            /**
             * @description A label for people.
             * @example ci
             */
            name: string;
            /**
             * @description What the token may do. Absent: all that the calling token may, but for `instance:read`, which is given on the command line only. Repetitions fold.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes?: components["schemas"]["WorkspaceScope"][];
            /**
             * @description How long it works, from 60s to 365d: a whole number and s, m (minutes), h, d or w. Absent or null: it does not expire.
             * @example 30d
             */
            expires_in?: string | null;
        };
        /** @description A webhook to make: where events are sent, and which. */
        CreateWebhook: {
            /**
             * @description A note for people.
             * @example The warehouse
             */
            description?: string | null;
            /**
             * @description How many requests it is sent at the same time, at most; 20 unless you say otherwise.
             * @example 20
             */
            max_in_flight?: number;
            /**
             * @description Where events are sent: https, at most 2,048 characters, without credentials and fragment, and not a private address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description The events it wants; `*` for all, also those that are added later. Repetitions fold.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events: (components["schemas"]["EventType"] | "*")[];
            /**
             * @description Signs what is sent: 1 to 256 characters of your own; 24 or more random bytes are best. `whsec_` and base64 stand for those bytes, anything else for its own bytes in UTF-8. Absent: one is made and shown in the answer. It is never shown again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        /** @description A new token with its value, which is shown in this answer only. */
        CreatedToken: {
            /**
             * @description Its id.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description A label for people.
             * @example ci
             */
            name: string;
            /**
             * @description What it may do.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description How the value begins.
             * @example lsk_live_
             */
            prefix: string;
            /**
             * @description How the value ends.
             * @example x7Qa
             */
            last4: string;
            /**
             * @description Lists hold active tokens only.
             * @example active
             */
            status: components["schemas"]["TokenStatus"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends; null for never.
             * @example 2026-03-02T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The last accepted use; other replicas may lag some seconds behind.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description The token that minted it; null when it came from the command line.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            created_by: string | null;
            /**
             * @description The token that it replaces.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description The value, shown only in this answer.
             * @example lsk_live_…
             */
            token: string;
        };
        /** @description A webhook with the secret that was made for it. */
        CreatedWebhook: {
            /**
             * @description Its id.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            id: string;
            /**
             * @description Where events are sent: https, at most 2,048 characters, without credentials and fragment, and not a private address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description The events it wants; `*` for all, also those that are added later. Repetitions fold.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events: (components["schemas"]["EventType"] | "*")[];
            /**
             * @description A note for people.
             * @example The warehouse
             */
            description: string | null;
            /**
             * @description Only an active webhook is sent anything; for the others events are held. The service disables a webhook that nothing reaches any more.
             * @example active
             */
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why it was disabled; null when it is not.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * @description How many requests it is sent at the same time, at most; 20 unless you say otherwise.
             * @example 20
             */
            max_in_flight: number;
            /**
             * @description How the secret ends; of a secret with fewer than 12 characters nothing is shown.
             * @example …LaSw
             */
            secret_hint: string;
            /**
             * @description Null when no old secret signs any more.
             * @example null
             */
            secret_rotation: components["schemas"]["SecretRotation"] | null;
            /**
             * @description Deliveries that wait for it to be active again; 0 while it is active.
             * @example 0
             */
            held: number;
            /**
             * @description Deliveries that are still to be sent, or sent again; 0 while it is not active.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description The last attempt that succeeded.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description The first failure after the last success.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The secret that was made. Keep it: it is shown in this answer only. Null for one of your own.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string | null;
        };
        /** @description The sending of one event to one webhook, and how it stands. */
        Delivery: {
            /**
             * @description Its id.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            id: string;
            /**
             * @description The webhook that it goes to.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description The event that is sent.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description What happened.
             * @example click
             */
            event_type: components["schemas"]["EventType"];
            /**
             * @description Its place in the order of this webhook; null until it is first taken to be sent, and for tests.
             * @example 214
             */
            sequence: number | null;
            /**
             * @description How it stands.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description How often it was tried.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When it is tried next, as far as is known now: when its own time has come, a pause that the receiver asked for is over and, for what is no retry, the circuit lets it through. Null for what is not pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description The newest attempt; null until there is one.
             * @example {
             *       "id": "att_01kaj4d0qbf9krv2m8x6c3t7hw",
             *       "number": 1,
             *       "started_at": "2026-01-31T11:00:00.120Z",
             *       "duration_ms": 50,
             *       "status_code": 503,
             *       "error": {
             *         "class": "http_status",
             *         "message": "The receiver answered 503."
             *       },
             *       "remote_address": "203.0.113.80",
             *       "request_headers": {
             *         "content-type": "application/json",
             *         "user-agent": "link-service/0.1.0",
             *         "webhook-id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
             *         "webhook-timestamp": "1769857200",
             *         "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
             *         "webhook-attempt": "1",
             *         "webhook-sequence": "214"
             *       },
             *       "response_headers": {
             *         "content-type": "text/plain",
             *         "retry-after": "120"
             *       },
             *       "response_body": "Back in two minutes.",
             *       "response_truncated": false,
             *       "timings": {
             *         "dns_ms": 3.1,
             *         "connect_ms": 11.8,
             *         "tls_ms": 14.2,
             *         "first_byte_ms": 20.4,
             *         "total_ms": 50.3
             *       }
             *     }
             */
            last_attempt: components["schemas"]["Attempt"] | null;
            /**
             * @description Whether it was made by pressing test. Tests count nowhere and are never repeated.
             * @example false
             */
            test: boolean;
            /**
             * @description Why it was canceled; null for what was not.
             * @example null
             */
            canceled_reason: components["schemas"]["CanceledReason"] | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T11:00:00.100Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it succeeded, failed for good or was canceled; null before.
             * @example null
             */
            completed_at: string | null;
        };
        /** @description One page of a list, each entry of which is a `Delivery`. */
        DeliveryPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Delivery"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description `pending`: will be sent, or sent again. `held`: will be sent once the webhook is active again. `succeeded`: was answered 2xx. `failed`: the schedule has ended. `canceled`: its webhook was deleted, or it waited longer than events are kept.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "held" | "succeeded" | "failed" | "canceled";
        /** @description How the sending of an event to a webhook stands. */
        DeliverySummary: {
            /**
             * @description Its id.
             * @example dlv_01kaj4d0r2f5w8z1b4d7g0j3mq
             */
            id: string;
            /**
             * @description The webhook that it goes to.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description How it stands.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description How often it was tried.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description Null when nothing more is to be sent, or not before the webhook is active again.
             * @example 2026-01-31T10:00:05.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it succeeded, failed for good or was canceled; null before.
             * @example null
             */
            completed_at: string | null;
        };
        /** @description A delivery, and everything that was tried. */
        DeliveryWithAttempts: {
            /**
             * @description Its id.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            id: string;
            /**
             * @description The webhook that it goes to.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description The event that is sent.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description What happened.
             * @example click
             */
            event_type: components["schemas"]["EventType"];
            /**
             * @description Its place in the order of this webhook; null until it is first taken to be sent, and for tests.
             * @example 214
             */
            sequence: number | null;
            /**
             * @description How it stands.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description How often it was tried.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When it is tried next, as far as is known now: when its own time has come, a pause that the receiver asked for is over and, for what is no retry, the circuit lets it through. Null for what is not pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description The newest attempt; null until there is one.
             * @example {
             *       "id": "att_01kaj4d0qbf9krv2m8x6c3t7hw",
             *       "number": 1,
             *       "started_at": "2026-01-31T11:00:00.120Z",
             *       "duration_ms": 50,
             *       "status_code": 503,
             *       "error": {
             *         "class": "http_status",
             *         "message": "The receiver answered 503."
             *       },
             *       "remote_address": "203.0.113.80",
             *       "request_headers": {
             *         "content-type": "application/json",
             *         "user-agent": "link-service/0.1.0",
             *         "webhook-id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
             *         "webhook-timestamp": "1769857200",
             *         "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
             *         "webhook-attempt": "1",
             *         "webhook-sequence": "214"
             *       },
             *       "response_headers": {
             *         "content-type": "text/plain",
             *         "retry-after": "120"
             *       },
             *       "response_body": "Back in two minutes.",
             *       "response_truncated": false,
             *       "timings": {
             *         "dns_ms": 3.1,
             *         "connect_ms": 11.8,
             *         "tls_ms": 14.2,
             *         "first_byte_ms": 20.4,
             *         "total_ms": 50.3
             *       }
             *     }
             */
            last_attempt: components["schemas"]["Attempt"] | null;
            /**
             * @description Whether it was made by pressing test. Tests count nowhere and are never repeated.
             * @example false
             */
            test: boolean;
            /**
             * @description Why it was canceled; null for what was not.
             * @example null
             */
            canceled_reason: components["schemas"]["CanceledReason"] | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T11:00:00.100Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it succeeded, failed for good or was canceled; null before.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description All of them, the oldest first.
             * @example [
             *       {
             *         "id": "att_01kaj4d0qbf9krv2m8x6c3t7hw",
             *         "number": 1,
             *         "started_at": "2026-01-31T11:00:00.120Z",
             *         "duration_ms": 50,
             *         "status_code": 503,
             *         "error": {
             *           "class": "http_status",
             *           "message": "The receiver answered 503."
             *         },
             *         "remote_address": "203.0.113.80",
             *         "request_headers": {
             *           "content-type": "application/json",
             *           "user-agent": "link-service/0.1.0",
             *           "webhook-id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
             *           "webhook-timestamp": "1769857200",
             *           "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
             *           "webhook-attempt": "1",
             *           "webhook-sequence": "214"
             *         },
             *         "response_headers": {
             *           "content-type": "text/plain",
             *           "retry-after": "120"
             *         },
             *         "response_body": "Back in two minutes.",
             *         "response_truncated": false,
             *         "timings": {
             *           "dns_ms": 3.1,
             *           "connect_ms": 11.8,
             *           "tls_ms": 14.2,
             *           "first_byte_ms": 20.4,
             *           "total_ms": 50.3
             *         }
             *       }
             *     ]
             */
            attempts: components["schemas"]["Attempt"][];
        };
        /**
         * @description The kind of device. `other` is a television, console, watch or headset.
         * @enum {string}
         */
        Device: "desktop" | "mobile" | "tablet" | "bot" | "other";
        /** @description Something that happened. `type` says what, and so what `data` has. More types may be added. */
        Event: components["schemas"]["LinkCreatedEvent"] | components["schemas"]["LinkUpdatedEvent"] | components["schemas"]["LinkDeletedEvent"] | components["schemas"]["ClickEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["WebhookFailingEvent"] | components["schemas"]["WebhookDisabledEvent"];
        /** @description One page of a list, each entry of which is a `Event`. */
        EventPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Event"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description What can happen. More may be added.
         * @enum {string}
         */
        EventType: "link.created" | "link.updated" | "link.deleted" | "click" | "webhook.test" | "webhook.failing" | "webhook.disabled";
        /** @description A type of event: what it means and what it carries. */
        EventTypeInfo: {
            /**
             * @description Its name.
             * @example link.updated
             */
            name: components["schemas"]["EventType"];
            /**
             * @description When it happens.
             * @example A link was changed. `previous` has the old values of what changed.
             */
            meaning: string;
            /**
             * @description The JSON Schema (2020-12) of `data`. Fields may be added to it, so allow for unknown ones.
             * @example {
             *       "type": "object",
             *       "properties": {}
             *     }
             */
            schema: {
                [key: string]: unknown;
            };
            /**
             * @description A whole event of this type, as it is sent.
             * @example {
             *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
             *       "type": "link.updated",
             *       "timestamp": "2026-01-31T10:00:00.000Z",
             *       "data": {
             *         "link": {
             *           "id": "lnk_01kaj3v9z4f8hva3x7m2c5d6ne",
             *           "slug": "spring",
             *           "short_url": "http://localhost:3000/spring",
             *           "url": "https://example.com/spring?utm_source=mail",
             *           "title": "Summer sale",
             *           "note": "Printed on the spring flyers.",
             *           "tags": [
             *             "sale",
             *             "mail"
             *           ],
             *           "external_id": "campaign-17",
             *           "redirect_status": 302,
             *           "forward_query": false,
             *           "enabled": true,
             *           "expires_at": null,
             *           "clicks": {
             *             "total": 0,
             *             "human": 0
             *           },
             *           "last_clicked_at": null,
             *           "created_at": "2026-01-31T09:00:00.000Z",
             *           "updated_at": "2026-01-31T10:00:00.000Z"
             *         },
             *         "previous": {
             *           "title": "Spring sale"
             *         }
             *       }
             *     }
             */
            example: {
                [key: string]: unknown;
            };
        };
        /** @description One page of a list, each entry of which is a `EventTypeInfo`. */
        EventTypeInfoPage: {
            /** @description What is on this page. */
            data: components["schemas"]["EventTypeInfo"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description An event, and what became of it. */
        EventWithDeliveries: (components["schemas"]["LinkCreatedEvent"] | components["schemas"]["LinkUpdatedEvent"] | components["schemas"]["LinkDeletedEvent"] | components["schemas"]["ClickEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["WebhookFailingEvent"] | components["schemas"]["WebhookDisabledEvent"]) & {
            /** @description One for each webhook that it goes to, and one more for each replay. */
            deliveries: components["schemas"]["DeliverySummary"][];
        };
        /** @description Why a webhook did or did not get an event. */
        Explanation: {
            /**
             * @description The event that is asked about.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description The webhook that is asked about.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description The reason, for programs.
             * @example waiting
             */
            reason: components["schemas"]["ExplanationReason"];
            /**
             * @description The reason in words.
             * @example Attempt 1 failed: The receiver answered 503. Attempt 2 will be made at 2026-01-31T11:00:05.320Z.
             */
            sentence: string;
            /**
             * @description What can be done.
             * @example Wait, or POST to /redeliver of the delivery to have it sent now.
             */
            next_step: string;
            /**
             * Format: date-time
             * @description When it is tried next; null for what is not pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description The delivery to this webhook; null when there is none.
             * @example null
             */
            delivery: components["schemas"]["DeliverySummary"] | null;
        };
        /**
         * @description Why a webhook did or did not get an event, for programs.
         * @enum {string}
         */
        ExplanationReason: "delivered" | "waiting" | "waiting_for_circuit" | "paused_by_receiver" | "held" | "failed" | "canceled" | "test" | "not_subscribed" | "created_later" | "webhook_deleted";
        /**
         * @description CSV with a header, or one JSON object on each line.
         * @enum {string}
         */
        ExportFormat: "csv" | "ndjson";
        /**
         * @description What is wrong with a field, for programs. More may be added.
         *
         *     - `required`: The field is missing.
         *     - `unknown_field`: The call has no such field or parameter.
         *     - `given_twice`: Given more than once.
         *     - `not_an_object`: Not a JSON object.
         *     - `not_both`: Two fields were given that exclude each other.
         *     - `one_of`: Exactly one of several fields must be given.
         *     - `not_the_same`: Differs from the value in the URL.
         *     - `invalid_text`: Too short, too long, blank, or with control characters.
         *     - `invalid_time`: Not a valid date or time.
         *     - `invalid_number`: Not a whole number within the bounds.
         *     - `invalid_flag`: Not `true` or `false`.
         *     - `invalid_duration`: Not a duration such as `30d`, or not within the bounds.
         *     - `invalid_timestamp`: Not a valid RFC 3339 time.
         *     - `in_the_future`: The time is in the future.
         *     - `not_after_since`: Not later than `since`.
         *     - `in_the_past`: The time is in the past.
         *     - `invalid_list`: Not a list, or with too few or too many elements.
         *     - `invalid_cursor`: Not a cursor of this list with these parameters.
         *     - `invalid_key`: The idempotency key is empty, too long, or not of visible ASCII characters.
         *     - `unknown_value`: Not one of the allowed values.
         *     - `unknown_timezone`: Not a time zone of the IANA database.
         *     - `before_start`: Not later than `start`.
         *     - `not_with_this`: Cannot be combined with the other parameters.
         *     - `too_many`: Too many values.
         *     - `too_many_points`: The response would have too many points.
         *     - `invalid_sort`: The list cannot be sorted this way.
         *     - `invalid_format`: Not an available format.
         *     - `invalid_status`: Not a valid status.
         *     - `invalid_url`: Not a URL that can be used here.
         *     - `too_long`: The URL is too long.
         *     - `https_required`: The URL does not begin with `https://`.
         *     - `taken`: The value is in use, or was in use and is not available again.
         *     - `invalid_scopes`: Not a list of known scopes.
         *     - `invalid_action`: Not an action of the audit log.
         *     - `invalid_slug`: The slug is too long or has characters that are not allowed.
         *     - `reserved`: The slug is a path of the service itself.
         *     - `unchangeable`: The slug of a link cannot be changed.
         *     - `other_link`: The slug and the external ID name different links.
         *     - `not_found`: The workspace has no such link.
         *     - `invalid_tags`: Not a list of tags, or with too many or too long tags.
         *     - `too_many_tags`: The link would have too many tags.
         *     - `invalid_redirect_status`: Not a status code of a redirect.
         *     - `invalid_conflict_mode`: Not a way to handle existing links.
         *     - `invalid_level`: Not an error correction level of QR codes.
         *     - `too_small`: The image would be too small to scan.
         *     - `empty`: The file is empty.
         *     - `not_utf8`: The file is not UTF-8.
         *     - `line_ends`: The lines end with a carriage return alone.
         *     - `other_format`: The body is not in the format that `format` names.
         *     - `unknown_columns`: The columns are not those of a known export.
         *     - `other_columns`: The columns are not those of the export that `format` names.
         *     - `too_many_columns`: The header row has too many columns.
         *     - `column_twice`: The header row has a column twice.
         *     - `invalid_json`: The line is not a JSON object, or has a key twice.
         *     - `invalid_utf8`: The line is not UTF-8.
         *     - `nul_byte`: The line has a NUL byte.
         *     - `line_too_long`: The line is too long.
         *     - `too_many_cells`: The line has more cells than the header row.
         *     - `bad_quotes`: Text follows a closing quote.
         *     - `open_quote`: A quote is not closed.
         *     - `has_password`: The link had a password and would be open to everybody here.
         *     - `invalid_events`: Not a list of event types of the catalog.
         *     - `unknown_event`: Not an event type of the catalog.
         *     - `blocked_port`: Webhooks cannot use this port.
         *     - `blocked_address`: Webhooks cannot use this IP address.
         *     - `invalid_secret`: Blank or too long.
         *     - `not_subscribed`: The webhook is not subscribed to the event.
         *     - `invalid_source`: Not a source of a replay.
         * @example invalid_flag
         * @enum {string}
         */
        FieldErrorCode: "required" | "unknown_field" | "given_twice" | "not_an_object" | "not_both" | "one_of" | "not_the_same" | "invalid_text" | "invalid_time" | "invalid_number" | "invalid_flag" | "invalid_duration" | "invalid_timestamp" | "in_the_future" | "not_after_since" | "in_the_past" | "invalid_list" | "invalid_cursor" | "invalid_key" | "unknown_value" | "unknown_timezone" | "before_start" | "not_with_this" | "too_many" | "too_many_points" | "invalid_sort" | "invalid_format" | "invalid_status" | "invalid_url" | "too_long" | "https_required" | "taken" | "invalid_scopes" | "invalid_action" | "invalid_slug" | "reserved" | "unchangeable" | "other_link" | "not_found" | "invalid_tags" | "too_many_tags" | "invalid_redirect_status" | "invalid_conflict_mode" | "invalid_level" | "too_small" | "empty" | "not_utf8" | "line_ends" | "other_format" | "unknown_columns" | "other_columns" | "too_many_columns" | "column_twice" | "invalid_json" | "invalid_utf8" | "nul_byte" | "line_too_long" | "too_many_cells" | "bad_quotes" | "open_quote" | "has_password" | "invalid_events" | "unknown_event" | "blocked_port" | "blocked_address" | "invalid_secret" | "not_subscribed" | "invalid_source";
        /** @description Numbers of clicks. */
        Figures: {
            /**
             * @description All clicks.
             * @example 120
             */
            clicks: number;
            /**
             * @description Clicks that are not from known bots.
             * @example 100
             */
            human: number;
            /**
             * @description Unique visitors, counted once per day of UTC and summed over days. Null unless the range is whole days of UTC, and with filters or in groups.
             * @example 80
             */
            visitors: number | null;
        };
        /**
         * @description How it stands: well, worth a look, or broken.
         * @enum {string}
         */
        FindingStatus: "ok" | "warn" | "fail";
        /** @description The process is running. */
        Health: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        /** @description A file of links, and how far it is. */
        Import: {
            /**
             * @description Its id.
             * @example imp_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description `waiting` while two others of the workspace run. `failed` is an import that could not go on, and says why in `error`; lines that failed do not make it one.
             * @example running
             */
            status: components["schemas"]["ImportStatus"];
            /**
             * @description Whose export it is. `csv` and `ndjson` have the fields of a link by their own names.
             * @example bitly
             */
            format: components["schemas"]["ImportFormat"];
            /**
             * @description Where a link of the workspace has the slug or the external id: the line fails, is skipped, or changes that link.
             * @example skip
             */
            on_conflict: components["schemas"]["ConflictMode"];
            /**
             * @description Whether nothing is made or changed.
             * @example false
             */
            dry_run: boolean;
            /**
             * @description Whether the links make events.
             * @example true
             */
            notify: boolean;
            /**
             * @description How long the body is.
             * @example 1048576
             */
            bytes: number;
            /**
             * @description How much of the body is done.
             * @example 524288
             */
            bytes_done: number;
            /**
             * @description Lines that are done: the sum of the four counts below.
             * @example 5000
             */
            lines: number;
            /**
             * @description Links that were created.
             * @example 4990
             */
            created: number;
            /**
             * @description Links that were changed.
             * @example 0
             */
            updated: number;
            /**
             * @description Lines whose link was there, or was so already.
             * @example 7
             */
            skipped: number;
            /**
             * @description Lines that are in the report.
             * @example 3
             */
            failed: number;
            /**
             * @description Columns that nothing was taken from, at most 100.
             * @example [
             *       "created_at",
             *       "archived"
             *     ]
             */
            ignored_columns: string[];
            /**
             * @description Why it failed as a whole.
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the first lines were read.
             * @example 2026-01-31T12:00:01.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended; null before.
             * @example null
             */
            finished_at: string | null;
        };
        /**
         * @description Whose export a file is.
         * @enum {string}
         */
        ImportFormat: "csv" | "ndjson" | "bitly" | "dub" | "kutt" | "shlink" | "yourls";
        /** @description One page of a list, each entry of which is a `Import`. */
        ImportPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Import"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description How an import stands.
         * @enum {string}
         */
        ImportStatus: "waiting" | "running" | "finished" | "canceled" | "failed";
        /** @description One wrong place in the input: `pointer`, `parameter` or `header` says where. */
        InputError: {
            /**
             * @description A field of the body, as a JSON pointer.
             * @example /enabled
             */
            pointer?: string;
            /**
             * @description A query parameter.
             * @example limit
             */
            parameter?: string;
            /**
             * @description A request header.
             * @example Idempotency-Key
             */
            header?: string;
            code: components["schemas"]["FieldErrorCode"];
            /**
             * @description What to write instead.
             * @example Write true or false, without quotes.
             */
            detail: string;
        };
        /** @description The service itself: what it runs with, and how it stands. */
        Instance: {
            /**
             * @description The version of the service.
             * @example 0.1.0
             */
            version: string;
            /**
             * Format: date-time
             * @description When `doctor` looked.
             * @example 2026-01-31T12:00:00.000Z
             */
            examined_at: string;
            /** @description Every setting, in the order of the reference. */
            settings: components["schemas"]["Setting"][];
            /** @description What `doctor` found, in the order of its looks. */
            findings: components["schemas"]["InstanceFinding"][];
        };
        /** @description One thing that `doctor` looked at, and what it found. */
        InstanceFinding: {
            /**
             * @description What was looked at.
             * @example disk_space
             */
            name: string;
            /**
             * @description How it stands.
             * @example ok
             */
            status: components["schemas"]["FindingStatus"];
            /**
             * @description What was found, and what to do about it.
             * @example 120.4 GiB are free.
             */
            message: string;
        };
        /** @description A short link: where it leads, for how long, and how often it was followed. */
        Link: {
            /**
             * @description Its id.
             * @example lnk_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description The path of the short link.
             * @example spring
             */
            slug: string;
            /**
             * Format: uri
             * @description The address to give to visitors.
             * @example http://localhost:3000/spring
             */
            short_url: string;
            /**
             * @description The destination: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * @description A label for people.
             * @example Spring sale
             */
            title: string | null;
            /**
             * @description A note for people in the workspace. Visitors never see it.
             * @example Printed on the spring flyers.
             */
            note: string | null;
            /**
             * @description Words to find the link by, at most 20. Repeated tags are stored once.
             * @example [
             *       "sale",
             *       "mail"
             *     ]
             */
            tags: string[];
            /**
             * @description Your own ID for the link, unique in the workspace.
             * @example campaign-17
             */
            external_id: string | null;
            /**
             * @description The HTTP status of the redirect. The default is 302.
             * @example 302
             * @enum {integer}
             */
            redirect_status: 301 | 302 | 307 | 308;
            /**
             * @description Whether the visitor's query is added to the destination's. The default is false.
             * @example false
             */
            forward_query: boolean;
            /**
             * @description A disabled link answers 410. The default is true.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description From then on, the link answers 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at: string | null;
            /** @description They lag behind the redirects by a fraction of a second. */
            clicks: components["schemas"]["ClickCounts"];
            /**
             * Format: date-time
             * @description The last click; null before the first.
             * @example null
             */
            last_clicked_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed. Clicks do not change it.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description What can be done to a link.
         * @enum {string}
         */
        LinkAction: "link.created" | "link.updated" | "link.deleted";
        /**
         * @description Dimension of the rows for a link.
         * @enum {string}
         */
        LinkAnalyticsGroup: "time" | "country" | "region" | "city" | "referrer_host" | "browser" | "os" | "device" | "language" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "source";
        /** @description Who changed a link, and which fields of it. */
        LinkChange: {
            /**
             * @description Of the entry of the audit log.
             * @example aud_01kaj3v9z5e0b9t1n8w2k4r6qs
             */
            id: string;
            /**
             * @description What was done.
             * @example link.updated
             */
            action: components["schemas"]["LinkAction"];
            /** @description Who did it. */
            actor: components["schemas"]["AuditActor"];
            /**
             * @description The fields that were changed; none where the link was created or deleted.
             * @example [
             *       "url",
             *       "tags"
             *     ]
             */
            fields: string[];
            /**
             * @description The id of the request.
             * @example k3Jv0Qf2aLx91
             */
            request_id: string | null;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-01-31T12:00:00.000Z
             */
            occurred_at: string;
        };
        /** @description One page of a list, each entry of which is a `LinkChange`. */
        LinkChangePage: {
            /** @description What is on this page. */
            data: components["schemas"]["LinkChange"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A link was created. */
        LinkCreatedEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "link.created";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["LinkEventData"];
        };
        /** @description A link was deleted. */
        LinkDeletedEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "link.deleted";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["LinkEventData"];
        };
        /** @description The link as it was then. */
        LinkEventData: {
            link: components["schemas"]["Link"];
        };
        /** @description One page of a list, each entry of which is a `Link`. */
        LinkPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Link"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description Order of the links. A minus means descending.
         * @enum {string}
         */
        LinkSort: "created_at" | "-created_at" | "-clicks";
        /** @description A link was changed. `previous` has the old values of what changed. */
        LinkUpdatedEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "link.updated";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T10:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["LinkUpdatedEventData"];
        };
        /** @description The link, and what it was before. */
        LinkUpdatedEventData: {
            link: components["schemas"]["Link"];
            previous: components["schemas"]["PreviousLink"];
        };
        /** @description The old values of the changed fields, and of no others. */
        PreviousLink: {
            url?: string;
            title?: string | null;
            note?: string | null;
            tags?: string[];
            external_id?: string | null;
            redirect_status?: number;
            forward_query?: boolean;
            enabled?: boolean;
            expires_at?: string | null;
        };
        /** @description An error, after RFC 9457. `code` is stable; the texts are for people and may change. */
        Problem: {
            /**
             * Format: uri
             * @description A page with cause and remedy.
             * @example http://localhost:3000/errors/validation_failed
             */
            type: string;
            /**
             * @description What this code means.
             * @example The input is not valid
             */
            title: string;
            /**
             * @description The HTTP status.
             * @example 422
             */
            status: number;
            /**
             * @description What happened this time.
             * @example The input is not valid.
             */
            detail: string;
            /**
             * @description The id of the request.
             * @example k3Jv0Qf2aLx91
             */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description Every wrong place in the input. */
            errors?: components["schemas"]["InputError"][];
            /**
             * @description The scopes that the operation needs and the token lacks.
             * @example [
             *       "links:write"
             *     ]
             */
            required?: string[];
            /**
             * @description The scopes that the token has.
             * @example [
             *       "links:read"
             *     ]
             */
            granted?: string[];
            excess?: components["schemas"]["ScopeExcess"];
            /**
             * @description How much the workspace may have.
             * @example 100
             */
            limit?: number;
            /**
             * @description The setting in which the operator can raise the limit.
             * @example WORKSPACE_WEBHOOKS
             */
            setting?: string;
            /**
             * @description The field whose value is taken.
             * @example slug
             */
            field?: string;
            /**
             * @description The state of each component: `ok` or `failing`.
             * @example {
             *       "database": "failing",
             *       "migrations": "failing",
             *       "change_feed": "failing",
             *       "queue": "ok"
             *     }
             */
            parts?: {
                [key: string]: string;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Which error it is, for programs. More may be added.
         * @enum {string}
         */
        ProblemCode: "not_found" | "method_not_allowed" | "invalid_json" | "invalid_query" | "invalid_header" | "bad_request" | "validation_failed" | "idempotency_mismatch" | "idempotency_in_progress" | "idempotency_unreadable" | "unsupported_media_type" | "payload_too_large" | "headers_too_large" | "request_timeout" | "precondition_failed" | "rate_limited" | "internal_error" | "unavailable" | "unauthorized" | "invalid_token" | "token_expired" | "token_revoked" | "insufficient_scope" | "scope_escalation" | "quota_exceeded" | "no_session" | "invalid_code" | "cross_site" | "conflict" | "gone" | "not_redeliverable" | "secret_unreadable" | "range_too_large" | "range_not_kept" | "not_ready";
        /**
         * @description The kinds of picture.
         * @enum {string}
         */
        QrFormat: "svg" | "png";
        /**
         * @description How much of a picture may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %.
         * @enum {string}
         */
        QrLevel: "L" | "M" | "Q" | "H";
        /** @description The process is ready. */
        Readiness: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            status: "ok";
            /** @description Each component, at most half a second ago. */
            parts: components["schemas"]["ComponentStates"];
        };
        /**
         * @description What the process must be ready for.
         * @enum {string}
         */
        ReadinessUse: "api";
        /** @description What will be sent. */
        Replay: {
            /**
             * @description How many will be sent, or would be in a dry run.
             * @example 312
             */
            deliveries: number;
            /**
             * @description What is not among them although one might expect it; null when there is nothing to say.
             * @example null
             */
            note: string | null;
        };
        /**
         * @description What a replay sends.
         * @enum {string}
         */
        ReplaySource: "deliveries" | "events";
        /**
         * @description `failed`: what failed. `all`: what succeeded and what was canceled too.
         * @enum {string}
         */
        ReplayedStatus: "failed" | "all";
        /** @description The webhook that an event is about. */
        ReportedWebhook: {
            id: string;
            url: string;
            events: string[];
            description: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            disabled_reason: string | null;
            last_success_at: string | null;
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description What a visitor would get. */
        Resolution: {
            /**
             * @description A slug of another workspace is `unknown`.
             * @example redirect
             */
            outcome: components["schemas"]["ResolutionOutcome"];
            /**
             * @description The HTTP status that the visitor gets.
             * @example 302
             */
            status: number;
            /**
             * @description Where the visitor is sent.
             * @example https://example.com/spring?utm_source=mail
             */
            location: string | null;
            /**
             * @description Why, as a sentence.
             * @example The link is enabled and has not expired.
             */
            reason: string;
            /**
             * @description The link; null where there is none, or none any more.
             * @example null
             */
            link: components["schemas"]["Link"] | null;
        };
        /**
         * @description What a visitor can get.
         * @enum {string}
         */
        ResolutionOutcome: "redirect" | "gone" | "unknown";
        /** @description A token by its value. */
        RevokeToken: {
            /**
             * @description The whole value of the token to revoke.
             * @example lsk_live_…
             */
            token: string;
        };
        /** @description How the old token ends. The body may be left out. */
        RotateToken: {
            /**
             * @description How long the old token goes on working, from 1s to 30d. Absent: 24h.
             * @example 24h
             */
            overlap?: string;
        };
        /** @description The new secret, and how the old one ends. The body may be left out. */
        RotateWebhookSecret: {
            /**
             * @description Signs what is sent: 1 to 256 characters of your own; 24 or more random bytes are best. `whsec_` and base64 stand for those bytes, anything else for its own bytes in UTF-8. Absent: one is made and shown in the answer. It is never shown again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
            /**
             * @description How long the old secret signs beside the new one, from 1s to 30d; 0s ends it at once. Absent: 24h.
             * @example 24h
             */
            overlap?: string;
        };
        /**
         * @description What a token may do. A `:write` does not include the `:read`.
         * @enum {string}
         */
        Scope: "tokens:read" | "tokens:write" | "links:read" | "links:write" | "clicks:read" | "webhooks:read" | "webhooks:write" | "events:read" | "audit:read" | "instance:read";
        /** @description What a token was to give and does not have: scopes, or a time. */
        ScopeExcess: {
            /**
             * @description The scopes that the calling token lacks.
             * @example [
             *       "tokens:write"
             *     ]
             */
            scopes?: string[];
            /**
             * Format: date-time
             * @description The end that was asked for; null for none.
             * @example null
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description When the calling token ends: the latest time that it can give.
             * @example 2026-03-02T12:00:00.000Z
             */
            latest?: string;
        };
        /** @description A change of the secret that is not over yet. */
        SecretRotation: {
            /**
             * Format: date-time
             * @description Until then the old secret signs beside the new one.
             * @example 2026-02-01T12:00:00.000Z
             */
            old_ends_at: string;
        };
        /** @description A request as the receiver got it. */
        SentRequest: {
            /**
             * @description The method.
             * @example POST
             * @enum {string}
             */
            method: "POST";
            /**
             * @description The address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description All headers, the signature among them.
             * @example {
             *       "content-type": "application/json",
             *       "webhook-id": "evt_01kaj4d0qae6svf0k9w3m7x2ht"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description The very bytes that were signed and sent.
             * @example {"id":"evt_01kaj4d0q…
             */
            body: string;
            /**
             * @description For a shell: sends the same bytes and headers again. Its signature is that of the test, so a receiver that checks the time refuses it after some minutes.
             * @example curl --globoff -X POST 'https://receiver.example/hooks' -H 'content-type: application/json' …
             */
            curl: string;
        };
        /** @description A setting that the answering process runs with. */
        Setting: {
            /**
             * @description The name of its environment variable.
             * @example RATE_LIMIT
             */
            name: string;
            /**
             * @description Its value as it would be written; null where nothing is set, and for every secret.
             * @example 600/1m
             */
            value: string | null;
            /**
             * @description Whether there is a value, also where it is not shown.
             * @example true
             */
            is_set: boolean;
            /**
             * @description Whether it is a secret, whose value is never shown.
             * @example false
             */
            secret: boolean;
            /**
             * @description Where it comes from.
             * @example environment
             */
            source: components["schemas"]["SettingSource"];
            /**
             * @description What holds where nothing is set; null for nothing, or where it follows from other settings.
             * @example 600/1m
             */
            default_value: string | null;
            /**
             * @description What it is.
             * @example How many API calls one token may make in which time, over all replicas; `off` for no limit.
             */
            description: string;
        };
        /**
         * @description Where a setting comes from: the environment, the `.env` file, the word behind the command, a file that the first start made in the data folder, or nowhere.
         * @enum {string}
         */
        SettingSource: "environment" | "env_file" | "command_line" | "data_folder" | "default";
        /** @description An event, or what a click or a link became, explained for each webhook; or why there is nothing to explain. */
        SubjectExplanation: {
            /**
             * @description The event that is explained; null where there is none.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string | null;
            /**
             * @description The type of the event; null where there is none.
             * @example click
             */
            event_type: components["schemas"]["EventType"] | null;
            /**
             * @description Why there is no explanation: there is no event, or no webhook that could get it. Null where there is one.
             * @example null
             */
            reason: components["schemas"]["UnexplainedReason"] | null;
            /**
             * @description The same in words.
             * @example null
             */
            sentence: string | null;
            /**
             * @description What can be done then.
             * @example null
             */
            next_step: string | null;
            /** @description One for each webhook, the newest webhook first; empty where there is no event or no webhook. */
            data: components["schemas"]["Explanation"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A tag, and how many links have it. */
        Tag: {
            /**
             * @description The word.
             * @example sale
             */
            tag: string;
            /**
             * @description How many links have it.
             * @example 12
             */
            links: number;
        };
        /** @description One page of a list, each entry of which is a `Tag`. */
        TagPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Tag"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description How a test went, with everything that was sent and answered. */
        TestSend: {
            /**
             * @description Whether the receiver answered 2xx.
             * @example true
             */
            delivered: boolean;
            /**
             * @description What happened, and what to do about it.
             * @example The receiver answered 204 in 35 ms.
             */
            verdict: string;
            /** @description The event that was sent. */
            event: Omit<components["schemas"]["Event"], "type">;
            /** @description What was sent. */
            request: components["schemas"]["SentRequest"];
            /** @description What came of it. */
            attempt: components["schemas"]["Attempt"];
        };
        /** @description A token without its value: what it may do, and until when. */
        Token: {
            /**
             * @description Its id.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description A label for people.
             * @example ci
             */
            name: string;
            /**
             * @description What it may do.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description How the value begins.
             * @example lsk_live_
             */
            prefix: string;
            /**
             * @description How the value ends.
             * @example x7Qa
             */
            last4: string;
            /**
             * @description Lists hold active tokens only.
             * @example active
             */
            status: components["schemas"]["TokenStatus"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends; null for never.
             * @example 2026-03-02T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The last accepted use; other replicas may lag some seconds behind.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description The token that minted it; null when it came from the command line.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            created_by: string | null;
            /**
             * @description The token that it replaces.
             * @example null
             */
            rotated_from: string | null;
        };
        /**
         * @description Whether a token works, and why not.
         * @enum {string}
         */
        TokenStatus: "active" | "expired" | "revoked";
        /** @description A token as it is listed and read: with what it was used for and what it made. */
        TokenWithUse: {
            /**
             * @description Its id.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description A label for people.
             * @example ci
             */
            name: string;
            /**
             * @description What it may do.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description How the value begins.
             * @example lsk_live_
             */
            prefix: string;
            /**
             * @description How the value ends.
             * @example x7Qa
             */
            last4: string;
            /**
             * @description Lists hold active tokens only.
             * @example active
             */
            status: components["schemas"]["TokenStatus"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends; null for never.
             * @example 2026-03-02T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The last accepted use; other replicas may lag some seconds behind.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description The token that minted it; null when it came from the command line.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            created_by: string | null;
            /**
             * @description The token that it replaces.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description Those of its scopes that no accepted call has needed since `scopes_watched_since`: what it could do without. Other replicas may lag some seconds behind.
             * @example [
             *       "links:read"
             *     ]
             */
            unused_scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description When the token was made, or when an older service learned to watch.
             * @example 2026-01-31T12:00:00.000Z
             */
            scopes_watched_since: string;
            /**
             * @description How many active tokens it has made, without those that these have made.
             * @example 2
             */
            minted: number;
        };
        /** @description One page of a list, each entry of which is a `TokenWithUse`. */
        TokenWithUsePage: {
            /** @description What is on this page. */
            data: components["schemas"]["TokenWithUse"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description Why there is nothing to explain, for programs.
         * @enum {string}
         */
        UnexplainedReason: "not_wanted" | "not_kept" | "none_recorded" | "no_webhook";
        /** @description What to change of a link. Absent fields stay, and null clears a field. */
        UpdateLink: {
            /**
             * @description The destination: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url?: string;
            /**
             * @description A label for people.
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description A note for people in the workspace. Visitors never see it.
             * @example Printed on the spring flyers.
             */
            note?: string | null;
            /**
             * @description Your own ID for the link, unique in the workspace.
             * @example campaign-17
             */
            external_id?: string | null;
            /**
             * @description The HTTP status of the redirect. The default is 302.
             * @example 302
             * @enum {integer}
             */
            redirect_status?: 301 | 302 | 307 | 308;
            /**
             * @description Whether the visitor's query is added to the destination's. The default is false.
             * @example false
             */
            forward_query?: boolean;
            /**
             * @description A disabled link answers 410. The default is true.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description From then on, the link answers 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Words to find the link by, at most 20. Repeated tags are stored once.
             * @example [
             *       "sale",
             *       "mail"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description When the link expires, as a time from now such as 30d. Not together with `expires_at`.
             * @example 30d
             */
            expires_in?: string | null;
        };
        /** @description What to change of a webhook: absent stays, null clears. */
        UpdateWebhook: {
            /**
             * @description A note for people.
             * @example The warehouse
             */
            description?: string | null;
            /**
             * @description How many requests it is sent at the same time, at most; 20 unless you say otherwise.
             * @example 20
             */
            max_in_flight?: number;
            /**
             * @description Where events are sent: https, at most 2,048 characters, without credentials and fragment, and not a private address.
             * @example https://receiver.example/hooks
             */
            url?: string;
            /**
             * @description The events it wants; `*` for all, also those that are added later. Repetitions fold.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events?: (components["schemas"]["EventType"] | "*")[];
            /**
             * @description The new secret; the old one signs beside it for 24 hours more.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
            /**
             * @description While it is paused, its events are held; `active` sends them, and ends a disablement too.
             * @example paused
             */
            status?: components["schemas"]["ChosenWebhookStatus"];
        };
        /** @description An address of yours that events are sent to, and how it fares. */
        Webhook: {
            /**
             * @description Its id.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            id: string;
            /**
             * @description Where events are sent: https, at most 2,048 characters, without credentials and fragment, and not a private address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description The events it wants; `*` for all, also those that are added later. Repetitions fold.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events: (components["schemas"]["EventType"] | "*")[];
            /**
             * @description A note for people.
             * @example The warehouse
             */
            description: string | null;
            /**
             * @description Only an active webhook is sent anything; for the others events are held. The service disables a webhook that nothing reaches any more.
             * @example active
             */
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why it was disabled; null when it is not.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * @description How many requests it is sent at the same time, at most; 20 unless you say otherwise.
             * @example 20
             */
            max_in_flight: number;
            /**
             * @description How the secret ends; of a secret with fewer than 12 characters nothing is shown.
             * @example …LaSw
             */
            secret_hint: string;
            /**
             * @description Null when no old secret signs any more.
             * @example null
             */
            secret_rotation: components["schemas"]["SecretRotation"] | null;
            /**
             * @description Deliveries that wait for it to be active again; 0 while it is active.
             * @example 0
             */
            held: number;
            /**
             * @description Deliveries that are still to be sent, or sent again; 0 while it is not active.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description The last attempt that succeeded.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description The first failure after the last success.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A webhook was disabled, because nothing reached it any more. Sent to the other webhooks. */
        WebhookDisabledEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.disabled";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:05:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookEventData"];
        };
        /** @description The webhook, and what is wrong with it. */
        WebhookEventData: {
            webhook: components["schemas"]["ReportedWebhook"];
            reason: string;
        };
        /** @description All attempts to reach a webhook have failed for as long as `WEBHOOK_FAILING_AFTER` says, a day unless set. Sent to the other webhooks. */
        WebhookFailingEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.failing";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-27T09:05:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookEventData"];
        };
        /** @description The attempts of one hour. */
        WebhookHour: {
            /**
             * Format: date-time
             * @description A whole hour of UTC.
             * @example 2026-01-31T11:00:00.000Z
             */
            start: string;
            /**
             * @description Attempts that the receiver answered with 2xx.
             * @example 52
             */
            succeeded: number;
            /**
             * @description All other attempts.
             * @example 1
             */
            failed: number;
        };
        /** @description How long attempts took, in milliseconds; null without attempts. */
        WebhookLatency: {
            /**
             * @description Half of them took no longer.
             * @example 38
             */
            p50: number | null;
            /**
             * @description 95 of a hundred took no longer.
             * @example 120
             */
            p95: number | null;
            /**
             * @description 99 of a hundred took no longer.
             * @example 410
             */
            p99: number | null;
        };
        /** @description One page of a list, each entry of which is a `Webhook`. */
        WebhookPage: {
            /** @description What is on this page. */
            data: components["schemas"]["Webhook"][];
            /**
             * @description Whether there is more.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Where to go on.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description What became of every event for a webhook. */
        WebhookStats: {
            /**
             * @description All deliveries there ever were, without tests: the sum of succeeded, pending, held, failed and canceled.
             * @example 1204
             */
            emitted: number;
            /**
             * @description Answered with 2xx.
             * @example 1198
             */
            succeeded: number;
            /**
             * @description Still to be sent, or sent again.
             * @example 4
             */
            pending: number;
            /**
             * @description Waiting for the webhook to be active again.
             * @example 0
             */
            held: number;
            /**
             * @description Given up: the schedule has ended.
             * @example 2
             */
            failed: number;
            /**
             * @description Not sent: too old, or the webhook was deleted.
             * @example 0
             */
            canceled: number;
            /**
             * @description All attempts there ever were, without tests.
             * @example 1243
             */
            attempts: number;
            /**
             * @description Which part of the attempts of the past 24 hours succeeded, from 0 to 1; null without attempts. Counted by whole hours.
             * @example 0.9917
             */
            success_rate_24h: number | null;
            /** @description The attempts of the running hour and the 23 before it, the oldest first; zeros where nothing was sent. Without tests. */
            hours: components["schemas"]["WebhookHour"][];
            /** @description How long the last attempts of the last 1,000 deliveries took, in milliseconds, as far as they were made in the past 24 hours. */
            latency_ms: components["schemas"]["WebhookLatency"];
            /**
             * Format: date-time
             * @description When the next attempt may be made; null when nothing is pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description `closed`: attempts are made as they fall due. `open`: several failed in a row, so that only retries are made and nothing new, or the receiver asked with Retry-After for a pause, and nothing is sent. `half_open`: one new delivery is tried, and how that goes decides.
             * @example closed
             */
            circuit: components["schemas"]["Circuit"];
        };
        /**
         * @description Whether a webhook is sent events.
         * @enum {string}
         */
        WebhookStatus: "active" | "paused" | "disabled";
        /** @description Someone asked for a test of the webhook. Sent to that webhook only. */
        WebhookTestEvent: {
            /**
             * @description Its id: the same at every attempt to send it.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookTestEventData"];
        };
        /** @description A word to the receiver. */
        WebhookTestEventData: {
            webhook_id: string;
            message: string;
        };
        /**
         * @description What a token may give to one that it makes. `instance:read` is given on the command line only.
         * @enum {string}
         */
        WorkspaceScope: "tokens:read" | "tokens:write" | "links:read" | "links:write" | "clicks:read" | "webhooks:read" | "webhooks:write" | "events:read" | "audit:read";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request: your own where you sent one, and in the log of the service.
         * @example k3Jv0Qf2aLx91
         */
        "X-Request-Id": string;
        /**
         * @description Whether the answer may be kept. Answers of the API may not.
         * @example no-store
         */
        "Cache-Control": string;
        /**
         * @description How many requests are left (`r`) for how many seconds (`t`), for each limit that counts you.
         * @example "default";r=599;t=42, "workspace";r=5999;t=42
         */
        RateLimit: string;
        /**
         * @description How many requests (`q`) may be made in how many seconds (`w`). Absent where there is no limit.
         * @example "default";q=600;w=60, "workspace";q=6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description After how many seconds to try again.
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description What is wrong with the credentials, and what they lack.
         * @example Bearer realm="link-service", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description The methods that work here.
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description The version of the resource, for If-Match.
         * @example "Wk2c0x1V9kJ3p7Qm8sT4yZ5uB6n"
         */
        ETag: string;
        /**
         * @description Search engines are not to list this address.
         * @example noindex
         */
        "X-Robots-Tag": "noindex";
        /**
         * @description `no`: nginx passes on each piece at once, in place of gathering them.
         * @example no
         */
        "X-Accel-Buffering": "no";
        /**
         * @description Where what was made is found.
         * @example /api/v1/links/lnk_01kaj3v9z4f8hva3x7m2c5d6ne
         */
        Location: string;
        /**
         * @description That it is a file, and the name to save it under.
         * @example attachment; filename="links-2026-01-31.csv"
         */
        "Content-Disposition": string;
        /**
         * @description The address of the next page, as `rel="next"`. Absent on the last one.
         * @example <http://localhost:3000/api/v1/links?cursor=bG5r.c2ln>; rel="next"
         */
        Link: string;
        /**
         * @description `true` when this is the first answer to the Idempotency-Key again. Absent otherwise.
         * @example true
         */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description Only later than this, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Only earlier than this. */
                created_before?: string;
                /** @description Only this kind of action. */
                action?: components["schemas"]["AuditAction"];
                /** @description Only what this token did. */
                token_id?: string;
                /** @description Only what was done to this object. */
                object_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToken"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenWithUsePage"];
                };
            };
        };
    };
    getOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    revokeOwnToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenWithUse"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description Whether tokens that it minted, and theirs, are revoked too. Absent: false. */
                descendants?: boolean;
            };
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateToken"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
        };
    };
    revokeTokenByValue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeToken"];
            };
        };
        responses: {
            /** @description If the value belonged to a token, it is revoked now. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /** @description `api`: ready only if API calls can be served. Absent: ready if redirects can be served, even from memory. */
                for?: components["schemas"]["ReadinessUse"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics in the text format of Prometheus. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    createLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkCreate"];
            };
        };
        responses: {
            /** @description What became of each. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkReport"];
                };
            };
        };
    };
    updateLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpdate"];
            };
        };
        responses: {
            /** @description What became of each. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkReport"];
                };
            };
        };
    };
    deleteLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDelete"];
            };
        };
        responses: {
            /** @description What became of each. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkReport"];
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description Only later than this, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Only earlier than this. */
                created_before?: string;
                /** @description Text in the slug, the URL, or the title, in upper or lower case. Past the first 10,000 links in the order of the list, a single letter is found at the beginning of a word only, and punctuation alone, such as `--`, is not found. */
                q?: string;
                /** @description Only links with this tag. */
                tag?: string;
                /** @description Only the link with this external ID. */
                external_id?: string;
                /** @description Only enabled links, or only disabled ones. */
                enabled?: boolean;
                /** @description Defaults to `-created_at`, newest first. */
                sort?: components["schemas"]["LinkSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLink"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLink"];
                "application/merge-patch+json": components["schemas"]["UpdateLink"];
            };
        };
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    putLinkByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Your own id for the link. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLink"];
            };
        };
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    getLinkBySlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The path of the short link. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    listLinkHistory: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkChangePage"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagPage"];
                };
            };
        };
    };
    resolveSlug: {
        parameters: {
            query: {
                /** @description The path of the short link. */
                slug: string;
                /** @description When the visitor comes; absent: now. The link is taken as it is at present. */
                at?: string;
                /** @description The query that the visitor comes with, as it stands behind the question mark. */
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Also where there is no such link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
        };
    };
    getLinkQr: {
        parameters: {
            query?: {
                /** @description The kind of picture. Absent: `svg`. */
                format?: components["schemas"]["QrFormat"];
                /** @description The pixels of a side. Absent: 512. */
                size?: number;
                /** @description The white margin in modules. Readers expect 4, which it is when absent. */
                margin?: number;
                /** @description How much of it may be damaged. Absent: `M`. */
                level?: components["schemas"]["QrLevel"];
            };
            header?: never;
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPage"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: {
                /** @description Whose export it is. `csv` and `ndjson` have the fields of a link by their own names. Absent: it is recognised by its columns. */
                format?: components["schemas"]["ImportFormat"];
                /** @description Where a link of the workspace has the slug or the external id: the line fails, is skipped, or changes that link. Absent: it fails. */
                on_conflict?: components["schemas"]["ConflictMode"];
                /** @description Checks each line and counts what would become of it. No link is made or changed. Absent: false. */
                dry_run?: boolean;
                /** @description Whether the links make events, and so deliveries to webhooks. Absent: true. */
                notify?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Stored, and done from now on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Where its progress can be read. */
                    Location?: string;
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stopped. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getImportReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each line that failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    exportLinks: {
        parameters: {
            query?: {
                /** @description Only later than this, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Only earlier than this. */
                created_before?: string;
                /** @description Text in the slug, the URL, or the title, in upper or lower case. Past the first 10,000 links in the order of the list, a single letter is found at the beginning of a word only, and punctuation alone, such as `--`, is not found. */
                q?: string;
                /** @description Only links with this tag. */
                tag?: string;
                /** @description Only the link with this external ID. */
                external_id?: string;
                /** @description Only enabled links, or only disabled ones. */
                enabled?: boolean;
                /** @description Defaults to `-created_at`, newest first. */
                sort?: components["schemas"]["LinkSort"];
                /** @description How links are written. Absent: `csv`. */
                format?: components["schemas"]["ExportFormat"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links, as they come. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    listLinkClicks: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClickPage"];
                };
            };
        };
    };
    listClicks: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the answer before; empty or absent begins at the oldest, and `latest` at the end: nothing yet, and a cursor to go on from. */
                after?: string;
                /** @description Only clicks of this link, by its id. */
                link_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClickPage"];
                };
            };
        };
    };
    followLiveClicks: {
        parameters: {
            query?: {
                /** @description Only from this country, ISO 3166 with two capital letters. May be given several times: any of them. */
                country?: string[];
                /** @description Only from this region, ISO 3166-2. May be given several times: any of them. */
                region?: string[];
                /** @description Only from a city of this name. May be given several times: any of them. */
                city?: string[];
                /** @description Only from pages of this host. May be given several times: any of them. */
                referrer_host?: string[];
                /** @description Only by this browser. May be given several times: any of them. */
                browser?: string[];
                /** @description Only by this operating system. May be given several times: any of them. */
                os?: string[];
                /** @description Only by this kind of device: `desktop`, `mobile`, `tablet`, `bot` or `other`. May be given several times: any of them. */
                device?: string[];
                /** @description Only with this first language, as BCP 47 writes it, such as `de-CH`. May be given several times: any of them. */
                language?: string[];
                /** @description Only with this `utm_source`. May be given several times: any of them. */
                utm_source?: string[];
                /** @description Only with this `utm_medium`. May be given several times: any of them. */
                utm_medium?: string[];
                /** @description Only with this `utm_campaign`. May be given several times: any of them. */
                utm_campaign?: string[];
                /** @description Only with this `utm_term`. May be given several times: any of them. */
                utm_term?: string[];
                /** @description Only with this `utm_content`. May be given several times: any of them. */
                utm_content?: string[];
                /** @description Only by the link itself (`link`), or by its picture (`qr`). May be given several times: any of them. */
                source?: ("link" | "qr" | "")[];
                /** @description Only clicks of this link. */
                link_id?: string;
            };
            header?: {
                /** @description Where to go on: the `id` of the last click, or nothing for the oldest. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks, for as long as you read. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Accel-Buffering": components["headers"]["X-Accel-Buffering"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: eyJ0eCI6…
                     *     event: click
                     *     data: {"id":"clk_01kaj4d0qae6svf0k9w3m7x2ht", …}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description Only later than this, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Only earlier than this. */
                created_before?: string;
                /** @description Only this type. */
                type?: components["schemas"]["EventType"];
                /** @description Only events of this link, by its id; its clicks are among them. */
                link_id?: string;
                /** @description Reads oldest first, in the order in which events were recorded: empty begins at the oldest, the `next_cursor` of an answer goes on after it, and `latest` begins at the end: nothing yet, and a cursor to go on from. Not together with `cursor`. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventWithDeliveries"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeInfoPage"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was read; the call is refused (412) when there is a newer one. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
                "application/merge-patch+json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description Only later than this, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Only earlier than this. */
                created_before?: string;
                /** @description Only those that stand so. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Only events of this type. */
                event?: components["schemas"]["EventType"];
            };
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttempts"];
                };
            };
        };
    };
    redeliverDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    explainEvent: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description The webhook that is asked about; also one that was deleted. Absent: all webhooks of the workspace, a page at a time. */
                webhook_id?: string;
            };
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Explained. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"] | components["schemas"]["SubjectExplanation"];
                };
            };
        };
    };
    explainClick: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description The webhook that is asked about; also one that was deleted. Absent: all webhooks of the workspace, a page at a time. */
                webhook_id?: string;
            };
            header?: never;
            path: {
                /** @description The id of the click. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Explained. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectExplanation"];
                };
            };
        };
    };
    explainLink: {
        parameters: {
            query?: {
                /** @description How many at most. Absent: 20. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description The webhook that is asked about; also one that was deleted. Absent: all webhooks of the workspace, a page at a time. */
                webhook_id?: string;
                /** @description The latest event of this type. Absent: of any type. */
                type?: components["schemas"]["EventType"];
            };
            header?: never;
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Explained. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectExplanation"];
                };
            };
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReplay"];
            };
        };
        responses: {
            /** @description They will be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    getWebhookStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookStats"];
                };
            };
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateTestSend"];
            };
        };
        responses: {
            /** @description It was sent; `delivered` and `verdict` say how that went. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSend"];
                };
            };
        };
    };
    getInstance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description Only from this country, ISO 3166 with two capital letters. May be given several times: any of them. */
                country?: string[];
                /** @description Only from this region, ISO 3166-2. May be given several times: any of them. */
                region?: string[];
                /** @description Only from a city of this name. May be given several times: any of them. */
                city?: string[];
                /** @description Only from pages of this host. May be given several times: any of them. */
                referrer_host?: string[];
                /** @description Only by this browser. May be given several times: any of them. */
                browser?: string[];
                /** @description Only by this operating system. May be given several times: any of them. */
                os?: string[];
                /** @description Only by this kind of device: `desktop`, `mobile`, `tablet`, `bot` or `other`. May be given several times: any of them. */
                device?: string[];
                /** @description Only with this first language, as BCP 47 writes it, such as `de-CH`. May be given several times: any of them. */
                language?: string[];
                /** @description Only with this `utm_source`. May be given several times: any of them. */
                utm_source?: string[];
                /** @description Only with this `utm_medium`. May be given several times: any of them. */
                utm_medium?: string[];
                /** @description Only with this `utm_campaign`. May be given several times: any of them. */
                utm_campaign?: string[];
                /** @description Only with this `utm_term`. May be given several times: any of them. */
                utm_term?: string[];
                /** @description Only with this `utm_content`. May be given several times: any of them. */
                utm_content?: string[];
                /** @description Only by the link itself (`link`), or by its picture (`qr`). May be given several times: any of them. */
                source?: ("link" | "qr" | "")[];
                /** @description Range up to now, in whole hours, days or months of the time zone, including the current one. Default: `30d`. Not together with `start` and `end`. */
                interval?: components["schemas"]["AnalyticsInterval"];
                /** @description Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`. */
                start?: string;
                /** @description End of the range, exclusive. A date means 00:00 in `timezone`. */
                end?: string;
                /** @description IANA time zone that defines days, weeks and months. Default: UTC. */
                timezone?: string;
                /** @description Length of the points with `group_by=time`. Default: whichever gives 24 to 120 points. */
                granularity?: components["schemas"]["AnalyticsGranularity"];
                /** @description With `previous`, the response includes the totals of the previous period of the same length. */
                compare?: components["schemas"]["AnalyticsComparison"];
                /** @description Maximum number of rows, 1 to 1000, those with the most clicks first. Default: 100. */
                limit?: number;
                /** @description Dimension of the rows. Default: only totals. */
                group_by?: components["schemas"]["AnalyticsGroup"];
                /** @description Only clicks of this link. May be given several times: any of them. */
                link_id?: string[];
                /** @description Only clicks of links that currently have this tag. May be given several times: any of them. */
                tag?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Click counts, or the same as CSV with `Accept: text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                    /**
                     * @example row,country,clicks,human,visitors
                     *     data,DE,120,100,
                     */
                    "text/csv": string;
                };
            };
        };
    };
    getLinkAnalytics: {
        parameters: {
            query?: {
                /** @description Only from this country, ISO 3166 with two capital letters. May be given several times: any of them. */
                country?: string[];
                /** @description Only from this region, ISO 3166-2. May be given several times: any of them. */
                region?: string[];
                /** @description Only from a city of this name. May be given several times: any of them. */
                city?: string[];
                /** @description Only from pages of this host. May be given several times: any of them. */
                referrer_host?: string[];
                /** @description Only by this browser. May be given several times: any of them. */
                browser?: string[];
                /** @description Only by this operating system. May be given several times: any of them. */
                os?: string[];
                /** @description Only by this kind of device: `desktop`, `mobile`, `tablet`, `bot` or `other`. May be given several times: any of them. */
                device?: string[];
                /** @description Only with this first language, as BCP 47 writes it, such as `de-CH`. May be given several times: any of them. */
                language?: string[];
                /** @description Only with this `utm_source`. May be given several times: any of them. */
                utm_source?: string[];
                /** @description Only with this `utm_medium`. May be given several times: any of them. */
                utm_medium?: string[];
                /** @description Only with this `utm_campaign`. May be given several times: any of them. */
                utm_campaign?: string[];
                /** @description Only with this `utm_term`. May be given several times: any of them. */
                utm_term?: string[];
                /** @description Only with this `utm_content`. May be given several times: any of them. */
                utm_content?: string[];
                /** @description Only by the link itself (`link`), or by its picture (`qr`). May be given several times: any of them. */
                source?: ("link" | "qr" | "")[];
                /** @description Range up to now, in whole hours, days or months of the time zone, including the current one. Default: `30d`. Not together with `start` and `end`. */
                interval?: components["schemas"]["AnalyticsInterval"];
                /** @description Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`. */
                start?: string;
                /** @description End of the range, exclusive. A date means 00:00 in `timezone`. */
                end?: string;
                /** @description IANA time zone that defines days, weeks and months. Default: UTC. */
                timezone?: string;
                /** @description Length of the points with `group_by=time`. Default: whichever gives 24 to 120 points. */
                granularity?: components["schemas"]["AnalyticsGranularity"];
                /** @description With `previous`, the response includes the totals of the previous period of the same length. */
                compare?: components["schemas"]["AnalyticsComparison"];
                /** @description Maximum number of rows, 1 to 1000, those with the most clicks first. Default: 100. */
                limit?: number;
                /** @description Dimension of the rows. Default: only totals. */
                group_by?: components["schemas"]["LinkAnalyticsGroup"];
            };
            header?: never;
            path: {
                /** @description The id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Click counts, or the same as CSV with `Accept: text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                    /**
                     * @example row,country,clicks,human,visitors
                     *     data,DE,120,100,
                     */
                    "text/csv": string;
                };
            };
        };
    };
    followLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `slug` of the link; case matters.
                 * @example spring
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    onLinkCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "link.created",
                 *       "timestamp": "2026-01-31T09:00:00.000Z",
                 *       "data": {
                 *         "link": {
                 *           "id": "lnk_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "slug": "spring",
                 *           "short_url": "http://localhost:3000/spring",
                 *           "url": "https://example.com/spring?utm_source=mail",
                 *           "title": "Spring sale",
                 *           "note": "Printed on the spring flyers.",
                 *           "tags": [
                 *             "sale",
                 *             "mail"
                 *           ],
                 *           "external_id": "campaign-17",
                 *           "redirect_status": 302,
                 *           "forward_query": false,
                 *           "enabled": true,
                 *           "expires_at": null,
                 *           "clicks": {
                 *             "total": 0,
                 *             "human": 0
                 *           },
                 *           "last_clicked_at": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LinkCreatedEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLinkUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "link.updated",
                 *       "timestamp": "2026-01-31T10:00:00.000Z",
                 *       "data": {
                 *         "link": {
                 *           "id": "lnk_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "slug": "spring",
                 *           "short_url": "http://localhost:3000/spring",
                 *           "url": "https://example.com/spring?utm_source=mail",
                 *           "title": "Summer sale",
                 *           "note": "Printed on the spring flyers.",
                 *           "tags": [
                 *             "sale",
                 *             "mail"
                 *           ],
                 *           "external_id": "campaign-17",
                 *           "redirect_status": 302,
                 *           "forward_query": false,
                 *           "enabled": true,
                 *           "expires_at": null,
                 *           "clicks": {
                 *             "total": 0,
                 *             "human": 0
                 *           },
                 *           "last_clicked_at": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T10:00:00.000Z"
                 *         },
                 *         "previous": {
                 *           "title": "Spring sale"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LinkUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLinkDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "link.deleted",
                 *       "timestamp": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "link": {
                 *           "id": "lnk_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "slug": "spring",
                 *           "short_url": "http://localhost:3000/spring",
                 *           "url": "https://example.com/spring?utm_source=mail",
                 *           "title": "Spring sale",
                 *           "note": "Printed on the spring flyers.",
                 *           "tags": [
                 *             "sale",
                 *             "mail"
                 *           ],
                 *           "external_id": "campaign-17",
                 *           "redirect_status": 302,
                 *           "forward_query": false,
                 *           "enabled": true,
                 *           "expires_at": null,
                 *           "clicks": {
                 *             "total": 0,
                 *             "human": 0
                 *           },
                 *           "last_clicked_at": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LinkDeletedEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onClick: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "click",
                 *       "timestamp": "2026-01-31T11:00:00.000Z",
                 *       "data": {
                 *         "click": {
                 *           "id": "clk_01kaj4d0qae6svf0k9w3m7x2ht",
                 *           "link_id": "lnk_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "slug": "spring",
                 *           "url": "https://example.com/spring?utm_source=mail",
                 *           "occurred_at": "2026-01-31T11:00:00.000Z",
                 *           "bot": false,
                 *           "referrer": "https://news.example/today",
                 *           "referrer_host": "news.example",
                 *           "country": "DE",
                 *           "region": "DE-BE",
                 *           "city": "Berlin",
                 *           "browser": "Firefox",
                 *           "os": "Linux",
                 *           "device": "desktop",
                 *           "language": "de-DE",
                 *           "utm_source": "mail",
                 *           "utm_medium": null,
                 *           "utm_campaign": null,
                 *           "utm_term": null,
                 *           "utm_content": null,
                 *           "source": "link",
                 *           "ip": "203.0.113.0",
                 *           "visitor": "q1Zr7m0VxkJt2nB5cW9dYA",
                 *           "event_id": "evt_01kaj4d0qae6svf0k9w3m7x2ht"
                 *         },
                 *         "link": {
                 *           "id": "lnk_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "slug": "spring",
                 *           "short_url": "http://localhost:3000/spring",
                 *           "url": "https://example.com/spring?utm_source=mail",
                 *           "title": "Spring sale",
                 *           "tags": [
                 *             "sale",
                 *             "mail"
                 *           ],
                 *           "external_id": "campaign-17"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ClickEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-01-31T09:00:00.000Z",
                 *       "data": {
                 *         "webhook_id": "wh_01kaj3w4q2e6r8t0y1v3b5n7mz",
                 *         "message": "This is a test. Nothing has happened."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookFailing: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "webhook.failing",
                 *       "timestamp": "2026-01-27T09:05:00.000Z",
                 *       "data": {
                 *         "webhook": {
                 *           "id": "wh_01kaj3w4q2e6r8t0y1v3b5n7mz",
                 *           "url": "https://receiver.example/hooks",
                 *           "events": [
                 *             "link.created",
                 *             "click"
                 *           ],
                 *           "description": "The warehouse",
                 *           "status": "active",
                 *           "disabled_reason": null,
                 *           "last_success_at": "2026-01-26T09:00:00.000Z",
                 *           "failing_since": "2026-01-26T09:05:00.000Z",
                 *           "created_at": "2026-01-01T09:00:00.000Z",
                 *           "updated_at": "2026-01-01T09:00:00.000Z"
                 *         },
                 *         "reason": "No attempt has succeeded since 2026-01-30T09:05:00.000Z."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookFailingEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt: to tell repetitions by.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in Unix seconds. Refuse what is minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Which attempt this is, from 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.
                 * @example 42
                 */
                "webhook-sequence"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "webhook.disabled",
                 *       "timestamp": "2026-01-31T09:05:00.000Z",
                 *       "data": {
                 *         "webhook": {
                 *           "id": "wh_01kaj3w4q2e6r8t0y1v3b5n7mz",
                 *           "url": "https://receiver.example/hooks",
                 *           "events": [
                 *             "link.created",
                 *             "click"
                 *           ],
                 *           "description": "The warehouse",
                 *           "status": "disabled",
                 *           "disabled_reason": "No attempt has succeeded since 2026-01-26T09:05:00.000Z.",
                 *           "last_success_at": "2026-01-26T09:00:00.000Z",
                 *           "failing_since": "2026-01-26T09:05:00.000Z",
                 *           "created_at": "2026-01-01T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:05:00.000Z"
                 *         },
                 *         "reason": "No attempt has succeeded since 2026-01-26T09:05:00.000Z."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookDisabledEvent"];
            };
        };
        responses: {
            /** @description Received. The body of the answer does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
