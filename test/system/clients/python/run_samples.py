"""Runs code samples, and prints the method and URL of the last request of each.

Reads a JSON object of samples by operation, and prints a JSON object. The responses are errors,
which end the samples.
"""

import contextlib
import json
import os
import sys
from unittest.mock import patch

import httpx
import link_service

os.environ["LINK_SERVICE_TOKEN"] = "TOKEN"
sent = []


def respond(request: httpx.Request) -> httpx.Response:
    sent.append(request)
    # The live stream starts after the newest click.
    is_newest = request.url.query == b"after=latest"
    return httpx.Response(200 if is_newest else 404, json={"data": [], "next_cursor": "c"})


http_client = httpx.Client(transport=httpx.MockTransport(respond))
create_client = link_service.LinkService


def create_stubbed(**options):
    return create_client(**options, http_client=http_client)


requests = {}
for operation, source in json.load(sys.stdin).items():
    sent.clear()
    with (
        patch("link_service.LinkService", create_stubbed),
        patch("httpx.get", http_client.get),
        contextlib.suppress(link_service.LinkServiceError, KeyError, ValueError),
        contextlib.redirect_stdout(None),
    ):
        exec(compile(source, operation, "exec"), {})
    if sent:
        authorization = sent[-1].headers.get("authorization")
        body = sent[-1].content.decode()
        requests[operation] = [sent[-1].method, str(sent[-1].url), authorization, body]
json.dump(requests, sys.stdout)
