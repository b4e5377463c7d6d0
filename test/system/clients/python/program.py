"""Creates a token, a webhook and a link, verifies the delivery, and follows clicks."""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from link_service import LinkService, verify_webhook

url = os.environ["LINK_SERVICE_URL"]
root = LinkService(base_url=url, token=os.environ["LINK_SERVICE_TOKEN"])
scopes = ["links:read", "links:write", "clicks:read", "events:read", "webhooks:write"]
client = LinkService(base_url=url, token=root.tokens.create(name="py", scopes=scopes)["token"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        event = verify_webhook(body, self.headers, ["another secret", secret])
        if event["type"] == "link.created":
            print("verified", event["data"]["link"]["slug"], flush=True)
        self.send_response(204)
        self.end_headers()


server = HTTPServer(("127.0.0.1", 0), Receiver)
hook = f"http://127.0.0.1:{server.server_port}/hook"
secret = client.webhooks.create(url=hook, events=["link.created"]).get("secret") or ""
link = client.links.create(url="https://example.com/", slug="python", tags=["py"])
server.handle_request()
print("listed", [each["slug"] for each in client.links.list(tag="py")], flush=True)

# The receiver of the test visits the link, and restarts the service after the first click.
for number, row in enumerate(client.clicks.follow(link_id=link["id"], poll_interval=0.2), 1):
    print("click", number, row.item["slug"], flush=True)
    if number == 3:
        sys.exit()
