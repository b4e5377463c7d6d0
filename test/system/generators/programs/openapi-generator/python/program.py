"""Uses the client that openapi-generator generates for Python."""

import json
import os

from link_service import (
    ApiClient,
    Configuration,
    CreateLink,
    CreateWebhook,
    DeliveriesApi,
    EventsApi,
    LinksApi,
    WebhooksApi,
)

configuration = Configuration(
    host=os.environ["LINK_SERVICE_URL"],
    access_token=os.environ["LINK_SERVICE_TOKEN"],
)
with ApiClient(configuration) as client:
    links = LinksApi(client)
    link = links.create_link(CreateLink(url="https://example.com/spring"))
    print("Created", link.url)
    print("Listed", links.list_links(limit=1).data[0].url)

    webhook = WebhooksApi(client).create_webhook(
        CreateWebhook(url=os.environ["WEBHOOK_URL"], events=["link.created", "*"])
    )
    print("Webhook for", ", ".join(webhook.events))
    test = DeliveriesApi(client).send_test_event(webhook.id)
    print("Test delivered:", json.dumps(test.delivered))

    events = EventsApi(client)
    for listed in events.list_events(limit=100).data:
        event = events.get_event(listed.id)
        print(json.dumps({"type": event.type, "data": event.data}))
