// Generated from openapi.json by scripts/client-types.js.

export interface paths {
    "/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links
         * @description Lists links, newest first by default. Filters are combined with AND.
         *
         *     Requires the scope `links:read`.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a link
         * @description Creates a link. Only `url` is required. The link works immediately.
         *
         *     Requires the scope `links:write`.
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
         * Get a link
         * @description Returns a link with its click counts.
         *
         *     Requires the scope `links:read`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description Deletes a link. The short link responds with 410, and the slug is never reused.
         *
         *     Requires the scope `links:write`.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Update a link
         * @description Updates a link with a JSON merge patch: absent fields stay unchanged, and `null` clears a field. The slug cannot be changed. Redirects reflect the change within a second.
         *
         *     Requires the scope `links:write`.
         */
        patch: operations["updateLink"];
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
         * Get a link by slug
         * @description Returns a link.
         *
         *     Requires the scope `links:read`.
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
    "/v1/links/by-external-id/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or replace a link by external ID
         * @description Creates a link with this external ID, or replaces all fields of the existing link: absent fields are reset to their defaults. An existing link keeps its slug, and a different `slug` is an error. Safe to repeat.
         *
         *     Requires the scope `links:write`.
         */
        put: operations["putLinkByExternalId"];
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
         * Create links in bulk
         * @description Creates up to 1,000 links. The rules and events are those of `POST /v1/links`. Each link is also checked against the links before it in the list.
         *
         *     Requires the scope `links:write`.
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
         * Update links in bulk
         * @description Updates up to 1,000 links by ID: applies the patch, removes tags, then adds tags. An unknown ID is reported as an error.
         *
         *     Requires the scope `links:write`.
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
         * Delete links in bulk
         * @description Deletes up to 1,000 links by ID. Their slugs respond with 410 and are never reused.
         *
         *     Requires the scope `links:write`.
         */
        post: operations["deleteLinks"];
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
         * List tags
         * @description Lists tags and the number of links with each, most used first.
         *
         *     Requires the scope `links:read`.
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
         * Preview a redirect
         * @description Returns what a visitor would get, now or at a given time, without recording a click.
         *
         *     Requires the scope `links:read`.
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
         * Get a QR code
         * @description Returns a QR code of the short URL. The URL in the code has the parameter `qr=1`, so that scans are recorded with the source `qr`. The parameter is not forwarded to the destination.
         *
         *     Requires the scope `links:read`.
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
    "/v1/links/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a link's history
         * @description Lists the changes to a link, newest first, and who made them. Deleted links are included.
         *
         *     Requires the scope `links:read`.
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
    "/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a short link
         * @description Redirects to the destination with the `redirect_status` of the link, and counts a click. Returns 410 for a link that is disabled, expired or deleted. Browsers get error pages instead of JSON.
         *
         *     Requires no token.
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
         * @description Creates a token. Its value is returned only in this response. The new token cannot have scopes that the calling token lacks, and cannot expire after it. An `expires_in` that is too long by less than a minute is shortened.
         *
         *     Requires the scope `tokens:write`.
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
         * @description Lists active tokens, newest first. Revoked and expired tokens are not included.
         *
         *     Requires the scope `tokens:read`.
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
    "/v1/auth/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token
         * @description Returns a token, including one that has expired or was revoked: see `status`.
         *
         *     Requires the scope `tokens:read`.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Revokes a token. The token stops working immediately. Safe to repeat.
         *
         *     Requires the scope `tokens:write`.
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
         * @description Replaces a token with a new one that has the same name, scopes and expiry. The old token keeps working until the overlap ends.
         *
         *     Requires the scope `tokens:write`.
         */
        post: operations["rotateToken"];
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
         * Get the calling token
         * @description Returns the token of this request: its workspace, scopes and expiry.
         *
         *     Accepts any valid token.
         */
        get: operations["getOwnToken"];
        put?: never;
        post?: never;
        /**
         * Revoke the calling token
         * @description Revokes the token of this request. It stops working immediately.
         *
         *     Accepts any valid token.
         */
        delete: operations["revokeOwnToken"];
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
         * @description Revokes a token by its value, without authentication. The response is the same whether or not the token exists.
         *
         *     Requires no token.
         */
        post: operations["revokeTokenByValue"];
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
         * @description Lists webhooks, newest first.
         *
         *     Requires the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Creates a webhook, which receives a signed request for each event that matches its types and its filter. If `secret` is absent, a secret is generated and returned only in this response. Subscribing to token events (`token.*`) also requires the scope `tokens:read`.
         *
         *     Requires the scopes `webhooks:write` and `events:read`.
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
         * Get a webhook
         * @description Returns a webhook with its number of pending deliveries and its health: the last error, the success rate and the next attempt. The secret is not returned.
         *
         *     Requires the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook. Its pending deliveries are canceled.
         *
         *     Requires the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Updates a webhook with a JSON merge patch: absent fields stay unchanged, and `null` clears a field. After `secret` is changed, requests are also signed with the old secret for 24 hours. A secret from an earlier change stops signing immediately. Changing `url` ends any pause requested by the old receiver. `filter` is merged too: its absent conditions stay unchanged. Changing `url`, `events` or `filter` also requires the scope `events:read`, because the webhook will receive those events, and `tokens:read` if the webhook subscribes to token events (`token.*`). Changing `url` also requires `tokens:read` if the webhook still has deliveries of token events, because they can be sent to the new URL.
         *
         *     Requires the scope `webhooks:write`.
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
         * Rotate a webhook's secret
         * @description Replaces the secret with the given one, or with a generated one that is returned only in this response. Requests are also signed with the old secret until the overlap ends. A secret from an earlier rotation stops signing immediately. If `secret` is the current secret, nothing is rotated, and `overlap` can only shorten the current overlap: `{"secret": "<current secret>", "overlap": "0s"}` stops signing with the old secret immediately.
         *
         *     Requires the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/filter/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a filter
         * @description Tests whether the filter of the webhook, or the given filter, includes a recorded event. Nothing is sent or changed.
         *
         *     Requires the scopes `webhooks:read` and `events:read`.
         */
        post: operations["testWebhookFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a portal link
         * @description Creates a link to pages that show only this webhook and its deliveries. Give the link to the user who runs the receiver. The link works once. The link and its session also end when your token expires or is revoked.
         *
         *     Requires the scopes `webhooks:read` and `webhooks:write`.
         */
        post: operations["createPortalLink"];
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
         * Send a test event
         * @description Sends one signed request immediately, even when the webhook is paused or disabled, and returns the result. A test is not retried, does not count in the statistics, and is sent to this webhook only. A `webhook.test` event is listed by `/v1/events`; examples of other types are not, so that they cannot be mistaken for real events.
         *
         *     Requires the scope `webhooks:write`.
         */
        post: operations["sendTestEvent"];
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
         * @description Lists deliveries, newest first. Filters are combined with AND. Test deliveries are included, with `test` set to true.
         *
         *     Requires the scope `webhooks:read`.
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
         * Get a delivery
         * @description Returns a delivery with all its attempts, each with its response and timings.
         *
         *     Requires the scope `webhooks:read`.
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
         * Redeliver a delivery
         * @description Redelivers a delivery, even one that succeeded, with the same `webhook-id` and `webhook-sequence`. Its retry schedule starts again. A pending delivery becomes due immediately. While the webhook is paused or disabled, the delivery is `held`. Returns 409 for tests and for deliveries older than `EVENT_RETENTION`.
         *
         *     Requires the scope `webhooks:write`.
         */
        post: operations["redeliverDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip a delivery
         * @description Cancels a pending or held delivery. An ordered webhook then sends the next one. An attempt in flight is not interrupted, but its result is not recorded. Safe to repeat. Returns 409 if the delivery has succeeded, failed or been canceled for another reason.
         *
         *     Requires the scope `webhooks:write`.
         */
        post: operations["skipDelivery"];
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
         * Replay deliveries or events
         * @description Redelivers the failed, or all completed, deliveries of a time range, oldest first. New events have priority. With `"from": "events"`, the webhook receives the events that it never received, including those from before it was created, in new deliveries with new sequence numbers. Pending deliveries, tests, and events older than `EVENT_RETENTION` are skipped. While the webhook is paused or disabled, the deliveries are `held`.
         *
         *     Requires the scope `webhooks:write`.
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
         * Get a webhook's delivery statistics
         * @description Returns the number of deliveries by status. `emitted` is always the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`. A redelivery counts as `pending` again.
         *
         *     Requires the scope `webhooks:read`.
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
    "/v1/events/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the deliveries of an event
         * @description Explains why webhooks did or did not receive an event, with a reason code, a sentence and a next step. With `webhook_id`, returns one explanation, otherwise a page with one per webhook, newest webhook first. `reason` and `sentence` are set when the workspace has no webhooks.
         *
         *     Requires the scope `events:read`.
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
    "/v1/links/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the deliveries of a link
         * @description Explains the deliveries of the latest event of a link, optionally of one `type`, for one webhook or for all. Deleted links are included. If there is no event, `reason` and `sentence` explain why.
         *
         *     Requires the scope `events:read`.
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
    "/v1/clicks/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the deliveries of a click
         * @description Explains the deliveries of a click, for one webhook or for all. If the click has no event, `reason` and `sentence` explain why.
         *
         *     Requires the scope `events:read`.
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
    "/v1/workspace/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notice targets
         * @description Lists the notice targets of the workspace, newest first. Targets that the operator has set in `NOTICES` are not included.
         *
         *     Requires the scope `webhooks:read`.
         */
        get: operations["listNoticeTargets"];
        put?: never;
        /**
         * Create a notice target
         * @description Creates a notice target: a Slack or Discord channel, or an email address. It receives at most one message per hour for each event type. Token events (`token.*`), which the default includes, also require the scope `tokens:read`.
         *
         *     Requires the scopes `webhooks:write` and `events:read`.
         */
        post: operations["createNoticeTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspace/notices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notice target
         * @description Returns a notice target, with the time and result of the last message to it.
         *
         *     Requires the scope `webhooks:read`.
         */
        get: operations["getNoticeTarget"];
        put?: never;
        post?: never;
        /**
         * Delete a notice target
         * @description Deletes a target. Unsent notices for it are dropped.
         *
         *     Requires the scope `webhooks:write`.
         */
        delete: operations["deleteNoticeTarget"];
        options?: never;
        head?: never;
        /**
         * Update a notice target
         * @description Updates the events that are sent to a target. Unsent notices of other events are dropped. Token events (`token.*`) also require the scope `tokens:read`. To change the address, create another target.
         *
         *     Requires the scopes `webhooks:write` and `events:read`.
         */
        patch: operations["updateNoticeTarget"];
        trace?: never;
    };
    "/v1/workspace/notices/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notice
         * @description Sends a test message to each target, and returns the results. With the scope `instance:read`, the targets in `NOTICES` are tested too. A workspace can send one test every 10 seconds.
         *
         *     Requires the scope `webhooks:write`.
         */
        post: operations["testNotices"];
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
         * @description Lists events, newest first. Filters are combined with AND. With `after`, even an empty one, the list is a feed: oldest first, and `next_cursor` is always returned. Store it, and pass it as `after` to continue later without gaps or repetitions. A click creates an event only if a webhook subscribes to clicks and its filter includes the click; `GET /v1/clicks` lists all clicks. If few events match, a page may have fewer events than `limit`, or none, although `has_more` is true. Token events (`token.*`) are included only if the calling token also has the scope `tokens:read`.
         *
         *     Requires the scope `events:read`.
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
         * Get an event
         * @description Returns an event with a summary of its deliveries. A token event (`token.*`) also requires the scope `tokens:read`.
         *
         *     Requires the scope `events:read`.
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
         * List event types
         * @description Lists the event types that a webhook can subscribe to, each with its meaning, the JSON Schema of its `data` and an example.
         *
         *     Requires the scope `events:read`.
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
    "/v1/links/{id}/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a link's clicks
         * @description Lists the clicks of a link, newest first.
         *
         *     Requires the scope `clicks:read`.
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
         * List clicks as a feed
         * @description Lists all clicks of the workspace in the order in which they were recorded, oldest first. `next_cursor` is always returned: store it, and pass it as `after` to continue later.
         *
         *     Requires the scope `clicks:read`.
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
         * Stream live clicks
         * @description Streams clicks as server-sent events, within a second. Each `click` event has the click as `data` and a cursor as `id`. The stream begins with an `id` without an event. To resume the stream without missing a click, send the last `id` as `Last-Event-ID`, with the same `link_id`. A comment is sent every 15 seconds. The stream ends when the token expires or is revoked, when the service stops, or when the client reads too slowly. Each process allows 5 concurrent streams per token and 20 per workspace (`WORKSPACE_LIVE_STREAMS`).
         *
         *     Requires the scope `clicks:read`.
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
    "/v1/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get workspace analytics
         * @description Returns click counts for the workspace. Counts are exact, never estimated. A query that would read too many individual clicks returns 422 with the widest range that fits.
         *
         *     Requires the scope `clicks:read`.
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
         * Get link analytics
         * @description Returns click counts for a link. With `interval=all`, `totals` equals the `clicks` of the link.
         *
         *     Requires the scope `clicks:read`.
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
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Lists running imports and those that ended in the last 7 days, newest first.
         *
         *     Requires the scope `links:read`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Import links
         * @description Imports links from a CSV file with a header row or from an NDJSON file, including exports of Bitly, Dub, Kutt, Shlink and YOURLS. A file can be up to 256 MiB, uncompressed, and a line up to 64 KiB. The response is sent when the file is stored. Workers then process the lines in order, each exactly once. A workspace runs up to two imports at a time. The file and its report are kept for 7 days after the import ends.
         *
         *     Requires the scope `links:write`.
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
         * Get an import
         * @description Returns an import with its progress and the results so far.
         *
         *     Requires the scope `links:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        /**
         * Cancel an import
         * @description Cancels an import. Links that were already created are kept. Has no effect on an import that has ended.
         *
         *     Requires the scope `links:write`.
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
         * Get an import's report
         * @description Lists the failed lines so far in file order, each with its number, the reasons and its content, as CSV or, with `Accept: application/x-ndjson`, as NDJSON.
         *
         *     Requires the scope `links:read`.
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
         * Export links
         * @description Streams all links that match the filters, as of one point in time. An export is aborted after ten minutes, and a workspace can run two exports at a time. In CSV, cells that a spreadsheet would treat as formulas start with an apostrophe, which imports remove.
         *
         *     Requires the scope `links:read`.
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
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Lists audit log entries, newest first: each action with its actor, object, time and IP address. Entries are never changed and contain no secrets. Not available to tokens that are restricted to tags.
         *
         *     Requires the scope `audit:read`.
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
    "/v1/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit log entries
         * @description Exports all audit log entries that match the filters as CSV, newest first. An export is aborted after ten minutes, and a workspace can run two exports at a time. Cells that a spreadsheet would run as formulas are prefixed with an apostrophe. Not available to tokens that are restricted to tags.
         *
         *     Requires the scope `audit:read`.
         */
        get: operations["exportAuditEntries"];
        put?: never;
        post?: never;
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
         * Get settings and health checks
         * @description Returns the settings of the responding process, each with its source, and the checks of the command `doctor`. Secrets are not returned. Tokens with this scope can be created only on the command line, because the settings apply to all workspaces. Not available to tokens that are restricted to tags.
         *
         *     Requires the scope `instance:read`.
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
    "/v1/instance/egress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get source IP addresses
         * @description Returns the IP addresses that deliveries, tests and notices come from, so that a receiver can allow them in its firewall. Verify signatures as well: other workspaces send from the same addresses.
         *
         *     Requires the scope `webhooks:read`.
         */
        get: operations["getEgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the delivery state
         * @description Returns whether the operator of the service has paused all deliveries. During a pause, events are still recorded, deliveries wait, and tests and notices are still sent.
         *
         *     Requires the scope `webhooks:read`.
         */
        get: operations["getDeliveryState"];
        put?: never;
        post?: never;
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
         * @description Returns 200 while the process is running. Use `/readyz` to decide whether to send requests to it.
         *
         *     Requires no token.
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
         * @description Returns 200 if the process has reached the database since it started and can serve redirects, even from memory. `?for=api` also requires that API calls can be served. A worker is ready if it can send deliveries.
         *
         *     Requires no token.
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
         * @description Returns Prometheus metrics of requests, redirects, clicks, deliveries, the database and the process. `docs/metrics.md` lists them.
         *
         *     Requires no token.
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
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
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
         * A link was updated. `previous` contains the old values of the changed fields.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
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
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
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
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
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
         * A test event was requested. Sent only to the tested webhook.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
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
         * All delivery attempts to a webhook have failed for 1 day (`WEBHOOK_FAILING_AFTER`).
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
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
         * The service disabled a webhook, because its attempts kept failing or its receiver responded with 410. If the disabled webhook subscribes to this type, its own delivery is held until it is active again.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook that was reported as failing or disabled has received an event again.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
         */
        post: operations["onWebhookRecovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token was created, including by a rotation or on the command line.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
         */
        post: operations["onTokenCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token was revoked. `revoked_by` is the ID of the token that revoked it, or null if it was revoked on the command line.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
         */
        post: operations["onTokenRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token expires within 7 days or 1 day: see `days_left`. Not sent for a token that was created with a shorter lifetime.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
         */
        post: operations["onTokenExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An import has ended. Not sent for dry runs. `status` is `finished`, `canceled` or `failed`.
         * @description Sent as a signed POST request. Respond with a 2xx status within 15 seconds. Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more than once and in any order: use `webhook-id` to detect duplicates and `webhook-sequence` to restore the order.
         */
        post: operations["onImportFinished"];
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
            /** @description The query with defaults applied. */
            meta: components["schemas"]["AnalyticsMeta"];
            /** @description Counts of the whole range. */
            totals: components["schemas"]["AnalyticsCounts"];
            /**
             * @description Totals of the previous period, with `compare=previous`.
             * @example null
             */
            previous: components["schemas"]["AnalyticsCounts"] | null;
            /**
             * @description Rows of the result. With `group_by=time`, one row per point in time, oldest first, including points without clicks. Otherwise one row per value, in the order of `sort`.
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
             * @description Clicks not included in any row. `data` and `other` add up to `totals`, except when grouped by tag: a click counts once for each tag of its link.
             * @example null
             */
            other: components["schemas"]["AnalyticsCounts"] | null;
        };
        /**
         * @description Period to compare with.
         * @enum {string}
         */
        AnalyticsComparison: "previous";
        /** @description Click and visitor counts. */
        AnalyticsCounts: {
            /**
             * Format: int64
             * @description All clicks: human clicks and bots.
             * @example 120
             */
            clicks: number;
            /**
             * Format: int64
             * @description Human clicks: clicks that are not from known bots.
             * @example 100
             */
            human: number;
            /**
             * Format: int64
             * @description Visitors: unique people, counted once per UTC day and summed over days. Null in rows of a dimension, if the query has filters other than a single link, and if the range or point is not whole UTC days.
             * @example 80
             */
            visitors: number | null;
        };
        /**
         * @description Time between two points of a series.
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
        /** @description The query with defaults applied. */
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
             * @description IANA time zone that defines days, weeks and months.
             * @example UTC
             */
            timezone: string;
            /**
             * @description Time between two points of a series.
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
             * @description Whether rare values are counted in `other` instead of in their own rows. Per day, at most 5,000 values of a dimension are counted separately. Values seen in the last 30 days have priority. Totals, series, links and tags are always complete.
             * @example false
             */
            truncated: boolean;
        };
        /** @description A row of the result, with `start` if grouped by time, otherwise with `key`. */
        AnalyticsRow: {
            /**
             * Format: int64
             * @description All clicks: human clicks and bots.
             * @example 120
             */
            clicks: number;
            /**
             * Format: int64
             * @description Human clicks: clicks that are not from known bots.
             * @example 100
             */
            human: number;
            /**
             * Format: int64
             * @description Visitors: unique people, counted once per UTC day and summed over days. Null in rows of a dimension, if the query has filters other than a single link, and if the range or point is not whole UTC days.
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
             * @description Value of the dimension. Null if unknown.
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
        /**
         * @description Most clicks or most human clicks first.
         * @enum {string}
         */
        AnalyticsSort: "-clicks" | "-human";
        /** @description A request to a receiver and its result. */
        Attempt: {
            /**
             * @description ID of the attempt.
             * @example att_01kaj4d0qbf9krv2m8x6c3t7hw
             */
            id: string;
            /**
             * @description Number of the attempt, starting at 1. A redelivery continues the numbering.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description Time the attempt started.
             * @example 2026-01-31T11:00:00.120Z
             */
            started_at: string;
            /**
             * @description Duration in milliseconds.
             * @example 50
             */
            duration_ms: number;
            /**
             * @description HTTP status code of the response. Null if there was no response.
             * @example 503
             */
            status_code: number | null;
            /**
             * @description Why the attempt failed. Null if it succeeded.
             * @example {
             *       "class": "http_status",
             *       "message": "The receiver responded with 503.",
             *       "phase": null
             *     }
             */
            error: components["schemas"]["AttemptError"] | null;
            /**
             * @description IP address the request was sent to.
             * @example 203.0.113.80
             */
            remote_address: string | null;
            /**
             * @description Headers sent by this service, including the signature, which is valid only with the body. The values of custom headers are masked.
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
            };
            /**
             * @description Response headers. Null if there was no response. Values of custom headers that the receiver returns are masked, as they are in `response_body`.
             * @example {
             *       "content-type": "text/plain",
             *       "retry-after": "120"
             *     }
             */
            response_headers: {
                [key: string]: string;
            } | null;
            /**
             * @description Response body, up to the first 16 KiB. Null if there was no response.
             * @example Back in two minutes.
             */
            response_body: string | null;
            /**
             * @description Whether `response_body` is truncated.
             * @example false
             */
            response_truncated: boolean;
            /** @description Duration of each phase in milliseconds. */
            timings: components["schemas"]["AttemptTimings"];
        };
        /** @description Why an attempt failed. */
        AttemptError: {
            /**
             * @description Machine-readable error class.
             * @example http_status
             */
            class: components["schemas"]["AttemptErrorClass"];
            /**
             * @description Human-readable error message.
             * @example The receiver responded with 503.
             */
            message: string;
            /**
             * @description Phase in which the attempt failed. Null if the receiver sent a complete response, such as a 500, or if nothing was sent.
             * @example null
             */
            phase: components["schemas"]["AttemptPhase"] | null;
        };
        /** @description Type of delivery failure. New values may be added. Known values: `dns`, `blocked_address`, `proxy`, `refused`, `reset`, `tls`, `timeout`, `too_large`, `redirect`, `http_status`, `canceled`, `other`. */
        AttemptErrorClass: "dns" | "blocked_address" | "proxy" | "refused" | "reset" | "tls" | "timeout" | "too_large" | "redirect" | "http_status" | "canceled" | "other" | (string & {});
        /** @description Phase of an attempt: DNS lookup, TCP connection, TLS handshake, waiting for the first byte, or receiving the response. New values may be added. Known values: `dns`, `connect`, `tls`, `first_byte`, `body`. */
        AttemptPhase: "dns" | "connect" | "tls" | "first_byte" | "body" | (string & {});
        /** @description Duration of each phase of an attempt in milliseconds. */
        AttemptTimings: {
            /**
             * @description DNS lookup. Null if it was not needed.
             * @example 3.1
             */
            dns_ms: number | null;
            /**
             * @description TCP connection. Null if an open connection was reused.
             * @example 11.8
             */
            connect_ms: number | null;
            /**
             * @description TLS handshake. Null if there was none.
             * @example 14.2
             */
            tls_ms: number | null;
            /**
             * @description From sending the request to the first byte of the response.
             * @example 20.4
             */
            first_byte_ms: number | null;
            /**
             * @description Total duration.
             * @example 50.3
             */
            total_ms: number | null;
        };
        /** @description Action recorded in the audit log. New values may be added. Known values: `token.created`, `token.rotated`, `token.revoked`, `token.refused`, `link.created`, `link.updated`, `link.deleted`, `session.created`, `session.refused`, `session.ended`, `webhook.created`, `webhook.changed`, `webhook.secret_rotated`, `webhook.deleted`, `webhook.disabled`, `webhook.portal_link_created`, `webhook.delivery_skipped`, `notice_target.created`, `notice_target.changed`, `notice_target.deleted`. */
        AuditAction: "token.created" | "token.rotated" | "token.revoked" | "token.refused" | "link.created" | "link.updated" | "link.deleted" | "session.created" | "session.refused" | "session.ended" | "webhook.created" | "webhook.changed" | "webhook.secret_rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.portal_link_created" | "webhook.delivery_skipped" | "notice_target.created" | "notice_target.changed" | "notice_target.deleted" | (string & {});
        /** @description Actor that performed an action. */
        AuditActor: {
            /**
             * @description Type of actor.
             * @example token
             */
            type: components["schemas"]["AuditActorType"];
            /**
             * @description ID of the token. Null for other types of actors.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            id: string | null;
            /**
             * @description Name of the token. Null for other types of actors, and in the history of a link without `audit:read` or `tokens:read`.
             * @example ci
             */
            name: string | null;
        };
        /** @description Type of actor. `service` is the service itself. New values may be added. Known values: `token`, `command_line`, `service`. */
        AuditActorType: "token" | "command_line" | "service" | (string & {});
        /** @description An entry of the audit log. */
        AuditEntry: {
            /**
             * @description ID of the entry.
             * @example aud_01kaj3v9z5e0b9t1n8w2k4r6qs
             */
            id: string;
            /**
             * @description Action that was performed.
             * @example token.created
             */
            action: components["schemas"]["AuditAction"];
            /** @description Actor that performed the action. */
            actor: components["schemas"]["AuditActor"];
            /** @description Object of the action. */
            object: components["schemas"]["AuditObject"];
            /**
             * @description IP address of the caller. Null if the action did not come from a request.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description ID of the request. Null if the action did not come from a request.
             * @example k3Jv0Qf2aLx91
             */
            request_id: string | null;
            /**
             * @description Details that depend on the action. Never contains secrets.
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
             * @description Time of the action.
             * @example 2026-01-31T12:00:00.000Z
             */
            occurred_at: string;
        };
        /** @description A page of `AuditEntry` objects. */
        AuditEntryPage: {
            /** @description Items on this page. */
            data: components["schemas"]["AuditEntry"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description Object of an action. */
        AuditObject: {
            /**
             * @description Type of object.
             * @example token
             */
            type: components["schemas"]["AuditObjectType"];
            /**
             * @description ID of the object. Null if it did not have one yet.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string | null;
            /**
             * @description Current name of the object: the name of a token, the slug of a link, or the description of a webhook (without one, the host of its URL). Null for sessions.
             * @example newsletter
             */
            name: string | null;
        };
        /** @description Type of object. New values may be added. Known values: `token`, `session`, `link`, `webhook`, `notice_target`. */
        AuditObjectType: "token" | "session" | "link" | "webhook" | "notice_target" | (string & {});
        /** @description Delivery of an ordered webhook that has failed or cannot be sent yet, and blocks all later ones. */
        AwaitedDelivery: {
            /**
             * @description ID of the delivery.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            delivery_id: string;
            /**
             * Format: date-time
             * @description Start of its first attempt, or the time it was created if it has not been attempted yet.
             * @example 2026-01-31T11:00:00.120Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Expected time of its next attempt.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string;
        };
        /** @description Links to create. */
        BulkCreate: {
            /**
             * @description Whether to change nothing if one item fails. `true`: all items succeed, or the response lists every error. `false`: items are processed independently, and the result of each failed item contains its error. Default: true.
             * @example true
             */
            atomic?: boolean;
            /** @description Links to create, processed in this order. Each has the fields of a single create request. */
            links: components["schemas"]["CreateLink"][];
            /**
             * @description How to handle a slug or external ID that already exists in the workspace. `fail` reports an error, `skip` leaves the existing link unchanged, and `update` updates it with the given fields. A slug that is used in another workspace, or was used by a deleted link, is always an error. Default: `fail`.
             * @example skip
             */
            on_conflict?: components["schemas"]["ConflictMode"];
        };
        /** @description Links to delete. */
        BulkDelete: {
            /**
             * @description Whether to change nothing if one item fails. `true`: all items succeed, or the response lists every error. `false`: items are processed independently, and the result of each failed item contains its error. Default: true.
             * @example true
             */
            atomic?: boolean;
            /**
             * @description IDs of the links.
             * @example [
             *       "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *     ]
             */
            ids: string[];
        };
        /** @description Error of an item. */
        BulkError: {
            /**
             * @description Error code, as for a request for a single link.
             * @example conflict
             */
            code: string;
            /**
             * @description Explanation of the error.
             * @example The slug spring is in use, or was used by a deleted link. Choose another slug.
             */
            detail: string;
            /**
             * @description Every invalid field of the item, with JSON pointers into the request body.
             * @example [
             *       {
             *         "pointer": "/links/17/slug",
             *         "code": "taken",
             *         "detail": "The slug spring is in use, or was used by a deleted link. Choose another slug."
             *       }
             *     ]
             */
            errors: components["schemas"]["InputError"][];
        };
        /** @description Counts for all items and the result of each. */
        BulkReport: {
            /**
             * Format: int64
             * @description Number of created links.
             * @example 2
             */
            created: number;
            /**
             * Format: int64
             * @description Number of updated links.
             * @example 0
             */
            updated: number;
            /**
             * Format: int64
             * @description Number of deleted links.
             * @example 0
             */
            deleted: number;
            /**
             * Format: int64
             * @description Number of skipped links.
             * @example 0
             */
            skipped: number;
            /**
             * Format: int64
             * @description Number of failed items.
             * @example 0
             */
            failed: number;
            /** @description One result per item, in the order of the request. */
            results: components["schemas"]["BulkResult"][];
        };
        /** @description Result of an item. */
        BulkResult: {
            /**
             * @description Position of the item in the request, starting at 0.
             * @example 0
             */
            index: number;
            /**
             * @description Result of the item. `skipped`: the link already existed or needed no change.
             * @example created
             */
            status: components["schemas"]["BulkStatus"];
            /**
             * @description The link after the request. Null if the item failed.
             * @example null
             */
            link: components["schemas"]["Link"] | null;
            /**
             * @description Error of the item. Null if it succeeded.
             * @example null
             */
            error: components["schemas"]["BulkError"] | null;
        };
        /**
         * @description Result status of an item.
         * @enum {string}
         */
        BulkStatus: "created" | "updated" | "deleted" | "skipped" | "failed";
        /** @description A change to apply to several links. */
        BulkUpdate: {
            /**
             * @description Whether to change nothing if one item fails. `true`: all items succeed, or the response lists every error. `false`: items are processed independently, and the result of each failed item contains its error. Default: true.
             * @example true
             */
            atomic?: boolean;
            /**
             * @description IDs of the links.
             * @example [
             *       "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *     ]
             */
            ids: string[];
            /** @description Changes to apply to each link, as in `PATCH /v1/links/:id`. */
            patch?: components["schemas"]["UpdateLink"];
            /**
             * @description Tags to add to each link.
             * @example [
             *       "sale"
             *     ]
             */
            add_tags?: string[];
            /**
             * @description Tags to remove from each link.
             * @example [
             *       "draft"
             *     ]
             */
            remove_tags?: string[];
        };
        /** @description Why a delivery was canceled. `retention`: it was pending for longer than events are kept. `webhook_deleted`: its webhook was deleted. `skipped`: a caller skipped it. New values may be added. Known values: `retention`, `webhook_deleted`, `skipped`. */
        CanceledReason: "retention" | "webhook_deleted" | "skipped" | (string & {});
        /**
         * @description Status that a webhook can be set to.
         * @enum {string}
         */
        ChosenWebhookStatus: "active" | "paused";
        /**
         * @description State of the circuit breaker.
         * @enum {string}
         */
        Circuit: "closed" | "open" | "half_open";
        /** @description A visit to a short link. Privacy settings limit what is recorded. */
        Click: {
            /**
             * @description ID of the click.
             * @example clk_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description ID of the clicked link.
             * @example lnk_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            link_id: string;
            /**
             * @description Slug that was visited.
             * @example spring
             */
            slug: string;
            /**
             * @description URL the visitor was redirected to.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * Format: date-time
             * @description Time of the click.
             * @example 2026-01-31T12:00:00.000Z
             */
            occurred_at: string;
            /**
             * @description Whether the visitor was a bot, such as a crawler, a link preview or an HTTP library.
             * @example false
             */
            bot: boolean;
            /**
             * @description URL of the referring page.
             * @example https://news.example/today
             */
            referrer: string | null;
            /**
             * @description Host of the referring page.
             * @example news.example
             */
            referrer_host: string | null;
            /**
             * @description Two-letter country code (ISO 3166).
             * @example DE
             */
            country: string | null;
            /**
             * @description Region code (ISO 3166-2). Requires a MaxMind city database.
             * @example DE-BE
             */
            region: string | null;
            /**
             * @description English name of the city.
             * @example Berlin
             */
            city: string | null;
            /**
             * @description Name of the browser, or of the app with a built-in browser. Null if unknown.
             * @example Firefox
             */
            browser: string | null;
            /**
             * @description Name of the operating system. Null if unknown.
             * @example Linux
             */
            os: string | null;
            /**
             * @description Device type. `bot` for every bot. Null if unknown.
             * @example desktop
             */
            device: components["schemas"]["Device"] | null;
            /**
             * @description Preferred language of the visitor (BCP 47).
             * @example de-DE
             */
            language: string | null;
            /**
             * @description `utm_source` of the visited URL, otherwise of the destination, truncated to 100 characters.
             * @example mail
             */
            utm_source: string | null;
            /**
             * @description `utm_medium` of the visited URL, otherwise of the destination, truncated to 100 characters.
             * @example email
             */
            utm_medium: string | null;
            /**
             * @description `utm_campaign` of the visited URL, otherwise of the destination, truncated to 100 characters.
             * @example spring
             */
            utm_campaign: string | null;
            /**
             * @description `utm_term` of the visited URL, otherwise of the destination, truncated to 100 characters.
             * @example shoes
             */
            utm_term: string | null;
            /**
             * @description `utm_content` of the visited URL, otherwise of the destination, truncated to 100 characters.
             * @example banner
             */
            utm_content: string | null;
            /**
             * @description Source of the click: the link (`link`) or its QR code (`qr`).
             * @example link
             */
            source: components["schemas"]["ClickSource"];
            /**
             * @description IP address of the visitor, truncated to its network unless the operator changed this.
             * @example 203.0.113.0
             */
            ip: string | null;
            /**
             * @description Pseudonymous visitor ID that changes daily.
             * @example q1Zr7m0VxkJt2nB5cW9dYA
             */
            visitor: string | null;
            /**
             * @description ID of the event sent to webhooks. Null if no webhook wanted the click: none subscribed to clicks, or their filters excluded it. Only the prefix differs from the click ID.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string | null;
        };
        /** @description Click counts of a link. */
        ClickCounts: {
            /**
             * Format: int64
             * @description All clicks: human clicks and bots.
             * @example 1200
             */
            total: number;
            /**
             * Format: int64
             * @description Human clicks: clicks that are not from known bots.
             * @example 1100
             */
            human: number;
        };
        /** @description A link was clicked. */
        ClickEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example click
             * @constant
             */
            type: "click";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T11:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["ClickEventData"];
        };
        /** @description The click and the clicked link. */
        ClickEventData: {
            click: components["schemas"]["Click"];
            link: components["schemas"]["ClickedLink"];
        };
        /** @description A page of `Click` objects. */
        ClickPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Click"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description Source of a click.
         * @enum {string}
         */
        ClickSource: "link" | "qr";
        /** @description The clicked link, without the fields that change with each click. */
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
         * @description State of a component.
         * @enum {string}
         */
        ComponentState: "ok" | "failing";
        /** @description State of each component of the service. */
        ComponentStates: {
            /**
             * @description PostgreSQL connection.
             * @example ok
             */
            database: components["schemas"]["ComponentState"];
            /**
             * @description Database migrations. `ok` if the schema is that of this version.
             * @example ok
             */
            migrations: components["schemas"]["ComponentState"];
            /**
             * @description Connection that notifies processes of changes.
             * @example ok
             */
            change_feed: components["schemas"]["ComponentState"];
            /**
             * @description Job queue. While it is failing, deliveries start a few seconds later.
             * @example ok
             */
            queue: components["schemas"]["ComponentState"];
        };
        /**
         * @description How to handle a link that already exists.
         * @enum {string}
         */
        ConflictMode: "fail" | "skip" | "update";
        /** @description An event, and the filter to test it with. */
        CreateFilterTest: {
            /**
             * @description ID of the event.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description Filter to test instead of the filter of the webhook. Null for no filter.
             * @example {
             *       "link_ids": [
             *         "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *       ],
             *       "tags": [
             *         "sale"
             *       ],
             *       "human_only": true,
             *       "changed_fields": [
             *         "url",
             *         "tags"
             *       ]
             *     }
             */
            filter?: components["schemas"]["WebhookFilterInput"] | null;
        };
        /** @description A link to create. Only `url` is required. */
        CreateLink: {
            /**
             * @description Destination URL: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * @description Display title of the link.
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description Internal note. Visitors never see it.
             * @example Printed on the spring flyers.
             */
            note?: string | null;
            /**
             * @description Your own ID for the link, unique in the workspace.
             * @example campaign-17
             */
            external_id?: string | null;
            /**
             * @description HTTP status of the redirect. Default: 302.
             * @example 302
             * @enum {integer}
             */
            redirect_status?: 301 | 302 | 307 | 308;
            /**
             * @description Whether the visitor's query is added to the destination. Default: false.
             * @example false
             */
            forward_query?: boolean;
            /**
             * @description A disabled link responds with 410. Default: true.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description Time the link expires. An expired link responds with 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Tags of the link, at most 20. Duplicates are merged.
             * @example [
             *       "sale",
             *       "mail"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot be combined with `expires_at`.
             * @example 30d
             */
            expires_in?: string | null;
            /**
             * @description Path of the short link. Default: a generated slug of seven characters.
             * @example spring
             */
            slug?: string;
        };
        /** @description A notice target to create. */
        CreateNoticeTarget: {
            /**
             * @description Type of the target. `email` requires a mail server, which the operator sets in `NOTICES`.
             * @example slack
             */
            type: components["schemas"]["NoticeTargetType"];
            /**
             * @description URL of a Slack or Discord webhook, or an email address. Stored encrypted, and returned only masked.
             * @example https://chat.example/services/T000/B000/xxxx
             */
            address: string;
            /**
             * @description Events to send. Duplicates are merged. Default: `webhook.failing`, `webhook.disabled`, `webhook.recovered`, `token.expiring`.
             * @example [
             *       "webhook.failing",
             *       "webhook.disabled"
             *     ]
             */
            events?: components["schemas"]["NoticeEvent"][];
        };
        /** @description Options for a portal link. The request body is optional. */
        CreatePortalLink: {
            /**
             * @description How long the link and its session are valid, from `60s` to `24h`. Default: `1h`.
             * @example 1h
             */
            expires_in?: string;
            /**
             * @description What the visitor may do besides reading: `test` sends test events, `replay` redelivers and replays, `rotate` rotates the secret. Default: none.
             * @example [
             *       "test",
             *       "replay"
             *     ]
             */
            allow?: components["schemas"]["PortalAction"][];
        };
        /** @description Deliveries or events to send. */
        CreateReplay: {
            /**
             * @description Start of the range, inclusive, by the creation time of deliveries or the time of events. A time, or a duration before now, such as `1d`: a whole number and a unit (s, m, h, d or w).
             * @example 1d
             */
            since: string;
            /**
             * @description End of the range, inclusive, in the same format as `since`. Default: now.
             * @example 2026-01-31T12:00:00Z
             */
            until?: string;
            /**
             * @description Which deliveries to replay. Cannot be combined with `"from": "events"`. Default: `failed`.
             * @example failed
             */
            status?: components["schemas"]["ReplayedStatus"];
            /**
             * @description Event types to send. Default: all.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events?: components["schemas"]["EventType"][];
            /**
             * @description `deliveries`: redelivers deliveries of this webhook. `events`: sends events that the webhook currently subscribes to and that meet its filter, but that it never received, including those from before it was created. Default: `deliveries`.
             * @example deliveries
             */
            from?: components["schemas"]["ReplaySource"];
            /**
             * @description Whether to send what the current filter of the webhook excludes. The tags of a restricted token that created the webhook always apply. Default: false.
             * @example false
             */
            ignore_filter?: boolean;
            /**
             * @description Returns the number of deliveries without sending them. Default: false.
             * @example false
             */
            dry_run?: boolean;
        };
        /** @description Options for a test. The request body is optional. */
        CreateTestSend: {
            /**
             * @description Type of the event to send, with example data. The webhook does not have to subscribe to this type. Default: `webhook.test`.
             * @example webhook.test
             */
            event?: components["schemas"]["EventType"];
        };
        /** @description A token to create. Only `name` is required. */
        CreateToken: {
            /**
             * @description Name of the token, such as the program that uses it.
             * @example ci
             */
            name: string;
            /**
             * @description Scopes of the token. Duplicates are merged. Default: the scopes of the calling token, except `instance:read`, which can be granted only on the command line.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes?: components["schemas"]["WorkspaceScope"][];
            /**
             * @description Lifetime, from `60s` to `365d`: a whole number and s, m (minutes), h, d or w. Default: no expiry.
             * @example 30d
             */
            expires_in?: string | null;
            /** @description Restrictions of the token. They cannot be changed later. */
            restrictions?: components["schemas"]["CreateTokenRestrictions"] | null;
        };
        /** @description Restrictions of a new token. Each absent field is copied from the calling token. */
        CreateTokenRestrictions: {
            /**
             * @description IP networks (CIDR) or addresses that the token can be used from, at most 20.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowed_ips?: string[] | null;
            /**
             * Format: date-time
             * @description Time from which the token is valid.
             * @example 2026-03-01T00:00:00.000Z
             */
            not_before?: string | null;
            /**
             * @description Maximum number of requests in a time window of at most `1h`, instead of `RATE_LIMIT`. Cannot exceed `WORKSPACE_RATE_LIMIT`.
             * @example 60/1m
             */
            rate_limit?: string | null;
            /**
             * @description The token can only access links with one of these tags. With a single tag, links that it creates get the tag.
             * @example [
             *       "partner"
             *     ]
             */
            tags?: string[] | null;
        };
        /** @description A webhook to create. `url` and `events` are required. */
        CreateWebhook: {
            /**
             * @description Filter of the events that the webhook receives, in addition to their types. An event must meet all conditions. Null for no filter.
             * @example {
             *       "link_ids": [
             *         "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *       ],
             *       "tags": [
             *         "sale"
             *       ],
             *       "human_only": true,
             *       "changed_fields": [
             *         "url",
             *         "tags"
             *       ]
             *     }
             */
            filter?: components["schemas"]["WebhookFilterInput"] | null;
            /**
             * @description Description of the webhook, for your own reference.
             * @example The warehouse
             */
            description?: string | null;
            /**
             * @description Maximum number of concurrent requests to the webhook. Default: 20.
             * @example 20
             */
            max_in_flight?: number;
            /**
             * @description Whether deliveries are sent one at a time, in the order of their events. A failing delivery then blocks all later ones until it succeeds, is skipped, or has no retries left. Default: false.
             * @example false
             */
            ordered?: boolean;
            /**
             * @description Format of the request body: the event (`standard`, the default), or a message that describes the event in a Slack or Discord channel.
             * @example standard
             */
            format?: components["schemas"]["WebhookFormat"];
            /**
             * @description URL that receives events: https, at most 2,048 characters, without credentials or fragment, and not a private IP address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description Event types the webhook subscribes to. `*` means all types, including future ones, except token events (`token.*`), which must be named. Duplicates are merged.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events: components["schemas"]["EventSubscription"][];
            /**
             * @description Secret that signs requests: 1 to 256 characters, ideally at least 24 random bytes. After `whsec_`, it must be base64, and the decoded bytes are the key. Any other secret is used as UTF-8 text. Default: a generated secret, which is returned only in this response.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
            /**
             * @description Sends several events in one request with the body `{"batch_id", "events"}`, which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`. Null for one event per request.
             * @example {
             *       "max": 100,
             *       "within": "5s"
             *     }
             */
            batch?: components["schemas"]["WebhookBatchInput"] | null;
            /**
             * @description Custom headers of requests to the webhook, such as `Authorization`: at most 10, with visible ASCII values. They are stored encrypted and never shown again. Headers that the service sets, such as `webhook-*` and `Content-Type`, and connection headers are rejected.
             * @example {
             *       "authorization": "Bearer 8f1c2b7d"
             *     }
             */
            headers?: {
                [key: string]: string;
            } | null;
        };
        /** @description A new token with its value, which is shown only once. */
        CreatedToken: {
            /**
             * @description ID of the token.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description Name of the token.
             * @example ci
             */
            name: string;
            /**
             * @description Scopes of the token.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Restrictions of the token. Null if it has none.
             * @example null
             */
            restrictions: components["schemas"]["TokenRestrictions"] | null;
            /**
             * @description First characters of the value.
             * @example lsk_live_
             */
            prefix: string;
            /**
             * @description Last four characters of the value.
             * @example x7Qa
             */
            last4: string;
            /**
             * @description Status of the token. Lists contain only active tokens.
             * @example active
             */
            status: components["schemas"]["TokenStatus"];
            /**
             * Format: date-time
             * @description Time the token was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time the token expires. Null if it does not expire.
             * @example 2026-03-02T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last accepted request. Requests to other processes may take a few seconds to appear.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description ID of the token that created it. Null if it was created from the command line.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            created_by: string | null;
            /**
             * @description ID of the token it replaces.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description Value of the token. It is shown only in this response.
             * @example lsk_live_…
             */
            token: string;
        };
        /** @description A webhook with its generated secret. */
        CreatedWebhook: {
            /**
             * @description ID of the webhook.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            id: string;
            /**
             * @description URL that receives events: https, at most 2,048 characters, without credentials or fragment, and not a private IP address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description Event types the webhook subscribes to. `*` means all types, including future ones, except token events (`token.*`), which must be named. Duplicates are merged.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events: components["schemas"]["EventSubscription"][];
            /**
             * @description Filter of the events that the webhook receives, in addition to their types. An event must meet all conditions. Null for no filter.
             * @example {
             *       "link_ids": [
             *         "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *       ],
             *       "tags": [
             *         "sale"
             *       ],
             *       "human_only": true,
             *       "changed_fields": [
             *         "url",
             *         "tags"
             *       ]
             *     }
             */
            filter: components["schemas"]["WebhookFilter"] | null;
            /**
             * @description Description of the webhook, for your own reference.
             * @example The warehouse
             */
            description: string | null;
            /**
             * @description `active` webhooks receive events. Events for `paused` and `disabled` webhooks are held. The service disables a webhook whose attempts keep failing, or whose receiver responds with 410.
             * @example active
             */
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why the service disabled the webhook. Null if it is not disabled.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * @description Maximum number of concurrent requests to the webhook. Default: 20.
             * @example 20
             */
            max_in_flight: number;
            /**
             * @description Whether deliveries are sent one at a time, in the order of their events. A failing delivery then blocks all later ones until it succeeds, is skipped, or has no retries left. Default: false.
             * @example false
             */
            ordered: boolean;
            /**
             * @description Sends several events in one request with the body `{"batch_id", "events"}`, which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`. Null for one event per request.
             * @example {
             *       "max": 100,
             *       "within": "5s"
             *     }
             */
            batch: components["schemas"]["WebhookBatch"] | null;
            /**
             * @description Last characters of the secret. Secrets of fewer than 12 characters are not shown.
             * @example …LaSw
             */
            secret_hint: string;
            /**
             * @description Secret rotation in progress. Null if there is none.
             * @example null
             */
            secret_rotation: components["schemas"]["SecretRotation"] | null;
            /**
             * @description Format of the request body: the event (`standard`, the default), or a message that describes the event in a Slack or Discord channel.
             * @example standard
             */
            format: components["schemas"]["WebhookFormat"];
            /**
             * @description Custom headers of requests to the webhook. Values are never shown.
             * @example {
             *       "authorization": "…"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description Number of deliveries held until the webhook is active. 0 while it is active.
             * @example 0
             */
            held: number;
            /**
             * Format: int64
             * @description Number of deliveries waiting to be sent or retried. 0 while the webhook is not active.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Time of the last successful attempt.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Time of the first failure after the last success. Null if there is none.
             * @example null
             */
            failing_since: string | null;
            /**
             * @description Last failed attempt, kept after later successes. Null if no attempt has failed since the URL was changed or the webhook was resumed.
             * @example null
             */
            last_error: components["schemas"]["WebhookError"] | null;
            /**
             * @description Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null if there were no attempts.
             * @example 0.9917
             */
            success_rate_24h: number | null;
            /**
             * Format: date-time
             * @description Earliest time of the next attempt. Null if no delivery is pending.
             * @example 2026-01-31T12:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries are sent, because several attempts in a row have failed, or nothing is sent, because the receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and its result closes or reopens the circuit.
             * @example closed
             */
            circuit: components["schemas"]["Circuit"];
            /**
             * Format: date-time
             * @description Time the webhook was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Generated secret. Store it: it is shown only in this response. Null if you supplied the secret.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string | null;
        };
        /** @description Delivery of an event to a webhook. */
        Delivery: {
            /**
             * @description ID of the delivery.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            id: string;
            /**
             * @description ID of the webhook.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description ID of the event.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description Type of the event.
             * @example click
             */
            event_type: components["schemas"]["EventType"];
            /** @description Object that the event is about. Null if there is none, if the event is no longer kept, or if the token does not have the scope `events:read`. */
            subject: components["schemas"]["DeliverySubject"] | null;
            /**
             * Format: int64
             * @description Position in the delivery order of the webhook. Null until the first attempt, and for tests.
             * @example 214
             */
            sequence: number | null;
            /**
             * @description ID of the batch that contains the event. Null until the batch is formed, and for webhooks without batches. A redelivery gets a new batch.
             * @example null
             */
            batch_id: string | null;
            /**
             * @description Status of the delivery.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: int64
             * @description Number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description Expected time of the next attempt, according to the retry schedule, `Retry-After` and, for first attempts, the circuit breaker. In an ordered webhook, not before the next attempt of the delivery in `waiting_for`. Null if the delivery is not pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description ID of the delivery that an ordered webhook must send before this one. Null if this delivery is next or not pending, or if the webhook is not ordered.
             * @example null
             */
            waiting_for: string | null;
            /**
             * @description Latest attempt. Null if there is none.
             * @example {
             *       "id": "att_01kaj4d0qbf9krv2m8x6c3t7hw",
             *       "number": 1,
             *       "started_at": "2026-01-31T11:00:00.120Z",
             *       "duration_ms": 50,
             *       "status_code": 503,
             *       "error": {
             *         "class": "http_status",
             *         "message": "The receiver responded with 503.",
             *         "phase": null
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
             * @description Whether this is a test. Tests are not counted in statistics and never retried.
             * @example false
             */
            test: boolean;
            /**
             * @description Why the delivery was canceled. Null if it was not canceled.
             * @example null
             */
            canceled_reason: components["schemas"]["CanceledReason"] | null;
            /**
             * Format: date-time
             * @description Time the delivery was created.
             * @example 2026-01-31T11:00:00.100Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time the delivery succeeded, failed or was canceled. Null until then.
             * @example null
             */
            completed_at: string | null;
        };
        /** @description A page of `Delivery` objects. */
        DeliveryPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Delivery"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description Whether deliveries are sent. */
        DeliveryState: {
            /**
             * @description Whether deliveries are sent.
             * @example active
             */
            status: components["schemas"]["DeliveryStateStatus"];
            /**
             * Format: date-time
             * @description Start of the pause. Null unless deliveries are paused.
             * @example null
             */
            paused_at: string | null;
            /**
             * @description Reason that the operator gave for the pause. Null without one.
             * @example null
             */
            reason: string | null;
        };
        /** @description `active`: deliveries are sent. `paused`: the operator paused all deliveries, which wait until the operator resumes them. New values may be added. Known values: `active`, `paused`. */
        DeliveryStateStatus: "active" | "paused" | (string & {});
        /**
         * @description `pending`: waiting to be sent or retried. `held`: waiting until the webhook is active. `succeeded`: the receiver responded with 2xx. `failed`: no attempts are left. `canceled`: the delivery was skipped, its webhook was deleted, or it waited for longer than events are kept.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "held" | "succeeded" | "failed" | "canceled";
        /** @description The object that the event of a delivery is about. */
        DeliverySubject: {
            /**
             * @description Type of the object.
             * @example link
             */
            type: components["schemas"]["DeliverySubjectType"];
            /**
             * @description ID of the object.
             * @example lnk_01kaj3x5r3f7s9v1x2z4b6n8qk
             */
            id: string;
            /**
             * @description Slug of the link, or URL of the webhook, when the event occurred.
             * @example spring
             */
            name: string;
        };
        /** @description Type of the object that an event is about. New values may be added. Known values: `link`, `webhook`. */
        DeliverySubjectType: "link" | "webhook" | (string & {});
        /** @description Delivery of an event to a webhook. */
        DeliverySummary: {
            /**
             * @description ID of the delivery.
             * @example dlv_01kaj4d0r2f5w8z1b4d7g0j3mq
             */
            id: string;
            /**
             * @description ID of the webhook.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description Status of the delivery.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: int64
             * @description Number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if the delivery is completed, or held until the webhook is active.
             * @example 2026-01-31T10:00:05.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Time the delivery succeeded, failed or was canceled. Null until then.
             * @example null
             */
            completed_at: string | null;
        };
        /** @description A delivery with its attempts. */
        DeliveryWithAttempts: {
            /**
             * @description ID of the delivery.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            id: string;
            /**
             * @description ID of the webhook.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description ID of the event.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description Type of the event.
             * @example click
             */
            event_type: components["schemas"]["EventType"];
            /** @description Object that the event is about. Null if there is none, if the event is no longer kept, or if the token does not have the scope `events:read`. */
            subject: components["schemas"]["DeliverySubject"] | null;
            /**
             * Format: int64
             * @description Position in the delivery order of the webhook. Null until the first attempt, and for tests.
             * @example 214
             */
            sequence: number | null;
            /**
             * @description ID of the batch that contains the event. Null until the batch is formed, and for webhooks without batches. A redelivery gets a new batch.
             * @example null
             */
            batch_id: string | null;
            /**
             * @description Status of the delivery.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: int64
             * @description Number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description Expected time of the next attempt, according to the retry schedule, `Retry-After` and, for first attempts, the circuit breaker. In an ordered webhook, not before the next attempt of the delivery in `waiting_for`. Null if the delivery is not pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description ID of the delivery that an ordered webhook must send before this one. Null if this delivery is next or not pending, or if the webhook is not ordered.
             * @example null
             */
            waiting_for: string | null;
            /**
             * @description Latest attempt. Null if there is none.
             * @example {
             *       "id": "att_01kaj4d0qbf9krv2m8x6c3t7hw",
             *       "number": 1,
             *       "started_at": "2026-01-31T11:00:00.120Z",
             *       "duration_ms": 50,
             *       "status_code": 503,
             *       "error": {
             *         "class": "http_status",
             *         "message": "The receiver responded with 503.",
             *         "phase": null
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
             * @description Whether this is a test. Tests are not counted in statistics and never retried.
             * @example false
             */
            test: boolean;
            /**
             * @description Why the delivery was canceled. Null if it was not canceled.
             * @example null
             */
            canceled_reason: components["schemas"]["CanceledReason"] | null;
            /**
             * Format: date-time
             * @description Time the delivery was created.
             * @example 2026-01-31T11:00:00.100Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time the delivery succeeded, failed or was canceled. Null until then.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description Attempts, oldest first. After more than 100 attempts, only the newest 100.
             * @example [
             *       {
             *         "id": "att_01kaj4d0qbf9krv2m8x6c3t7hw",
             *         "number": 1,
             *         "started_at": "2026-01-31T11:00:00.120Z",
             *         "duration_ms": 50,
             *         "status_code": 503,
             *         "error": {
             *           "class": "http_status",
             *           "message": "The receiver responded with 503.",
             *           "phase": null
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
         * @description Device type. `other` is a television, console, watch or headset.
         * @enum {string}
         */
        Device: "desktop" | "mobile" | "tablet" | "bot" | "other";
        /** @description Where deliveries come from. */
        Egress: {
            /**
             * @description IP addresses and networks that deliveries come from. Empty if the service does not know them.
             * @example [
             *       "198.51.100.7",
             *       "2001:db8::/64"
             *     ]
             */
            addresses: string[];
            /**
             * @description Source of the addresses.
             * @example configured
             */
            source: components["schemas"]["EgressSource"];
            /**
             * @description Proxy through which deliveries are sent. Null if they are sent directly.
             * @example null
             */
            proxy: components["schemas"]["EgressProxy"] | null;
            /**
             * @description What to allow in a firewall, as human-readable text.
             * @example Deliveries come from 198.51.100.7 and 2001:db8::/64.
             */
            message: string;
        };
        /** @description Proxy through which deliveries are sent. */
        EgressProxy: {
            /**
             * @description Host of the proxy. Null for tokens without the scope `instance:read`.
             * @example proxy.internal.example
             */
            host: string | null;
            /**
             * @description Port of the proxy. Null for tokens without the scope `instance:read`.
             * @example 3128
             */
            port: number | null;
        };
        /** @description Source of the addresses: the setting `WEBHOOK_EGRESS_IPS` (`configured`), or the local address of connections (`source_address`), which receivers do not see behind NAT. `unknown`: neither is set. New values may be added. Known values: `configured`, `source_address`, `unknown`. */
        EgressSource: "configured" | "source_address" | "unknown" | (string & {});
        /** @description An event. `type` determines the fields of `data`: for `link.created`, the schema `LinkCreatedEvent` describes the whole event. */
        Event: components["schemas"]["LinkCreatedEvent"] | components["schemas"]["LinkUpdatedEvent"] | components["schemas"]["LinkDeletedEvent"] | components["schemas"]["ClickEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["WebhookFailingEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookRecoveredEvent"] | components["schemas"]["TokenCreatedEvent"] | components["schemas"]["TokenRevokedEvent"] | components["schemas"]["TokenExpiringEvent"] | components["schemas"]["ImportFinishedEvent"];
        /** @description A page of `Event` objects. */
        EventPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Event"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description An event type, or `*` for all types, including future ones. Token events (`token.*`) must be named. New values may be added. Known values: `link.created`, `link.updated`, `link.deleted`, `click`, `webhook.test`, `webhook.failing`, `webhook.disabled`, `webhook.recovered`, `token.created`, `token.revoked`, `token.expiring`, `import.finished`, `*`. */
        EventSubscription: "link.created" | "link.updated" | "link.deleted" | "click" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "webhook.recovered" | "token.created" | "token.revoked" | "token.expiring" | "import.finished" | "*" | (string & {});
        /** @description Type of an event. New values may be added. Known values: `link.created`, `link.updated`, `link.deleted`, `click`, `webhook.test`, `webhook.failing`, `webhook.disabled`, `webhook.recovered`, `token.created`, `token.revoked`, `token.expiring`, `import.finished`. */
        EventType: "link.created" | "link.updated" | "link.deleted" | "click" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "webhook.recovered" | "token.created" | "token.revoked" | "token.expiring" | "import.finished" | (string & {});
        /** @description An event type, with its meaning and schema. */
        EventTypeInfo: {
            /**
             * @description Name of the event type.
             * @example link.updated
             */
            name: components["schemas"]["EventType"];
            /**
             * @description When the event occurs.
             * @example A link was updated. `previous` contains the old values of the changed fields.
             */
            meaning: string;
            /**
             * @description JSON Schema (2020-12) of `data`. New fields may be added, so ignore unknown fields.
             * @example {
             *       "type": "object",
             *       "properties": {}
             *     }
             */
            schema: {
                [key: string]: unknown;
            };
            /**
             * @description Complete event of this type, as sent to webhooks.
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
        /** @description A page of `EventTypeInfo` objects. */
        EventTypeInfoPage: {
            /** @description Items on this page. */
            data: components["schemas"]["EventTypeInfo"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description An event and its deliveries. */
        EventWithDeliveries: (components["schemas"]["LinkCreatedEvent"] | components["schemas"]["LinkUpdatedEvent"] | components["schemas"]["LinkDeletedEvent"] | components["schemas"]["ClickEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["WebhookFailingEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookRecoveredEvent"] | components["schemas"]["TokenCreatedEvent"] | components["schemas"]["TokenRevokedEvent"] | components["schemas"]["TokenExpiringEvent"] | components["schemas"]["ImportFinishedEvent"]) & {
            /**
             * @description Deliveries of the event: one per webhook, and one more per replay.
             * @example [
             *       {
             *         "id": "dlv_01kaj4d0r2f5w8z1b4d7g0j3mq",
             *         "webhook_id": "wh_01kaj3w4q2e6r8t0y1v3b5n7mz",
             *         "status": "pending",
             *         "attempt_count": 1,
             *         "next_attempt_at": "2026-01-31T10:00:05.000Z",
             *         "completed_at": null
             *       }
             *     ]
             */
            deliveries: components["schemas"]["DeliverySummary"][];
        };
        /** @description Explains why a webhook did or did not receive an event. */
        Explanation: {
            /**
             * @description ID of the event.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string;
            /**
             * @description ID of the webhook.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string;
            /**
             * @description Machine-readable reason.
             * @example waiting
             */
            reason: components["schemas"]["ExplanationReason"];
            /**
             * @description Human-readable reason.
             * @example Attempt 1 failed: The receiver responded with 503. Attempt 2 is scheduled for 2026-01-31T11:00:05.320Z.
             */
            sentence: string;
            /** @description Suggested next step. */
            next_step: components["schemas"]["NextStep"];
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if the delivery is not pending.
             * @example 2026-01-31T11:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description Delivery to this webhook. Null if there is none.
             * @example null
             */
            delivery: components["schemas"]["DeliverySummary"] | null;
        };
        /** @description Reason code of an explanation. New values may be added. Known values: `delivered`, `waiting`, `waiting_in_order`, `waiting_for_batch`, `waiting_for_circuit`, `waiting_for_proxy`, `deliveries_paused`, `paused_by_receiver`, `held`, `failed`, `canceled`, `test`, `not_subscribed`, `filtered`, `created_later`, `webhook_deleted`. */
        ExplanationReason: "delivered" | "waiting" | "waiting_in_order" | "waiting_for_batch" | "waiting_for_circuit" | "waiting_for_proxy" | "deliveries_paused" | "paused_by_receiver" | "held" | "failed" | "canceled" | "test" | "not_subscribed" | "filtered" | "created_later" | "webhook_deleted" | (string & {});
        /**
         * @description Export format: CSV with a header row, or one JSON object per line.
         * @enum {string}
         */
        ExportFormat: "csv" | "ndjson";
        /**
         * @description Machine-readable error code of a field. New values may be added. Known values:
         *
         *     * `required`: The field is missing.
         *     * `unknown_field`: The field or parameter is not supported by the operation.
         *     * `duplicate`: The value is repeated.
         *     * `not_an_object`: Not a JSON object.
         *     * `mutually_exclusive`: Two mutually exclusive fields are set.
         *     * `one_of`: Exactly one of several fields is required.
         *     * `mismatch`: Differs from the value in the URL.
         *     * `invalid_text`: Too short, too long, blank, or contains control characters.
         *     * `invalid_time`: Not a valid date or time.
         *     * `invalid_number`: Not a whole number in the allowed range.
         *     * `invalid_flag`: Not `true` or `false`.
         *     * `invalid_duration`: Not a duration such as `30d`, or not in the allowed range.
         *     * `invalid_timestamp`: Not a valid RFC 3339 time.
         *     * `in_the_future`: The time is in the future.
         *     * `not_after_since`: Not later than `since`.
         *     * `in_the_past`: The time is in the past.
         *     * `invalid_list`: Not a list, or has too few or too many elements.
         *     * `invalid_cursor`: The cursor is malformed, or belongs to another list or other parameters.
         *     * `invalid_key`: The idempotency key is empty, too long, or contains characters other than visible ASCII.
         *     * `unknown_value`: Not one of the allowed values.
         *     * `unknown_timezone`: Not an IANA time zone.
         *     * `before_start`: Not later than `start`.
         *     * `incompatible`: Cannot be combined with the other fields or parameters.
         *     * `too_many`: Too many values.
         *     * `too_many_points`: The response would have too many points.
         *     * `invalid_sort`: The list cannot be sorted this way.
         *     * `invalid_format`: Not an available format.
         *     * `invalid_status`: Not a valid status.
         *     * `invalid_url`: Not a URL that can be used for this field.
         *     * `too_long`: The URL is too long.
         *     * `https_required`: The URL does not start with `https://`.
         *     * `taken`: The value is in use, or was in use before and cannot be reused.
         *     * `invalid_scopes`: Not a list of known scopes.
         *     * `invalid_networks`: Not a list of IP networks or addresses, or too many of them.
         *     * `invalid_rate`: Not a number of requests and a duration, or too high.
         *     * `after_expiry`: Not before the expiry of the token.
         *     * `invalid_action`: Not an audit log action.
         *     * `invalid_slug`: The slug is too long or contains characters that are not allowed.
         *     * `reserved`: The slug is a path of the service itself.
         *     * `unchangeable`: The slug of a link cannot be changed.
         *     * `other_link`: The slug and the external ID belong to different links.
         *     * `not_found`: The link was not found in the workspace.
         *     * `invalid_tags`: Not a list of tags, or has too many tags or tags that are too long.
         *     * `too_many_tags`: The link would have too many tags.
         *     * `restricted`: The link would have none of the tags that the token is restricted to.
         *     * `invalid_redirect_status`: Not a supported redirect status.
         *     * `invalid_conflict_mode`: Not a valid conflict mode.
         *     * `invalid_level`: Not a valid error correction level.
         *     * `too_small`: The image would be too small to scan.
         *     * `empty`: The file is empty.
         *     * `not_utf8`: The file is not UTF-8.
         *     * `unsupported_line_endings`: The lines end with a carriage return (CR) only.
         *     * `format_mismatch`: The file is not in the format that `format` names.
         *     * `unknown_columns`: The columns do not match a supported export.
         *     * `other_columns`: The columns do not match `format`.
         *     * `too_many_columns`: The header row has too many columns.
         *     * `duplicate_column`: The header row has a duplicate column.
         *     * `invalid_json`: The line is not a JSON object, or has a duplicate key.
         *     * `invalid_utf8`: The line is not UTF-8.
         *     * `nul_byte`: The line contains a NUL byte.
         *     * `line_too_long`: The line is too long.
         *     * `too_many_cells`: The line has more cells than the header row.
         *     * `bad_quotes`: Text follows a closing quote.
         *     * `open_quote`: A quote is not closed.
         *     * `has_password`: The link is password-protected, which this service does not support.
         *     * `invalid_events`: Not a list of event types.
         *     * `unknown_event`: Not an event type.
         *     * `blocked_port`: Webhooks cannot use this port.
         *     * `blocked_address`: Webhooks cannot use this IP address.
         *     * `invalid_actions`: Not a list of portal actions.
         *     * `invalid_link_ids`: Not a list of link IDs, or has too few or too many.
         *     * `invalid_changed_fields`: Not a list of link fields.
         *     * `invalid_secret`: Blank or too long, or not base64 after `whsec_`.
         *     * `invalid_headers`: Not an object of header names and values.
         *     * `invalid_header`: Not a valid header name or value, or too long.
         *     * `reserved_header`: The service reserves this header.
         *     * `masked_value`: A masked value instead of the actual value.
         *     * `unreadable_value`: The stored value cannot be decrypted.
         *     * `other_origin`: The stored values were set for another scheme, host or port.
         *     * `invalid_target`: Not a type of notice target.
         *     * `invalid_mail_address`: Not an email address.
         *     * `no_mail_server`: No mail server is configured.
         *     * `not_subscribed`: The webhook is not subscribed to the event.
         *     * `invalid_source`: Not a valid replay source.
         *     * `invalid_error_class`: Not a known error class.
         */
        FieldErrorCode: "required" | "unknown_field" | "duplicate" | "not_an_object" | "mutually_exclusive" | "one_of" | "mismatch" | "invalid_text" | "invalid_time" | "invalid_number" | "invalid_flag" | "invalid_duration" | "invalid_timestamp" | "in_the_future" | "not_after_since" | "in_the_past" | "invalid_list" | "invalid_cursor" | "invalid_key" | "unknown_value" | "unknown_timezone" | "before_start" | "incompatible" | "too_many" | "too_many_points" | "invalid_sort" | "invalid_format" | "invalid_status" | "invalid_url" | "too_long" | "https_required" | "taken" | "invalid_scopes" | "invalid_networks" | "invalid_rate" | "after_expiry" | "invalid_action" | "invalid_slug" | "reserved" | "unchangeable" | "other_link" | "not_found" | "invalid_tags" | "too_many_tags" | "restricted" | "invalid_redirect_status" | "invalid_conflict_mode" | "invalid_level" | "too_small" | "empty" | "not_utf8" | "unsupported_line_endings" | "format_mismatch" | "unknown_columns" | "other_columns" | "too_many_columns" | "duplicate_column" | "invalid_json" | "invalid_utf8" | "nul_byte" | "line_too_long" | "too_many_cells" | "bad_quotes" | "open_quote" | "has_password" | "invalid_events" | "unknown_event" | "blocked_port" | "blocked_address" | "invalid_actions" | "invalid_link_ids" | "invalid_changed_fields" | "invalid_secret" | "invalid_headers" | "invalid_header" | "reserved_header" | "masked_value" | "unreadable_value" | "other_origin" | "invalid_target" | "invalid_mail_address" | "no_mail_server" | "not_subscribed" | "invalid_source" | "invalid_error_class" | (string & {});
        /** @description Condition of a filter. `restricted_tags`: the tags of the restricted token that created the webhook. New values may be added. Known values: `restricted_tags`, `link_ids`, `tags`, `human_only`, `changed_fields`. */
        FilterCondition: "restricted_tags" | "link_ids" | "tags" | "human_only" | "changed_fields" | (string & {});
        /** @description Result of a filter for an event. */
        FilterTest: {
            /**
             * @description Whether the filter includes the event.
             * @example false
             */
            matches: boolean;
            /**
             * @description First condition that the event does not meet. Null if the filter includes the event.
             * @example tags
             */
            condition: components["schemas"]["FilterCondition"] | null;
            /**
             * @description Human-readable result.
             * @example The filter excludes the event: the link has none of the `tags`.
             */
            message: string;
        };
        /**
         * @description Result of a check: passed, warning or failed.
         * @enum {string}
         */
        FindingStatus: "ok" | "warn" | "fail";
        /** @description State of a running process. */
        Health: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        /** @description An import of links from a file, with its progress. */
        Import: {
            /**
             * @description ID of the import.
             * @example imp_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description Status of the import. `waiting`: two other imports of the workspace are running. `failed`: the import stopped early, see `error`. A failed line does not stop the import.
             * @example running
             */
            status: components["schemas"]["ImportStatus"];
            /**
             * @description Format of the file. `csv` and `ndjson` use the field names of links; the others are exports of other services.
             * @example bitly
             */
            format: components["schemas"]["ImportFormat"];
            /**
             * @description How to handle a slug or external ID that already exists in the workspace: fail the line, skip it, or update the existing link.
             * @example skip
             */
            on_conflict: components["schemas"]["ConflictMode"];
            /**
             * @description Whether lines are only checked, without creating or changing links.
             * @example false
             */
            dry_run: boolean;
            /**
             * @description Whether the imported links emit events.
             * @example true
             */
            notify: boolean;
            /**
             * Format: int64
             * @description Size of the file in bytes.
             * @example 1048576
             */
            bytes: number;
            /**
             * Format: int64
             * @description Number of processed bytes.
             * @example 524288
             */
            bytes_processed: number;
            /**
             * Format: int64
             * @description Number of processed lines: the sum of `created`, `updated`, `skipped` and `failed`.
             * @example 5000
             */
            lines: number;
            /**
             * Format: int64
             * @description Number of created links.
             * @example 4990
             */
            created: number;
            /**
             * Format: int64
             * @description Number of updated links.
             * @example 0
             */
            updated: number;
            /**
             * Format: int64
             * @description Number of lines whose link already existed or needed no change.
             * @example 7
             */
            skipped: number;
            /**
             * Format: int64
             * @description Number of failed lines. The report lists them.
             * @example 3
             */
            failed: number;
            /**
             * @description Columns that were ignored, at most 100.
             * @example [
             *       "created_at",
             *       "archived"
             *     ]
             */
            ignored_columns: string[];
            /**
             * @description The first 10 lines of a dry run that did not fail, as they would be imported. Lines that update a link show its values after the update. Empty for other imports.
             * @example []
             */
            preview: components["schemas"]["ImportPreviewRow"][];
            /**
             * @description Why the import failed. Null if it did not fail.
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @description Time the import was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time processing started. Null until then.
             * @example 2026-01-31T12:00:01.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description Time the import ended. Null until then.
             * @example null
             */
            finished_at: string | null;
        };
        /** @description The import after its end. */
        ImportEventData: {
            import: components["schemas"]["Import"];
        };
        /** @description An import has ended. Not sent for dry runs. `status` is `finished`, `canceled` or `failed`. */
        ImportFinishedEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example import.finished
             * @constant
             */
            type: "import.finished";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T12:00:09.000Z
             */
            timestamp: string;
            data: components["schemas"]["ImportEventData"];
        };
        /** @description File format: native, or an export of another service. New values may be added. Known values: `csv`, `ndjson`, `bitly`, `dub`, `kutt`, `shlink`, `yourls`. */
        ImportFormat: "csv" | "ndjson" | "bitly" | "dub" | "kutt" | "shlink" | "yourls" | (string & {});
        /**
         * @description What an import would do with a line.
         * @enum {string}
         */
        ImportOutcome: "created" | "updated" | "skipped";
        /** @description A page of `Import` objects. */
        ImportPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Import"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A line of a file, as it would be imported. */
        ImportPreviewRow: {
            /**
             * Format: int64
             * @description Number of the line in the file.
             * @example 2
             */
            line: number;
            /**
             * @description What an import would do with the line. `skipped`: the link already exists or needs no change.
             * @example created
             */
            outcome: components["schemas"]["ImportOutcome"];
            /**
             * @description Slug of the line. Null if it has none, so that a new link gets a generated slug.
             * @example spring
             */
            slug: string | null;
            /**
             * @description Destination URL: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * @description Display title of the link.
             * @example Spring sale
             */
            title: string | null;
            /**
             * @description Tags of the link, at most 20. Duplicates are merged.
             * @example [
             *       "sale",
             *       "mail"
             *     ]
             */
            tags: string[];
            /**
             * Format: date-time
             * @description Time the link expires. An expired link responds with 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at: string | null;
        };
        /**
         * @description Status of an import.
         * @enum {string}
         */
        ImportStatus: "waiting" | "running" | "finished" | "canceled" | "failed";
        /** @description An invalid field, parameter or header of the request. */
        InputError: {
            /**
             * @description JSON pointer to the field in the request body.
             * @example /enabled
             */
            pointer?: string;
            /**
             * @description Name of the query parameter.
             * @example limit
             */
            parameter?: string;
            /**
             * @description Name of the request header.
             * @example Idempotency-Key
             */
            header?: string;
            code: components["schemas"]["FieldErrorCode"];
            /**
             * @description How to fix the value.
             * @example Must be true or false, without quotes.
             */
            detail: string;
        };
        /** @description Settings and health of the service. */
        Instance: {
            /**
             * @description Version of the service.
             * @example 0.1.0
             */
            version: string;
            /**
             * Format: date-time
             * @description Time of the `doctor` checks.
             * @example 2026-01-31T12:00:00.000Z
             */
            checked_at: string;
            /** @description The running processes of all roles, oldest first. */
            processes: components["schemas"]["InstanceProcess"][];
            /** @description All settings, in the order of the settings reference. */
            settings: components["schemas"]["Setting"][];
            /** @description Results of the `doctor` checks, in the order they ran. */
            findings: components["schemas"]["InstanceFinding"][];
        };
        /** @description Result of a `doctor` check. */
        InstanceFinding: {
            /**
             * @description Name of the check.
             * @example disk_space
             */
            name: string;
            /**
             * @description Result of the check.
             * @example ok
             */
            status: components["schemas"]["FindingStatus"];
            /**
             * @description What the check found, and how to fix it.
             * @example 120.4 GiB are free.
             */
            message: string;
        };
        /** @description A running process of the service. */
        InstanceProcess: {
            /**
             * @description ID of the process.
             * @example prc_01kaj3w0c5fq4t1n8v6z2b9y7m
             */
            id: string;
            /**
             * @description Role of the process.
             * @example worker
             */
            role: components["schemas"]["InstanceProcessRole"];
            /**
             * @description Status of the process.
             * @example running
             */
            status: components["schemas"]["InstanceProcessStatus"];
            /**
             * @description Version of the process.
             * @example 0.1.0
             */
            version: string;
            /**
             * @description Name of the host or container.
             * @example worker-7c9d
             */
            host: string;
            /**
             * @description Process ID on the host.
             * @example 1
             */
            pid: number;
            /**
             * Format: date-time
             * @description Time of the start.
             * @example 2026-01-31T12:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description Time of the last report. Processes report every 5 seconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            seen_at: string;
            /**
             * @description Number of webhooks that its worker currently sends to. Null for the role `api`.
             * @example 12
             */
            webhooks: number | null;
            /**
             * @description Age in seconds of the oldest click that is not in the database yet. Null for the role `worker`.
             * @example null
             */
            lag_seconds: number | null;
        };
        /** @description Role of a process. New values may be added. Known values: `all`, `api`, `worker`. */
        InstanceProcessRole: "all" | "api" | "worker" | (string & {});
        /** @description Status of a process. `draining`: its worker finishes its requests and takes no more work. `drained`: its worker has finished and can be stopped. New values may be added. Known values: `running`, `draining`, `drained`. */
        InstanceProcessStatus: "running" | "draining" | "drained" | (string & {});
        /** @description A short link with its destination, settings and click counts. */
        Link: {
            /**
             * @description ID of the link.
             * @example lnk_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description Path of the short link.
             * @example spring
             */
            slug: string;
            /**
             * Format: uri
             * @description Short URL to share with visitors.
             * @example http://localhost:3000/spring
             */
            short_url: string;
            /**
             * @description Destination URL: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url: string;
            /**
             * @description Display title of the link.
             * @example Spring sale
             */
            title: string | null;
            /**
             * @description Internal note. Visitors never see it.
             * @example Printed on the spring flyers.
             */
            note: string | null;
            /**
             * @description Tags of the link, at most 20. Duplicates are merged.
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
             * @description HTTP status of the redirect. Default: 302.
             * @example 302
             * @enum {integer}
             */
            redirect_status: 301 | 302 | 307 | 308;
            /**
             * @description Whether the visitor's query is added to the destination. Default: false.
             * @example false
             */
            forward_query: boolean;
            /**
             * @description A disabled link responds with 410. Default: true.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Time the link expires. An expired link responds with 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at: string | null;
            /** @description Click counts. They lag behind redirects by a fraction of a second. */
            clicks: components["schemas"]["ClickCounts"];
            /**
             * Format: date-time
             * @description Time of the last click. Null before the first click.
             * @example null
             */
            last_clicked_at: string | null;
            /**
             * Format: date-time
             * @description Time the link was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change. Clicks do not count as changes.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description Action on a link. New values may be added. Known values: `link.created`, `link.updated`, `link.deleted`. */
        LinkAction: "link.created" | "link.updated" | "link.deleted" | (string & {});
        /**
         * @description Dimension of the rows for a link.
         * @enum {string}
         */
        LinkAnalyticsGroup: "time" | "country" | "region" | "city" | "referrer_host" | "browser" | "os" | "device" | "language" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "source";
        /** @description A change to a link. */
        LinkChange: {
            /**
             * @description ID of the audit log entry.
             * @example aud_01kaj3v9z5e0b9t1n8w2k4r6qs
             */
            id: string;
            /**
             * @description Action that was performed.
             * @example link.updated
             */
            action: components["schemas"]["LinkAction"];
            /** @description Who performed the action. */
            actor: components["schemas"]["AuditActor"];
            /**
             * @description Names of the changed fields. Empty if the link was created or deleted.
             * @example [
             *       "url",
             *       "tags"
             *     ]
             */
            fields: string[];
            /**
             * @description ID of the request.
             * @example k3Jv0Qf2aLx91
             */
            request_id: string | null;
            /**
             * Format: date-time
             * @description Time of the change.
             * @example 2026-01-31T12:00:00.000Z
             */
            occurred_at: string;
        };
        /** @description A page of `LinkChange` objects. */
        LinkChangePage: {
            /** @description Items on this page. */
            data: components["schemas"]["LinkChange"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A link was created. */
        LinkCreatedEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example link.created
             * @constant
             */
            type: "link.created";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T09:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["LinkEventData"];
        };
        /** @description A link was deleted. */
        LinkDeletedEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example link.deleted
             * @constant
             */
            type: "link.deleted";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["LinkEventData"];
        };
        /** @description The link at the time of the event. */
        LinkEventData: {
            link: components["schemas"]["Link"];
        };
        /** @description A field of a link that users can set. New values may be added. Known values: `url`, `title`, `note`, `tags`, `external_id`, `redirect_status`, `forward_query`, `enabled`, `expires_at`. */
        LinkField: "url" | "title" | "note" | "tags" | "external_id" | "redirect_status" | "forward_query" | "enabled" | "expires_at" | (string & {});
        /** @description A page of `Link` objects. */
        LinkPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Link"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @description Sort order of links. A minus sign means descending.
         * @enum {string}
         */
        LinkSort: "created_at" | "-created_at" | "-clicks";
        /** @description A link was updated. `previous` contains the old values of the changed fields. */
        LinkUpdatedEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example link.updated
             * @constant
             */
            type: "link.updated";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T10:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["LinkUpdatedEventData"];
        };
        /** @description The link at the time of the event, and the old values of its changed fields. */
        LinkUpdatedEventData: {
            link: components["schemas"]["Link"];
            previous: components["schemas"]["PreviousLink"];
        };
        /** @description Action of a next step. `redeliver`: redeliver the delivery. `skip`: skip the delivery, which blocks later ones. `test`: send a test. `resume`: set the status of the webhook to `active`. `replay`: replay events with `"from": "events"`. `update`: change the event types or the filter of the webhook. `none`: no action is needed, or the API has none. New values may be added. Known values: `redeliver`, `skip`, `test`, `resume`, `replay`, `update`, `none`. */
        NextAction: "redeliver" | "skip" | "test" | "resume" | "replay" | "update" | "none" | (string & {});
        /** @description Suggested next step: a machine-readable action with the IDs it needs, and a human-readable message. */
        NextStep: {
            /**
             * @description Machine-readable action.
             * @example redeliver
             */
            action: components["schemas"]["NextAction"];
            /**
             * @description Human-readable next step.
             * @example Wait, or redeliver the event to send it now.
             */
            message: string;
            /**
             * @description ID of the webhook that the action is for. Null if the action is `none`.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            webhook_id: string | null;
            /**
             * @description ID of the delivery to redeliver or skip. Null for other actions.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            delivery_id: string | null;
            /**
             * Format: date-time
             * @description Start of the replay. Null for other actions.
             * @example null
             */
            since: string | null;
        };
        /** @description Event that a notice can report. New values may be added. Known values: `webhook.failing`, `webhook.disabled`, `webhook.recovered`, `token.expiring`, `token.created`, `token.revoked`, `import.finished`. */
        NoticeEvent: "webhook.failing" | "webhook.disabled" | "webhook.recovered" | "token.expiring" | "token.created" | "token.revoked" | "import.finished" | (string & {});
        /** @description A channel or email address that receives the notices of a workspace. */
        NoticeTarget: {
            /**
             * @description ID of the target.
             * @example ntt_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description Type of the target.
             * @example slack
             */
            type: components["schemas"]["NoticeTargetType"];
            /**
             * @description Masked address.
             * @example chat.example/…xxxx
             */
            address: string;
            /**
             * @description Events that are sent.
             * @example [
             *       "webhook.failing",
             *       "webhook.disabled"
             *     ]
             */
            events: components["schemas"]["NoticeEvent"][];
            /**
             * Format: date-time
             * @description Time of the last accepted message. Null if there is none.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_sent_at: string | null;
            /**
             * Format: date-time
             * @description Time of the first failed attempt to send the messages that are still unsent. Null if the target is not failing.
             * @example null
             */
            failing_since: string | null;
            /**
             * @description Why messages are not accepted. Null if the target is not failing.
             * @example null
             */
            last_error: string | null;
            /**
             * Format: date-time
             * @description Time the target was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description A page of `NoticeTarget` objects. */
        NoticeTargetPage: {
            /** @description Items on this page. */
            data: components["schemas"]["NoticeTarget"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description Type of a notice target. New values may be added. Known values: `slack`, `discord`, `email`. */
        NoticeTargetType: "slack" | "discord" | "email" | (string & {});
        /** @description Results of a test. */
        NoticeTest: {
            /** @description One result for each target. */
            results: components["schemas"]["NoticeTestResult"][];
        };
        /** @description Result of a test for one target. */
        NoticeTestResult: {
            /**
             * @description ID of the target. Null for a target that the operator has set in `NOTICES`.
             * @example ntt_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string | null;
            /**
             * @description Type of the target.
             * @example slack
             */
            type: components["schemas"]["NoticeTargetType"];
            /**
             * @description Masked address.
             * @example chat.example/…xxxx
             */
            address: string;
            /**
             * @description Whether the target accepted the message.
             * @example true
             */
            delivered: boolean;
            /**
             * @description Why the message was not accepted. Null if it was accepted.
             * @example null
             */
            error: string | null;
        };
        /**
         * @description What the visitor of a webhook portal may do.
         * @enum {string}
         */
        PortalAction: "test" | "replay" | "rotate";
        /** @description A link to the portal of one webhook. */
        PortalLink: {
            /**
             * @description URL to give to the visitor. It works once, in one browser, and is shown only here.
             * @example http://localhost:3000/dashboard/portal/webhooks/wh_01kaj3w4q2e6r8t0y1v3b5n7mz#code=…
             */
            url: string;
            /**
             * Format: date-time
             * @description Time the link and its session end.
             * @example 2026-01-31T13:00:00.000Z
             */
            expires_at: string;
        };
        /** @description Old values of the changed fields. Unchanged fields are absent. */
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
        /** @description An error in the format of RFC 9457. `code` is stable; the messages may change. */
        Problem: {
            /**
             * Format: uri
             * @description URL of a page that explains the error and how to fix it.
             * @example http://localhost:3000/errors/validation_failed
             */
            type: string;
            /**
             * @description Short summary of the error, the same for every error with this code.
             * @example The input is not valid
             */
            title: string;
            /**
             * @description HTTP status code.
             * @example 422
             */
            status: number;
            /**
             * @description Explanation of this occurrence of the error.
             * @example The input is not valid.
             */
            detail: string;
            /**
             * @description ID of the request.
             * @example k3Jv0Qf2aLx91
             */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description Every invalid field, parameter or header. */
            errors?: components["schemas"]["InputError"][];
            /**
             * @description Scopes that the operation requires and the token does not have.
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
            /**
             * @description Name of the restriction: `allowed_ips`, `not_before`, `tags` or `portal`.
             * @example allowed_ips
             */
            restriction?: string;
            excess?: components["schemas"]["ScopeExcess"];
            /**
             * @description Quota of the workspace.
             * @example 100
             */
            limit?: number;
            /**
             * @description Name of the setting that sets the quota.
             * @example WORKSPACE_WEBHOOKS
             */
            setting?: string;
            /**
             * @description Name of the field whose value is taken.
             * @example slug
             */
            field?: string;
            /**
             * @description State of each component: `ok` or `failing`.
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
        /** @description Machine-readable error code. New values may be added. Known values: `not_found`, `method_not_allowed`, `invalid_json`, `invalid_query`, `invalid_header`, `bad_request`, `validation_failed`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_unreadable`, `unsupported_media_type`, `payload_too_large`, `headers_too_large`, `request_timeout`, `precondition_failed`, `rate_limited`, `internal_error`, `unavailable`, `unauthorized`, `invalid_token`, `token_expired`, `token_revoked`, `insufficient_scope`, `restricted`, `scope_escalation`, `quota_exceeded`, `no_session`, `invalid_code`, `cross_site`, `conflict`, `gone`, `not_redeliverable`, `not_skippable`, `secret_unreadable`, `headers_unreadable`, `range_too_large`, `range_not_kept`, `not_ready`. */
        ProblemCode: "not_found" | "method_not_allowed" | "invalid_json" | "invalid_query" | "invalid_header" | "bad_request" | "validation_failed" | "idempotency_mismatch" | "idempotency_in_progress" | "idempotency_unreadable" | "unsupported_media_type" | "payload_too_large" | "headers_too_large" | "request_timeout" | "precondition_failed" | "rate_limited" | "internal_error" | "unavailable" | "unauthorized" | "invalid_token" | "token_expired" | "token_revoked" | "insufficient_scope" | "restricted" | "scope_escalation" | "quota_exceeded" | "no_session" | "invalid_code" | "cross_site" | "conflict" | "gone" | "not_redeliverable" | "not_skippable" | "secret_unreadable" | "headers_unreadable" | "range_too_large" | "range_not_kept" | "not_ready" | (string & {});
        /**
         * @description Image format.
         * @enum {string}
         */
        QrFormat: "svg" | "png";
        /**
         * @description Error correction level, the share of the image that can be damaged: L 7%, M 15%, Q 25%, H 30%.
         * @enum {string}
         */
        QrLevel: "L" | "M" | "Q" | "H";
        /** @description State of a ready process. */
        Readiness: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            status: "ok";
            /** @description State of each component, at most half a second old. */
            parts: components["schemas"]["ComponentStates"];
        };
        /**
         * @description Purpose the process must be ready for.
         * @enum {string}
         */
        ReadinessUse: "api";
        /** @description Result of a replay request. */
        Replay: {
            /**
             * Format: int64
             * @description Number of deliveries that will be sent, or would be sent without `dry_run`.
             * @example 312
             */
            deliveries: number;
            /**
             * @description Note about events that are not included in the replay. Null if there is none.
             * @example null
             */
            note: string | null;
        };
        /**
         * @description Source of a replay.
         * @enum {string}
         */
        ReplaySource: "deliveries" | "events";
        /**
         * @description Deliveries to replay. `failed`: failed deliveries. `all`: failed, succeeded and canceled deliveries.
         * @enum {string}
         */
        ReplayedStatus: "failed" | "all";
        /** @description The webhook that the event is about. */
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
        /** @description Result of a visit to a short link. */
        Resolution: {
            /**
             * @description Outcome of the visit. Slugs of other workspaces are `unknown`.
             * @example redirect
             */
            outcome: components["schemas"]["ResolutionOutcome"];
            /**
             * @description HTTP status code that the visitor receives.
             * @example 302
             */
            status: number;
            /**
             * @description URL the visitor is redirected to. Null if there is no redirect.
             * @example https://example.com/spring?utm_source=mail
             */
            location: string | null;
            /**
             * @description Explanation of the outcome.
             * @example The link is enabled and has not expired.
             */
            reason: string;
            /**
             * @description The link. Null if it does not exist or was deleted.
             * @example null
             */
            link: components["schemas"]["Link"] | null;
        };
        /**
         * @description Outcome of a visit.
         * @enum {string}
         */
        ResolutionOutcome: "redirect" | "gone" | "unknown";
        /** @description A token to revoke, identified by its value. */
        RevokeToken: {
            /**
             * @description Full value of the token to revoke.
             * @example lsk_live_…
             */
            token: string;
        };
        /** @description Options for a rotation. The request body is optional. */
        RotateToken: {
            /**
             * @description How long the old token remains valid, from `1s` to `30d`. Default: `24h`.
             * @example 24h
             */
            overlap?: string;
        };
        /** @description Options of a rotation. The request body is optional. */
        RotateWebhookSecret: {
            /**
             * @description Secret that signs requests: 1 to 256 characters, ideally at least 24 random bytes. After `whsec_`, it must be base64, and the decoded bytes are the key. Any other secret is used as UTF-8 text. Default: a generated secret, which is returned only in this response.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
            /**
             * @description How long requests are also signed with the old secret, from `1s` to `30d`, or `0s` to stop immediately. Default: `24h`.
             * @example 24h
             */
            overlap?: string;
        };
        /**
         * @description Permission of a token. A `:write` scope does not include `:read`. New values may be added. Known values:
         *
         *     * `tokens:read`: List tokens and their usage.
         *     * `tokens:write`: Create, rotate and revoke tokens.
         *     * `links:read`: Read links, their history, tags and exports.
         *     * `links:write`: Create, import, change and delete links.
         *     * `clicks:read`: Read clicks and analytics.
         *     * `webhooks:read`: Read webhooks, deliveries and statistics.
         *     * `webhooks:write`: Manage and test webhooks, and redeliver events.
         *     * `events:read`: Read events, and why webhooks did or did not receive them.
         *     * `audit:read`: Read and export the audit log.
         *     * `instance:read`: Read the settings and health checks of the service.
         */
        Scope: "tokens:read" | "tokens:write" | "links:read" | "links:write" | "clicks:read" | "webhooks:read" | "webhooks:write" | "events:read" | "audit:read" | "instance:read" | (string & {});
        /** @description Requested scopes, expiry and restrictions that exceed those of the calling token. */
        ScopeExcess: {
            /**
             * @description Requested scopes that the calling token does not have.
             * @example [
             *       "tokens:write"
             *     ]
             */
            scopes?: string[];
            /**
             * Format: date-time
             * @description Requested expiry. Null means no expiry.
             * @example null
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description Expiry of the calling token, the latest that it can grant.
             * @example 2026-03-02T12:00:00.000Z
             */
            latest?: string;
            /**
             * @description How each restriction exceeds that of the calling token, such as the tags that it cannot access. Null if the new token lacks the restriction.
             * @example {
             *       "tags": [
             *         "internal"
             *       ]
             *     }
             */
            restrictions?: {
                [key: string]: unknown;
            };
        };
        /** @description Secret rotation in progress. */
        SecretRotation: {
            /**
             * Format: date-time
             * @description Time until which requests are also signed with the old secret.
             * @example 2026-02-01T12:00:00.000Z
             */
            old_ends_at: string;
        };
        /** @description The request as sent to the receiver. */
        SentRequest: {
            /**
             * @description HTTP method.
             * @example POST
             * @enum {string}
             */
            method: "POST";
            /**
             * @description URL of the request.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description All request headers, including the signature. The values of custom headers are masked.
             * @example {
             *       "content-type": "application/json",
             *       "webhook-id": "evt_01kaj4d0qae6svf0k9w3m7x2ht"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description Request body, exactly as signed and sent, in the `format` of the webhook.
             * @example {"id":"evt_01kaj4d0q…
             */
            body: string;
            /**
             * @description Shell command that resends the same headers and body. The signature is that of the test, so a receiver that checks the timestamp rejects it after a few minutes. Custom headers are masked: insert their values.
             * @example curl --globoff -X POST 'https://receiver.example/hooks' -H 'content-type: application/json' …
             */
            curl: string;
        };
        /** @description An effective setting of the responding process. */
        Setting: {
            /**
             * @description Name of the environment variable.
             * @example RATE_LIMIT
             */
            name: string;
            /**
             * @description Value, in the format of the environment variable. Null if it is not set, and for secrets.
             * @example 600/1m
             */
            value: string | null;
            /**
             * @description Whether the setting has a value, even if the value is not shown.
             * @example true
             */
            is_set: boolean;
            /**
             * @description Whether the setting is a secret. Its value is never shown.
             * @example false
             */
            secret: boolean;
            /**
             * @description Source of the setting.
             * @example environment
             */
            source: components["schemas"]["SettingSource"];
            /**
             * @description Default value. Null if there is none, or if it depends on other settings.
             * @example 600/1m
             */
            default_value: string | null;
            /**
             * @description Description of the setting.
             * @example Maximum number of API requests of a token in a time window, across all processes. `off` disables the limit.
             */
            description: string;
            /**
             * @description Group of the setting.
             * @example limits
             */
            group: components["schemas"]["SettingGroup"];
        };
        /** @description Group of a setting. New values may be added. Known values: `network`, `storage`, `privacy`, `webhooks`, `limits`, `tokens`, `process`, `appearance`. */
        SettingGroup: "network" | "storage" | "privacy" | "webhooks" | "limits" | "tokens" | "process" | "appearance" | (string & {});
        /**
         * @description Source of a setting: the environment, the `.env` file, a file that the setting with the suffix `_FILE` names, a command-line argument, a file in the data folder created at the first start, or the default.
         * @enum {string}
         */
        SettingSource: "environment" | "env_file" | "file" | "command_line" | "data_folder" | "default";
        /** @description Explanations of an event for each webhook, or the reason why there are none. */
        SubjectExplanation: {
            /**
             * @description ID of the explained event. Null if there is no event.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            event_id: string | null;
            /**
             * @description Type of the event. Null if there is no event.
             * @example click
             */
            event_type: components["schemas"]["EventType"] | null;
            /**
             * @description Reason code for a missing explanation: there is no event, or no webhook that could receive it. Null if there are explanations.
             * @example null
             */
            reason: components["schemas"]["UnexplainedReason"] | null;
            /**
             * @description Human-readable reason for a missing explanation. Null if there are explanations.
             * @example null
             */
            sentence: string | null;
            /**
             * @description Suggested next step if there are no explanations. Null otherwise.
             * @example null
             */
            next_step: components["schemas"]["NextStep"] | null;
            /** @description One explanation per webhook, newest webhook first. Empty if there is no event or no webhook. */
            data: components["schemas"]["Explanation"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A tag, and the number of links with it. */
        Tag: {
            /**
             * @description Name of the tag.
             * @example sale
             */
            tag: string;
            /**
             * Format: int64
             * @description Number of links with this tag.
             * @example 12
             */
            links: number;
        };
        /** @description A page of `Tag` objects. */
        TagPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Tag"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description Result of a test, with the request and the response. */
        TestSend: {
            /**
             * @description Whether the receiver responded with 2xx.
             * @example true
             */
            delivered: boolean;
            /**
             * @description What happened, and how to fix it.
             * @example The receiver responded with 204 in 35 ms.
             */
            verdict: string;
            /** @description Event that was sent. */
            event: components["schemas"]["Event"];
            /** @description Request that was sent. */
            request: components["schemas"]["SentRequest"];
            /** @description Attempt with the response. */
            attempt: components["schemas"]["Attempt"];
        };
        /** @description An API token, without its value. */
        Token: {
            /**
             * @description ID of the token.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description Name of the token.
             * @example ci
             */
            name: string;
            /**
             * @description Scopes of the token.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Restrictions of the token. Null if it has none.
             * @example null
             */
            restrictions: components["schemas"]["TokenRestrictions"] | null;
            /**
             * @description First characters of the value.
             * @example lsk_live_
             */
            prefix: string;
            /**
             * @description Last four characters of the value.
             * @example x7Qa
             */
            last4: string;
            /**
             * @description Status of the token. Lists contain only active tokens.
             * @example active
             */
            status: components["schemas"]["TokenStatus"];
            /**
             * Format: date-time
             * @description Time the token was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time the token expires. Null if it does not expire.
             * @example 2026-03-02T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last accepted request. Requests to other processes may take a few seconds to appear.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description ID of the token that created it. Null if it was created from the command line.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            created_by: string | null;
            /**
             * @description ID of the token it replaces.
             * @example null
             */
            rotated_from: string | null;
        };
        /** @description A token was created, including by a rotation or on the command line. */
        TokenCreatedEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example token.created
             * @constant
             */
            type: "token.created";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-01T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["TokenEventData"];
        };
        /** @description The token at the time of the event. */
        TokenEventData: {
            token: components["schemas"]["Token"];
        };
        /** @description A token expires within 7 days or 1 day: see `days_left`. Not sent for a token that was created with a shorter lifetime. */
        TokenExpiringEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example token.expiring
             * @constant
             */
            type: "token.expiring";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["TokenExpiringEventData"];
        };
        /** @description The token that expires, and the number of days until then. */
        TokenExpiringEventData: {
            token: components["schemas"]["Token"];
            /** @enum {integer} */
            days_left: 7 | 1;
        };
        /** @description Restrictions of a token. A null field does not restrict. */
        TokenRestrictions: {
            /**
             * @description IP networks that the token can be used from.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowed_ips: string[] | null;
            /**
             * Format: date-time
             * @description Time from which the token is valid.
             * @example 2026-03-01T00:00:00.000Z
             */
            not_before: string | null;
            /**
             * @description Rate limit of the token.
             * @example 60/1m
             */
            rate_limit: string | null;
            /**
             * @description The token can only access links with one of these tags.
             * @example [
             *       "partner"
             *     ]
             */
            tags: string[] | null;
        };
        /** @description A token was revoked. `revoked_by` is the ID of the token that revoked it, or null if it was revoked on the command line. */
        TokenRevokedEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example token.revoked
             * @constant
             */
            type: "token.revoked";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["TokenRevokedEventData"];
        };
        /** @description The revoked token, and the token that revoked it. */
        TokenRevokedEventData: {
            token: components["schemas"]["Token"];
            revoked_by: string | null;
        };
        /**
         * @description Status of a token. Only active tokens are accepted.
         * @enum {string}
         */
        TokenStatus: "active" | "expired" | "revoked";
        /** @description An API token with its usage. */
        TokenWithUsage: {
            /**
             * @description ID of the token.
             * @example tok_01kaj3v9z4f8hva3x7m2c5d6ne
             */
            id: string;
            /**
             * @description Name of the token.
             * @example ci
             */
            name: string;
            /**
             * @description Scopes of the token.
             * @example [
             *       "links:read",
             *       "links:write"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Restrictions of the token. Null if it has none.
             * @example null
             */
            restrictions: components["schemas"]["TokenRestrictions"] | null;
            /**
             * @description First characters of the value.
             * @example lsk_live_
             */
            prefix: string;
            /**
             * @description Last four characters of the value.
             * @example x7Qa
             */
            last4: string;
            /**
             * @description Status of the token. Lists contain only active tokens.
             * @example active
             */
            status: components["schemas"]["TokenStatus"];
            /**
             * Format: date-time
             * @description Time the token was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time the token expires. Null if it does not expire.
             * @example 2026-03-02T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last accepted request. Requests to other processes may take a few seconds to appear.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description ID of the token that created it. Null if it was created from the command line.
             * @example tok_01kaj3t2m8e9cs4p6r1w0q5yzd
             */
            created_by: string | null;
            /**
             * @description ID of the token it replaces.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description Scopes that no accepted request has used since `scopes_watched_since`. Requests to other processes may take a few seconds to appear.
             * @example [
             *       "links:read"
             *     ]
             */
            unused_scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description Start of the period that `unused_scopes` covers: the creation time of the token.
             * @example 2026-01-31T12:00:00.000Z
             */
            scopes_watched_since: string;
            /**
             * Format: int64
             * @description Number of active tokens created directly by this token.
             * @example 2
             */
            minted: number;
        };
        /** @description A page of `TokenWithUsage` objects. */
        TokenWithUsagePage: {
            /** @description Items on this page. */
            data: components["schemas"]["TokenWithUsage"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description Reason code for a missing explanation. New values may be added. Known values: `not_wanted`, `filtered`, `not_kept`, `none_recorded`, `no_webhook`. */
        UnexplainedReason: "not_wanted" | "filtered" | "not_kept" | "none_recorded" | "no_webhook" | (string & {});
        /** @description Changes to a link. Absent fields stay unchanged, and null clears a field. */
        UpdateLink: {
            /**
             * @description Destination URL: http or https, at most 8,192 characters when percent-encoded.
             * @example https://example.com/spring?utm_source=mail
             */
            url?: string;
            /**
             * @description Display title of the link.
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description Internal note. Visitors never see it.
             * @example Printed on the spring flyers.
             */
            note?: string | null;
            /**
             * @description Your own ID for the link, unique in the workspace.
             * @example campaign-17
             */
            external_id?: string | null;
            /**
             * @description HTTP status of the redirect. Default: 302.
             * @example 302
             * @enum {integer}
             */
            redirect_status?: 301 | 302 | 307 | 308;
            /**
             * @description Whether the visitor's query is added to the destination. Default: false.
             * @example false
             */
            forward_query?: boolean;
            /**
             * @description A disabled link responds with 410. Default: true.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description Time the link expires. An expired link responds with 410.
             * @example 2026-12-31T23:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Tags of the link, at most 20. Duplicates are merged.
             * @example [
             *       "sale",
             *       "mail"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Time until the link expires, such as `30d`, from `1s` to `3650d`. Cannot be combined with `expires_at`.
             * @example 30d
             */
            expires_in?: string | null;
        };
        /** @description Changes to a notice target. */
        UpdateNoticeTarget: {
            /**
             * @description Events to send, instead of the current ones. Duplicates are merged.
             * @example [
             *       "webhook.failing",
             *       "webhook.disabled"
             *     ]
             */
            events?: components["schemas"]["NoticeEvent"][];
        };
        /** @description Changes to a webhook. Absent fields stay unchanged, and null clears a field. */
        UpdateWebhook: {
            /**
             * @description Filter of the events that the webhook receives, in addition to their types. An event must meet all conditions. Null for no filter.
             * @example {
             *       "link_ids": [
             *         "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *       ],
             *       "tags": [
             *         "sale"
             *       ],
             *       "human_only": true,
             *       "changed_fields": [
             *         "url",
             *         "tags"
             *       ]
             *     }
             */
            filter?: components["schemas"]["WebhookFilterInput"] | null;
            /**
             * @description Description of the webhook, for your own reference.
             * @example The warehouse
             */
            description?: string | null;
            /**
             * @description Maximum number of concurrent requests to the webhook. Default: 20.
             * @example 20
             */
            max_in_flight?: number;
            /**
             * @description Whether deliveries are sent one at a time, in the order of their events. A failing delivery then blocks all later ones until it succeeds, is skipped, or has no retries left. Default: false.
             * @example false
             */
            ordered?: boolean;
            /**
             * @description Format of the request body: the event (`standard`, the default), or a message that describes the event in a Slack or Discord channel.
             * @example standard
             */
            format?: components["schemas"]["WebhookFormat"];
            /**
             * @description URL that receives events: https, at most 2,048 characters, without credentials or fragment, and not a private IP address.
             * @example https://receiver.example/hooks
             */
            url?: string;
            /**
             * @description Event types the webhook subscribes to. `*` means all types, including future ones, except token events (`token.*`), which must be named. Duplicates are merged.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events?: components["schemas"]["EventSubscription"][];
            /**
             * @description New secret. For 24 hours, requests are also signed with the old one.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
            /**
             * @description Sends several events in one request with the body `{"batch_id", "events"}`, which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`. Null for one event per request.
             * @example {
             *       "max": 100,
             *       "within": "5s"
             *     }
             */
            batch?: components["schemas"]["WebhookBatchPatch"] | null;
            /**
             * @description Custom headers to set, or null to remove one. Absent headers keep their values, and `null` instead of the object removes all. If the scheme, host or port of `url` changes, every header needs a new value or null.
             * @example {
             *       "authorization": "Bearer 8f1c2b7d",
             *       "x-old": null
             *     }
             */
            headers?: {
                [key: string]: string | null;
            } | null;
            /**
             * @description `paused` holds events. `active` sends held events and reactivates a disabled webhook.
             * @example paused
             */
            status?: components["schemas"]["ChosenWebhookStatus"];
        };
        /** @description Your endpoint that receives events, and its delivery health. */
        Webhook: {
            /**
             * @description ID of the webhook.
             * @example wh_01kaj3w4q2e6r8t0y1v3b5n7mz
             */
            id: string;
            /**
             * @description URL that receives events: https, at most 2,048 characters, without credentials or fragment, and not a private IP address.
             * @example https://receiver.example/hooks
             */
            url: string;
            /**
             * @description Event types the webhook subscribes to. `*` means all types, including future ones, except token events (`token.*`), which must be named. Duplicates are merged.
             * @example [
             *       "link.created",
             *       "click"
             *     ]
             */
            events: components["schemas"]["EventSubscription"][];
            /**
             * @description Filter of the events that the webhook receives, in addition to their types. An event must meet all conditions. Null for no filter.
             * @example {
             *       "link_ids": [
             *         "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *       ],
             *       "tags": [
             *         "sale"
             *       ],
             *       "human_only": true,
             *       "changed_fields": [
             *         "url",
             *         "tags"
             *       ]
             *     }
             */
            filter: components["schemas"]["WebhookFilter"] | null;
            /**
             * @description Description of the webhook, for your own reference.
             * @example The warehouse
             */
            description: string | null;
            /**
             * @description `active` webhooks receive events. Events for `paused` and `disabled` webhooks are held. The service disables a webhook whose attempts keep failing, or whose receiver responds with 410.
             * @example active
             */
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why the service disabled the webhook. Null if it is not disabled.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * @description Maximum number of concurrent requests to the webhook. Default: 20.
             * @example 20
             */
            max_in_flight: number;
            /**
             * @description Whether deliveries are sent one at a time, in the order of their events. A failing delivery then blocks all later ones until it succeeds, is skipped, or has no retries left. Default: false.
             * @example false
             */
            ordered: boolean;
            /**
             * @description Sends several events in one request with the body `{"batch_id", "events"}`, which is signed as a whole and has at most 1 MiB. `webhook-id` is the ID of the batch, and `webhook-sequence` is the `sequence` of its first event. Only with the format `standard`. Null for one event per request.
             * @example {
             *       "max": 100,
             *       "within": "5s"
             *     }
             */
            batch: components["schemas"]["WebhookBatch"] | null;
            /**
             * @description Last characters of the secret. Secrets of fewer than 12 characters are not shown.
             * @example …LaSw
             */
            secret_hint: string;
            /**
             * @description Secret rotation in progress. Null if there is none.
             * @example null
             */
            secret_rotation: components["schemas"]["SecretRotation"] | null;
            /**
             * @description Format of the request body: the event (`standard`, the default), or a message that describes the event in a Slack or Discord channel.
             * @example standard
             */
            format: components["schemas"]["WebhookFormat"];
            /**
             * @description Custom headers of requests to the webhook. Values are never shown.
             * @example {
             *       "authorization": "…"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description Number of deliveries held until the webhook is active. 0 while it is active.
             * @example 0
             */
            held: number;
            /**
             * Format: int64
             * @description Number of deliveries waiting to be sent or retried. 0 while the webhook is not active.
             * @example 3
             */
            pending: number;
            /**
             * Format: date-time
             * @description Time of the last successful attempt.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Time of the first failure after the last success. Null if there is none.
             * @example null
             */
            failing_since: string | null;
            /**
             * @description Last failed attempt, kept after later successes. Null if no attempt has failed since the URL was changed or the webhook was resumed.
             * @example null
             */
            last_error: components["schemas"]["WebhookError"] | null;
            /**
             * @description Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null if there were no attempts.
             * @example 0.9917
             */
            success_rate_24h: number | null;
            /**
             * Format: date-time
             * @description Earliest time of the next attempt. Null if no delivery is pending.
             * @example 2026-01-31T12:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries are sent, because several attempts in a row have failed, or nothing is sent, because the receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and its result closes or reopens the circuit.
             * @example closed
             */
            circuit: components["schemas"]["Circuit"];
            /**
             * Format: date-time
             * @description Time the webhook was created.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description When a batch is sent: when it is full, or when its first event has waited long enough. */
        WebhookBatch: {
            /**
             * @description Maximum number of events in a request.
             * @example 100
             */
            max: number;
            /**
             * @description Maximum time that an event waits for others.
             * @example 5s
             */
            within: string;
        };
        /** @description When a batch is sent. */
        WebhookBatchInput: {
            /**
             * @description Maximum number of events in a request.
             * @example 100
             */
            max: number;
            /**
             * @description Maximum time that an event waits for others.
             * @example 5s
             */
            within: string;
        };
        /** @description Changes to a batch. A webhook without batches needs both fields. */
        WebhookBatchPatch: {
            /**
             * @description Maximum number of events in a request.
             * @example 100
             */
            max?: number;
            /**
             * @description Maximum time that an event waits for others.
             * @example 5s
             */
            within?: string;
        };
        /** @description The service disabled a webhook, because its attempts kept failing or its receiver responded with 410. If the disabled webhook subscribes to this type, its own delivery is held until it is active again. */
        WebhookDisabledEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example webhook.disabled
             * @constant
             */
            type: "webhook.disabled";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T09:05:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookEventData"];
        };
        /** @description Last failed attempt of a webhook. */
        WebhookError: {
            /**
             * @description Machine-readable error class.
             * @example http_status
             */
            class: components["schemas"]["AttemptErrorClass"];
            /**
             * @description Human-readable error message.
             * @example The receiver responded with 503.
             */
            message: string;
            /**
             * @description HTTP status code of the response. Null if there was no response.
             * @example 503
             */
            status_code: number | null;
            /**
             * Format: date-time
             * @description Time the attempt ended.
             * @example 2026-01-31T11:00:00.170Z
             */
            at: string;
            /**
             * @description ID of the delivery.
             * @example dlv_01kaj4d0qaf2bv7m3x9c6t1hwk
             */
            delivery_id: string;
        };
        /** @description The webhook and the reason for the event. */
        WebhookEventData: {
            webhook: components["schemas"]["ReportedWebhook"];
            reason: string;
        };
        /** @description All delivery attempts to a webhook have failed for 1 day (`WEBHOOK_FAILING_AFTER`). */
        WebhookFailingEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example webhook.failing
             * @constant
             */
            type: "webhook.failing";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-27T09:05:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookEventData"];
        };
        /** @description Conditions that an event must meet. Each condition applies only to events that have the attribute, and other events meet it. */
        WebhookFilter: {
            /**
             * @description Only events of these links and their clicks. Null for all links. Duplicates are merged.
             * @example [
             *       "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *     ]
             */
            link_ids: string[] | null;
            /**
             * @description Only events of links that have one of these tags, and their clicks. An update that removes the tag counts too. Null for all links. Duplicates are merged.
             * @example [
             *       "sale"
             *     ]
             */
            tags: string[] | null;
            /**
             * @description Whether clicks of bots are excluded.
             * @example true
             */
            human_only: boolean;
            /**
             * @description Only `link.updated` events that changed one of these fields. Null for all updates. Duplicates are merged.
             * @example [
             *       "url",
             *       "tags"
             *     ]
             */
            changed_fields: components["schemas"]["LinkField"][] | null;
        };
        /** @description Conditions of a filter. Null removes a condition. */
        WebhookFilterInput: {
            /**
             * @description Only events of these links and their clicks. Null for all links. Duplicates are merged.
             * @example [
             *       "lnk_01kaj3v9z4f8hva3x7m2c5d6ne"
             *     ]
             */
            link_ids?: string[] | null;
            /**
             * @description Only events of links that have one of these tags, and their clicks. An update that removes the tag counts too. Null for all links. Duplicates are merged.
             * @example [
             *       "sale"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Whether clicks of bots are excluded. Default: false.
             * @example true
             */
            human_only?: boolean | null;
            /**
             * @description Only `link.updated` events that changed one of these fields. Null for all updates. Duplicates are merged.
             * @example [
             *       "url",
             *       "tags"
             *     ]
             */
            changed_fields?: components["schemas"]["LinkField"][] | null;
        };
        /**
         * @description Format of the request body.
         *
         *     * `standard`: The event as JSON.
         *     * `slack`: A message for a Slack incoming webhook.
         *     * `discord`: A message for a Discord webhook.
         * @enum {string}
         */
        WebhookFormat: "standard" | "slack" | "discord";
        /** @description Attempts in one hour. */
        WebhookHour: {
            /**
             * Format: date-time
             * @description Start of the hour (UTC).
             * @example 2026-01-31T11:00:00.000Z
             */
            start: string;
            /**
             * Format: int64
             * @description Attempts with a 2xx response.
             * @example 52
             */
            succeeded: number;
            /**
             * Format: int64
             * @description All other attempts.
             * @example 1
             */
            failed: number;
        };
        /** @description Latency percentiles of attempts in milliseconds. Null if there were no attempts. */
        WebhookLatency: {
            /**
             * @description 50th percentile.
             * @example 38
             */
            p50: number | null;
            /**
             * @description 95th percentile.
             * @example 120
             */
            p95: number | null;
            /**
             * @description 99th percentile.
             * @example 410
             */
            p99: number | null;
        };
        /** @description A page of `Webhook` objects. */
        WebhookPage: {
            /** @description Items on this page. */
            data: components["schemas"]["Webhook"][];
            /**
             * @description Whether more items follow this page.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the next page. Null if there is none.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A webhook that was reported as failing or disabled has received an event again. */
        WebhookRecoveredEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example webhook.recovered
             * @constant
             */
            type: "webhook.recovered";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-28T09:05:01.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookEventData"];
        };
        /** @description Delivery statistics of a webhook. */
        WebhookStats: {
            /**
             * Format: int64
             * @description Total number of deliveries, excluding tests: the sum of `succeeded`, `pending`, `held`, `failed` and `canceled`.
             * @example 1204
             */
            emitted: number;
            /**
             * Format: int64
             * @description Deliveries with a 2xx response.
             * @example 1198
             */
            succeeded: number;
            /**
             * Format: int64
             * @description Deliveries waiting to be sent or retried.
             * @example 4
             */
            pending: number;
            /**
             * Format: int64
             * @description Deliveries held until the webhook is active.
             * @example 0
             */
            held: number;
            /**
             * Format: int64
             * @description Deliveries with no attempts left.
             * @example 2
             */
            failed: number;
            /**
             * Format: int64
             * @description Deliveries that were not sent because they were skipped or too old, or the webhook was deleted.
             * @example 0
             */
            canceled: number;
            /**
             * Format: int64
             * @description Total number of attempts, excluding tests.
             * @example 1243
             */
            attempts: number;
            /**
             * @description Share of successful attempts in the last 24 hours, from 0 to 1, based on whole hours. Null if there were no attempts.
             * @example 0.9917
             */
            success_rate_24h: number | null;
            /** @description Attempts in the current hour and the 23 hours before it, oldest first, including hours without attempts. Tests are excluded. */
            hours: components["schemas"]["WebhookHour"][];
            /** @description Latency in milliseconds, from the last attempt of each of the latest 1,000 deliveries. Only attempts in the last 24 hours count. */
            latency_ms: components["schemas"]["WebhookLatency"];
            /**
             * Format: date-time
             * @description Earliest time of the next attempt. Null if no delivery is pending.
             * @example 2026-01-31T12:00:05.320Z
             */
            next_attempt_at: string | null;
            /**
             * @description State of the circuit breaker. `closed`: deliveries are sent when due. `open`: only retries are sent, because several attempts in a row have failed, or nothing is sent, because the receiver requested a pause with `Retry-After`. `half_open`: one new delivery is sent, and its result closes or reopens the circuit.
             * @example closed
             */
            circuit: components["schemas"]["Circuit"];
            /**
             * @description Delivery that blocks all later ones of an ordered webhook. Null if nothing is blocked or the webhook is not ordered.
             * @example null
             */
            waiting_for: components["schemas"]["AwaitedDelivery"] | null;
        };
        /**
         * @description Status of a webhook.
         * @enum {string}
         */
        WebhookStatus: "active" | "paused" | "disabled";
        /** @description A test event was requested. Sent only to the tested webhook. */
        WebhookTestEvent: {
            /**
             * @description ID of the event, the same for every attempt.
             * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
             */
            id: string;
            /**
             * @description Type of the event.
             * @example webhook.test
             * @constant
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-01-31T09:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["WebhookTestEventData"];
        };
        /** @description Test message to the receiver. */
        WebhookTestEventData: {
            webhook_id: string;
            message: string;
        };
        /**
         * @description Scope that a token can grant to a new token. `instance:read` can be granted only on the command line. New values may be added. Known values:
         *
         *     * `tokens:read`: List tokens and their usage.
         *     * `tokens:write`: Create, rotate and revoke tokens.
         *     * `links:read`: Read links, their history, tags and exports.
         *     * `links:write`: Create, import, change and delete links.
         *     * `clicks:read`: Read clicks and analytics.
         *     * `webhooks:read`: Read webhooks, deliveries and statistics.
         *     * `webhooks:write`: Manage and test webhooks, and redeliver events.
         *     * `events:read`: Read events, and why webhooks did or did not receive them.
         *     * `audit:read`: Read and export the audit log.
         */
        WorkspaceScope: "tokens:read" | "tokens:write" | "links:read" | "links:write" | "clicks:read" | "webhooks:read" | "webhooks:write" | "events:read" | "audit:read" | (string & {});
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description ID of the request, also found in the service logs. A valid ID sent by the client is kept.
         * @example k3Jv0Qf2aLx91
         */
        "X-Request-Id": string;
        /**
         * @description Caching policy. API responses are not cacheable.
         * @example no-store
         */
        "Cache-Control": string;
        /**
         * @description Remaining requests (`r`) and seconds until the window resets (`t`) for each limit that applies.
         * @example "default";r=599;t=42, "workspace";r=5999;t=42
         */
        RateLimit: string;
        /**
         * @description Maximum number of requests (`q`) per window in seconds (`w`). Absent when there is no limit.
         * @example "default";q=600;w=60, "workspace";q=6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds to wait before retrying.
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description Authentication scheme, error code, and missing scope.
         * @example Bearer realm="link-service", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description Methods that the URL supports.
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description Version of the resource, for `If-Match`.
         * @example "Wk2c0x1V9kJ3p7Qm8sT4yZ5uB6n"
         */
        ETag: string;
        /**
         * @description Tells search engines not to index this URL.
         * @example noindex
         */
        "X-Robots-Tag": "noindex";
        /**
         * @description `no` disables response buffering in nginx.
         * @example no
         */
        "X-Accel-Buffering": "no";
        /**
         * @description URL of the created resource.
         * @example /api/v1/links/lnk_01kaj3v9z4f8hva3x7m2c5d6ne
         */
        Location: string;
        /**
         * @description Marks the response as a download and suggests a file name.
         * @example attachment; filename="links-2026-01-31.csv"
         */
        "Content-Disposition": string;
        /**
         * @description URL of the next page, as `rel="next"`. Absent on the last page.
         * @example <http://localhost:3000/api/v1/links?cursor=bG5r.c2ln>; rel="next"
         */
        Link: string;
        /**
         * @description `true` when the response is replayed for a repeated `Idempotency-Key`. Absent otherwise.
         * @example true
         */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listLinks: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
                /** @description Text to search for in the slug, URL and title, ignoring case. Beyond the first 10,000 links of the list, a single letter matches only at the start of a word, and punctuation alone, such as `--`, has no matches. */
                q?: string;
                /** @description Returns only links with this tag. */
                tag?: string;
                /** @description Returns only the link with this external ID. */
                external_id?: string;
                /** @description Returns only enabled (`true`) or only disabled (`false`) links. */
                enabled?: boolean;
                /** @description Sort order. Default: `-created_at`, newest first. */
                sort?: components["schemas"]["LinkSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description Created. */
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
                /** @description ID of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the link. */
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
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the link. */
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
            /** @description Success. */
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
    getLinkBySlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the link. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description With `*`, the request only creates a resource. Returns 412 if the resource exists. */
                "If-None-Match"?: string;
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description Your own ID for the link. */
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
            /** @description Success. */
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
            /** @description Created. */
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
    createLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description Result of each item. */
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
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description Result of each item. */
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
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description Result of each item. */
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
    listTags: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description Path of the short link. */
                slug: string;
                /** @description Time of the visit, which decides whether the link has expired. All other fields of the link have their current values. Default: now. */
                at?: string;
                /** @description Query string of the visit, without the question mark. */
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Outcome of the visit, including `unknown` if no link has this slug. */
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
                /** @description Image format. Default: `svg`. */
                format?: components["schemas"]["QrFormat"];
                /** @description Width and height in pixels. Default: 512. */
                size?: number;
                /** @description Width of the white margin in modules. Scanners expect 4. Default: 4. */
                margin?: number;
                /** @description Error correction level. Default: `M`. */
                level?: components["schemas"]["QrLevel"];
            };
            header?: never;
            path: {
                /** @description ID of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description QR code image. */
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
    listLinkHistory: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
            };
            header?: never;
            path: {
                /** @description ID of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
    followLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `slug` of the link, case-sensitive.
                 * @example spring
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description Created. */
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
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                    "application/json": components["schemas"]["TokenWithUsagePage"];
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["TokenWithUsage"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description Whether to also revoke the tokens it created, directly or indirectly. Default: false. */
                descendants?: boolean;
            };
            header?: {
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the token. */
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
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the token. */
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
            /** @description Created. */
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
    getOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
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
            /** @description The token is revoked if it existed. */
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
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description Created. */
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
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the webhook. */
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
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the webhook. */
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
            /** @description Success. */
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
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the webhook. */
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
            /** @description Success. */
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
    testWebhookFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFilterTest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterTest"];
                };
            };
        };
    };
    createPortalLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreatePortalLink"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalLink"];
                };
            };
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
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
            /** @description The test was sent. `delivered` and `verdict` contain the result. */
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
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
                /** @description Returns only deliveries with this status. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Returns only deliveries of events of this type. */
                event?: components["schemas"]["EventType"];
                /** @description `true`: returns only deliveries with at least one attempt. */
                tried?: true;
                /** @description Returns only deliveries whose last attempt failed with an error of this class. */
                error_class?: components["schemas"]["AttemptErrorClass"];
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description ID of the webhook. */
                id: string;
                /** @description ID of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description ID of the webhook. */
                id: string;
                /** @description ID of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery will be sent. */
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
    skipDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
                /** @description ID of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery is canceled. */
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
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the webhook. */
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
            /** @description The deliveries will be sent. */
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
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
    explainEvent: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description ID of a webhook, even a deleted one. Default: all webhooks of the workspace. */
                webhook_id?: string;
            };
            header?: never;
            path: {
                /** @description ID of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
    explainLink: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description ID of a webhook, even a deleted one. Default: all webhooks of the workspace. */
                webhook_id?: string;
                /** @description Explains the latest event of this type. Default: the latest event of any type. */
                type?: components["schemas"]["EventType"];
            };
            header?: never;
            path: {
                /** @description ID of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
    explainClick: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description ID of a webhook, even a deleted one. Default: all webhooks of the workspace. */
                webhook_id?: string;
            };
            header?: never;
            path: {
                /** @description ID of the click. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
    listNoticeTargets: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                    "application/json": components["schemas"]["NoticeTargetPage"];
                };
            };
        };
    };
    createNoticeTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNoticeTarget"];
            };
        };
        responses: {
            /** @description Created. */
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
                    "application/json": components["schemas"]["NoticeTarget"];
                };
            };
        };
    };
    getNoticeTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the notice target. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["NoticeTarget"];
                };
            };
        };
    };
    deleteNoticeTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the notice target. */
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
    updateNoticeTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the notice target. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNoticeTarget"];
                "application/merge-patch+json": components["schemas"]["UpdateNoticeTarget"];
            };
        };
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["NoticeTarget"];
                };
            };
        };
    };
    testNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticeTest"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
                /** @description Returns only events of this type. */
                type?: components["schemas"]["EventType"];
                /** @description Returns only events of this link, including its clicks. */
                link_id?: string;
                /** @description Returns events oldest first, in the order they were recorded. The `next_cursor` of an earlier page continues after that page, an empty value starts at the oldest event, and `latest` returns an empty page whose `next_cursor` is the end of the feed. Cannot be combined with `cursor`. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description ID of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
    listLinkClicks: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description ID of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous response, or empty to start at the oldest click (the default). `latest` returns an empty page whose `next_cursor` is the end of the feed. */
                after?: string;
                /** @description Returns only clicks of this link. */
                link_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to match any of several values. */
                country?: string[];
                /** @description Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any of several values. */
                region?: string[];
                /** @description English name of the city. Repeat the parameter to match any of several values. */
                city?: string[];
                /** @description Host of the referring page. Repeat the parameter to match any of several values. */
                referrer_host?: string[];
                /** @description Name of the browser. Repeat the parameter to match any of several values. */
                browser?: string[];
                /** @description Name of the operating system. Repeat the parameter to match any of several values. */
                os?: string[];
                /** @description Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the parameter to match any of several values. */
                device?: string[];
                /** @description Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to match any of several values. */
                language?: string[];
                /** @description Value of `utm_source`. Repeat the parameter to match any of several values. */
                utm_source?: string[];
                /** @description Value of `utm_medium`. Repeat the parameter to match any of several values. */
                utm_medium?: string[];
                /** @description Value of `utm_campaign`. Repeat the parameter to match any of several values. */
                utm_campaign?: string[];
                /** @description Value of `utm_term`. Repeat the parameter to match any of several values. */
                utm_term?: string[];
                /** @description Value of `utm_content`. Repeat the parameter to match any of several values. */
                utm_content?: string[];
                /** @description Source of the click: the link (`link`) or its QR code (`qr`). Repeat the parameter to match any of several values. */
                source?: ("link" | "qr" | "")[];
                /** @description Returns only clicks of this link. */
                link_id?: string;
            };
            header?: {
                /** @description The last `id` that you received, or empty to start at the oldest click. Default: new clicks only. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream of clicks. */
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
                     * @example id: eyJ0eCI5…
                     *
                     *     id: eyJ0eCI6…
                     *     event: click
                     *     data: {"id":"clk_01kaj4d0qae6svf0k9w3m7x2ht", …}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to match any of several values. */
                country?: string[];
                /** @description Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any of several values. */
                region?: string[];
                /** @description English name of the city. Repeat the parameter to match any of several values. */
                city?: string[];
                /** @description Host of the referring page. Repeat the parameter to match any of several values. */
                referrer_host?: string[];
                /** @description Name of the browser. Repeat the parameter to match any of several values. */
                browser?: string[];
                /** @description Name of the operating system. Repeat the parameter to match any of several values. */
                os?: string[];
                /** @description Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the parameter to match any of several values. */
                device?: string[];
                /** @description Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to match any of several values. */
                language?: string[];
                /** @description Value of `utm_source`. Repeat the parameter to match any of several values. */
                utm_source?: string[];
                /** @description Value of `utm_medium`. Repeat the parameter to match any of several values. */
                utm_medium?: string[];
                /** @description Value of `utm_campaign`. Repeat the parameter to match any of several values. */
                utm_campaign?: string[];
                /** @description Value of `utm_term`. Repeat the parameter to match any of several values. */
                utm_term?: string[];
                /** @description Value of `utm_content`. Repeat the parameter to match any of several values. */
                utm_content?: string[];
                /** @description Source of the click: the link (`link`) or its QR code (`qr`). Repeat the parameter to match any of several values. */
                source?: ("link" | "qr" | "")[];
                /** @description Range up to now, in whole hours, days or months of the time zone, including the current one. Cannot be combined with `start` and `end`. Default: `30d`. */
                interval?: components["schemas"]["AnalyticsInterval"];
                /** @description Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`. */
                start?: string;
                /** @description End of the range, exclusive. A date means 00:00 in `timezone`. */
                end?: string;
                /** @description IANA time zone that defines days, weeks and months. Default: UTC. */
                timezone?: string;
                /** @description Time between two points, with `group_by=time`. Default: the granularity that gives 24 to 120 points. */
                granularity?: components["schemas"]["AnalyticsGranularity"];
                /** @description With `previous`, the response includes the totals of the previous period of the same length. */
                compare?: components["schemas"]["AnalyticsComparison"];
                /** @description Order of the groups. Default: `-clicks`. */
                sort?: components["schemas"]["AnalyticsSort"];
                /** @description Maximum number of rows, from 1 to 1000. The first rows in the order of `sort` are returned. Default: 100. */
                limit?: number;
                /** @description Dimension of the rows. Default: only totals. */
                group_by?: components["schemas"]["AnalyticsGroup"];
                /** @description ID of the link. Repeat the parameter to match any of several values. */
                link_id?: string[];
                /** @description Tag that the link currently has. Repeat the parameter to match any of several values. */
                tag?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Click counts, as JSON or, with `Accept: text/csv`, as CSV. */
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
                /** @description Country code (ISO 3166-1 alpha-2), such as `DE`. Repeat the parameter to match any of several values. */
                country?: string[];
                /** @description Region code (ISO 3166-2), such as `DE-BE`. Repeat the parameter to match any of several values. */
                region?: string[];
                /** @description English name of the city. Repeat the parameter to match any of several values. */
                city?: string[];
                /** @description Host of the referring page. Repeat the parameter to match any of several values. */
                referrer_host?: string[];
                /** @description Name of the browser. Repeat the parameter to match any of several values. */
                browser?: string[];
                /** @description Name of the operating system. Repeat the parameter to match any of several values. */
                os?: string[];
                /** @description Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`. Repeat the parameter to match any of several values. */
                device?: string[];
                /** @description Preferred language (BCP 47), such as `de-CH`. Repeat the parameter to match any of several values. */
                language?: string[];
                /** @description Value of `utm_source`. Repeat the parameter to match any of several values. */
                utm_source?: string[];
                /** @description Value of `utm_medium`. Repeat the parameter to match any of several values. */
                utm_medium?: string[];
                /** @description Value of `utm_campaign`. Repeat the parameter to match any of several values. */
                utm_campaign?: string[];
                /** @description Value of `utm_term`. Repeat the parameter to match any of several values. */
                utm_term?: string[];
                /** @description Value of `utm_content`. Repeat the parameter to match any of several values. */
                utm_content?: string[];
                /** @description Source of the click: the link (`link`) or its QR code (`qr`). Repeat the parameter to match any of several values. */
                source?: ("link" | "qr" | "")[];
                /** @description Range up to now, in whole hours, days or months of the time zone, including the current one. Cannot be combined with `start` and `end`. Default: `30d`. */
                interval?: components["schemas"]["AnalyticsInterval"];
                /** @description Start of the range: a date (00:00 in `timezone`) or a time. Requires `end`. */
                start?: string;
                /** @description End of the range, exclusive. A date means 00:00 in `timezone`. */
                end?: string;
                /** @description IANA time zone that defines days, weeks and months. Default: UTC. */
                timezone?: string;
                /** @description Time between two points, with `group_by=time`. Default: the granularity that gives 24 to 120 points. */
                granularity?: components["schemas"]["AnalyticsGranularity"];
                /** @description With `previous`, the response includes the totals of the previous period of the same length. */
                compare?: components["schemas"]["AnalyticsComparison"];
                /** @description Order of the groups. Default: `-clicks`. */
                sort?: components["schemas"]["AnalyticsSort"];
                /** @description Maximum number of rows, from 1 to 1000. The first rows in the order of `sort` are returned. Default: 100. */
                limit?: number;
                /** @description Dimension of the rows. Default: only totals. */
                group_by?: components["schemas"]["LinkAnalyticsGroup"];
            };
            header?: never;
            path: {
                /** @description ID of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Click counts, as JSON or, with `Accept: text/csv`, as CSV. */
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
    listImports: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
                /** @description Format of the file. `csv` and `ndjson` use the field names of links; the others are exports of other services. Default: detected from the columns. */
                format?: components["schemas"]["ImportFormat"];
                /** @description How to handle a slug or external ID that already exists in the workspace: fail the line, skip it, or update the existing link. Default: `fail`. */
                on_conflict?: components["schemas"]["ConflictMode"];
                /** @description Checks each line and counts the results without creating or changing links. Default: false. */
                dry_run?: boolean;
                /** @description Whether the imported links emit events, which are delivered to webhooks. Default: true. */
                notify?: boolean;
            };
            header?: {
                /** @description Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key. */
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
            /** @description The file is stored and will be processed. */
            202: {
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
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            header?: {
                /** @description ETag of the expected version. Returns 412 if the resource has changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled. */
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
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each failed line of the file. */
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
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
                /** @description Text to search for in the slug, URL and title, ignoring case. Beyond the first 10,000 links of the list, a single letter matches only at the start of a word, and punctuation alone, such as `--`, has no matches. */
                q?: string;
                /** @description Returns only links with this tag. */
                tag?: string;
                /** @description Returns only the link with this external ID. */
                external_id?: string;
                /** @description Returns only enabled (`true`) or only disabled (`false`) links. */
                enabled?: boolean;
                /** @description Sort order. Default: `-created_at`, newest first. */
                sort?: components["schemas"]["LinkSort"];
                /** @description Export format. Default: `csv`. */
                format?: components["schemas"]["ExportFormat"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream of links. */
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
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default: 20. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. All other parameters must stay the same. */
                cursor?: string;
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
                /** @description Returns only entries with this action. */
                action?: components["schemas"]["AuditAction"];
                /** @description Returns only actions of this token. */
                token_id?: string;
                /** @description Returns only actions on this object. */
                object_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
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
    exportAuditEntries: {
        parameters: {
            query?: {
                /** @description Returns only items created after this time, such as `2026-01-31T12:00:00Z`. */
                created_after?: string;
                /** @description Returns only items created before this time. */
                created_before?: string;
                /** @description Returns only entries with this action. */
                action?: components["schemas"]["AuditAction"];
                /** @description Returns only actions of this token. */
                token_id?: string;
                /** @description Returns only actions on this object. */
                object_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream of entries. */
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
            /** @description Success. */
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
    getEgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Egress"];
                };
            };
        };
    };
    getDeliveryState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryState"];
                };
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
                /** @description With `api`, the process is ready only if it can serve API requests. By default it is ready if it can serve redirects, even from memory. */
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
            /** @description Metrics in the Prometheus text format. */
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
    onLinkCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
            /** @description Received. The response body is ignored. */
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
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
            /** @description Received. The response body is ignored. */
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
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
            /** @description Received. The response body is ignored. */
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
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
            /** @description Received. The response body is ignored. */
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
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
            /** @description Received. The response body is ignored. */
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
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
                 *         "reason": "No attempt has succeeded since 2026-01-26T09:05:00.000Z."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookFailingEvent"];
            };
        };
        responses: {
            /** @description Received. The response body is ignored. */
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
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
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
            /** @description Received. The response body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookRecovered: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "webhook.recovered",
                 *       "timestamp": "2026-01-28T09:05:01.000Z",
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
                 *           "last_success_at": "2026-01-28T09:05:00.000Z",
                 *           "failing_since": null,
                 *           "created_at": "2026-01-01T09:00:00.000Z",
                 *           "updated_at": "2026-01-01T09:00:00.000Z"
                 *         },
                 *         "reason": "An attempt succeeded at 2026-01-28T09:05:00.000Z."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookRecoveredEvent"];
            };
        };
        responses: {
            /** @description Received. The response body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTokenCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "token.created",
                 *       "timestamp": "2026-01-01T12:00:00.000Z",
                 *       "data": {
                 *         "token": {
                 *           "id": "tok_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "name": "ci",
                 *           "scopes": [
                 *             "links:read",
                 *             "links:write"
                 *           ],
                 *           "restrictions": null,
                 *           "prefix": "lsk_live_",
                 *           "last4": "x7Qa",
                 *           "status": "active",
                 *           "created_at": "2026-01-01T12:00:00.000Z",
                 *           "expires_at": "2026-02-07T12:00:00.000Z",
                 *           "last_used_at": null,
                 *           "created_by": "tok_01kaj3t2m8e9cs4p6r1w0q5yzd",
                 *           "rotated_from": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TokenCreatedEvent"];
            };
        };
        responses: {
            /** @description Received. The response body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTokenRevoked: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "token.revoked",
                 *       "timestamp": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "token": {
                 *           "id": "tok_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "name": "ci",
                 *           "scopes": [
                 *             "links:read",
                 *             "links:write"
                 *           ],
                 *           "restrictions": null,
                 *           "prefix": "lsk_live_",
                 *           "last4": "x7Qa",
                 *           "status": "revoked",
                 *           "created_at": "2026-01-01T12:00:00.000Z",
                 *           "expires_at": "2026-02-07T12:00:00.000Z",
                 *           "last_used_at": null,
                 *           "created_by": "tok_01kaj3t2m8e9cs4p6r1w0q5yzd",
                 *           "rotated_from": null
                 *         },
                 *         "revoked_by": "tok_01kaj3t2m8e9cs4p6r1w0q5yzd"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TokenRevokedEvent"];
            };
        };
        responses: {
            /** @description Received. The response body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTokenExpiring: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "token.expiring",
                 *       "timestamp": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "token": {
                 *           "id": "tok_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "name": "ci",
                 *           "scopes": [
                 *             "links:read",
                 *             "links:write"
                 *           ],
                 *           "restrictions": null,
                 *           "prefix": "lsk_live_",
                 *           "last4": "x7Qa",
                 *           "status": "active",
                 *           "created_at": "2026-01-01T12:00:00.000Z",
                 *           "expires_at": "2026-02-07T12:00:00.000Z",
                 *           "last_used_at": null,
                 *           "created_by": "tok_01kaj3t2m8e9cs4p6r1w0q5yzd",
                 *           "rotated_from": null
                 *         },
                 *         "days_left": 7
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TokenExpiringEvent"];
            };
        };
        responses: {
            /** @description Received. The response body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onImportFinished: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ID of the event, the same for every attempt. Use it to detect duplicates.
                 * @example evt_01kaj4d0qae6svf0k9w3m7x2ht
                 */
                "webhook-id": string;
                /**
                 * @description Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.
                 * @example 1769857200
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description Number of the attempt, starting at 1.
                 * @example 1
                 */
                "webhook-attempt": string;
                /**
                 * @description Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.
                 * @example 42
                 */
                "webhook-sequence"?: string;
                /**
                 * @description W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kaj4d0qae6svf0k9w3m7x2ht",
                 *       "type": "import.finished",
                 *       "timestamp": "2026-01-31T12:00:09.000Z",
                 *       "data": {
                 *         "import": {
                 *           "id": "imp_01kaj3v9z4f8hva3x7m2c5d6ne",
                 *           "status": "finished",
                 *           "format": "bitly",
                 *           "on_conflict": "skip",
                 *           "dry_run": false,
                 *           "notify": true,
                 *           "bytes": 1048576,
                 *           "bytes_processed": 1048576,
                 *           "lines": 5000,
                 *           "created": 4990,
                 *           "updated": 0,
                 *           "skipped": 7,
                 *           "failed": 3,
                 *           "ignored_columns": [
                 *             "archived"
                 *           ],
                 *           "preview": [],
                 *           "error": null,
                 *           "created_at": "2026-01-31T12:00:00.000Z",
                 *           "started_at": "2026-01-31T12:00:01.000Z",
                 *           "finished_at": "2026-01-31T12:00:09.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ImportFinishedEvent"];
            };
        };
        responses: {
            /** @description Received. The response body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
