"""Uses the client that openapi-python-client generates."""

import json
import os

from link_service import AuthenticatedClient
from link_service.api.deliveries import send_test_event
from link_service.api.events import get_event, list_events
from link_service.api.links import create_link, list_links
from link_service.api.webhooks import create_webhook
from link_service.models import CreateLink, CreateWebhook

with AuthenticatedClient(
    base_url=os.environ["LINK_SERVICE_URL"],
    token=os.environ["LINK_SERVICE_TOKEN"],
    raise_on_unexpected_status=True,
) as client:
    link = create_link.sync(client=client, body=CreateLink(url="https://example.com/spring"))
    print("Created", link.url)
    print("Listed", list_links.sync(client=client, limit=1).data[0].url)

    webhook = create_webhook.sync(
        client=client,
        body=CreateWebhook(url=os.environ["WEBHOOK_URL"], events=["link.created", "*"]),
    )
    print("Webhook for", ", ".join(webhook.events))
    test = send_test_event.sync(webhook.id, client=client)
    print("Test delivered:", json.dumps(test.delivered))

    for listed in list_events.sync(client=client, limit=100).data:
        event = get_event.sync(listed.id, client=client)
        print(json.dumps({"type": event.type_, "data": event.data.to_dict()}))
