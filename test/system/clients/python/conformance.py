"""Runs the vectors of clients/conformance with the sync and the async client.

Prints the name of each case, and the failure after a tab if there is one.
"""

import asyncio
import inspect
import io
import json
import math
import re
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qsl, urlsplit

import httpx
import link_service
from link_service import AsyncLinkService, LinkService, LinkServiceError, etag_of
from link_service._retry import RetryLimits, wait_before_retry

AREAS = ["retries", "pagination", "errors", "idempotency", "updates", "values", "requests"]
vectors = Path(sys.argv[1])


def read(name):
    return json.loads((vectors / f"{name}.json").read_text("utf-8"))


def append_tag(change):
    return lambda link: change and {"tags": [*link["tags"], change["append_tag"]]}


def update(client, path, body=None, if_match=None, **call):
    if "change" in call:
        return client.links.update_with(path[0], append_tag(call["change"]))
    return client.links.update(path[0], **body, if_match=if_match)


def create(client, body, idempotency_key=None):
    return client.links.create(**body, idempotency_key=idempotency_key)


class Pipe(io.BytesIO):
    def seekable(self):
        return False


def create_import(client, file, query={}, is_stream=False):
    content = file.encode()
    return client.imports.create(Pipe(content) if is_stream else content, **query)


def put(client, path, body):
    return client.links.put_by_external_id(path[0], **body)


OPERATIONS = {
    "listLinks": lambda client, query={}, take=None: client.links.list(**query),
    "followEvents": lambda client, after, take: client.events.follow(after=after),
    "createLink": create,
    "createLinks": lambda client, body: client.links.create_many(**body),
    "getLink": lambda client, path: client.links.get(*path),
    "getLinkBySlug": lambda client, path: client.links.get_by_slug(*path),
    "putLinkByExternalId": put,
    "updateLink": update,
    "deleteLink": lambda client, path, if_match=None: client.links.delete(*path, if_match=if_match),
    "revokeOwnToken": lambda client: client.tokens.revoke_self(),
    "getWebhook": lambda client, path: client.webhooks.get(*path),
    "sendTestEvent": lambda client, path: client.webhooks.test(*path),
    "getEvent": lambda client, path: client.events.get(*path),
    "getAnalytics": lambda client, query: client.analytics.get(**query),
    "createImport": create_import,
}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, exchanges):
        super().__init__(("127.0.0.1", 0), Handler)
        self.responses = [each["response"] for each in exchanges]
        self.requests = []
        self.stopped = threading.Event()
        threading.Thread(target=self.serve_forever, args=[0.05], daemon=True).start()

    def stop(self):
        self.stopped.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def read_body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        text = b""
        while size := int(self.rfile.readline(), 16):
            text += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return text

    def respond(self):
        text = self.read_body()
        url = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(text) if text else None
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        self.server.requests.append((self.command, url.path, query, headers, body))
        index = len(self.server.requests) - 1
        self.close_connection = True
        if index >= len(self.server.responses):
            return
        response = self.server.responses[index]
        if "hang" in response:
            self.server.stopped.wait(30)
        if "hang" in response or "cut" in response:
            return
        content = json.dumps(response["json"]) if "json" in response else response.get("text", "")
        self.send_response(response["status"])
        for name, value in response.get("headers", {}).items():
            date = re.fullmatch(r"\{date\+(\d+)\}", value)
            in_seconds = formatdate(time.time() + int(date[1]), usegmt=True) if date else value
            self.send_header(name, in_seconds)
        self.send_header("connection", "close")
        if response["status"] != 204:
            self.send_header("content-length", str(len(content.encode())))
        self.end_headers()
        self.wfile.write(content.encode())

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

    def log_message(self, *_args):
        pass


def plain(result):
    """Replaces followed rows by dictionaries."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    if isinstance(result, link_service.FollowedRow):
        return {"item": result.item, "cursor": result.cursor}
    return result


def options_of(case, server, waits):
    options = case.get("client", {})
    return {
        "base_url": f"http://127.0.0.1:{server.server_port}{options.get('base_url_suffix', '')}",
        "token": "lsk_test",
        "timeout": options.get("timeout_ms", 30_000) / 1000,
        "max_retries": options.get("max_retries", 3),
        "on_retry": lambda retry: waits.append(retry.wait * 1000),
    }


def run_sync(case):
    arguments = dict(case["call"])
    operation, take = OPERATIONS[arguments.pop("operation")], arguments.get("take")

    def work(client):
        result = operation(client, **arguments)
        is_object = result is None or isinstance(result, dict)
        return result if is_object else list(islice(iter(result), take))

    server, waits = Server(case["exchanges"]), []
    try:
        # Reading the certificates takes longer than most cases.
        http_client = httpx.Client(verify=False)
        with LinkService(**options_of(case, server, waits), http_client=http_client) as client:
            return outcome_of(lambda: work(client), server, waits)
    finally:
        server.stop()


async def take_items(items, take):
    taken = []
    async for item in items:
        taken.append(item)
        if len(taken) == take:
            break
    return taken


def run_async(case):
    arguments = dict(case["call"])
    operation, take = OPERATIONS[arguments.pop("operation")], arguments.get("take")

    async def work(server, waits):
        options = {
            **options_of(case, server, waits),
            "http_client": httpx.AsyncClient(verify=False),
        }
        async with AsyncLinkService(**options) as client:
            result = operation(client, **arguments)
            if inspect.isawaitable(result):
                return await result
            return await take_items(result, take)

    server, waits = Server(case["exchanges"]), []
    try:
        return outcome_of(lambda: asyncio.run(work(server, waits)), server, waits)
    finally:
        server.stop()


def outcome_of(work, server, waits):
    try:
        result, error = work(), None
    except (LinkServiceError, ValueError) as failure:
        result, error = None, failure
    return result, error, waits, server.requests


def contains(actual, expected):
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            name in actual and contains(actual[name], value) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(actual) == len(expected)
            and all(map(contains, actual, expected))
        )
    return actual == expected


def check(case, outcome):
    result, error, waits, requests = outcome
    exchanges = case["exchanges"]
    expected = [(each["request"]["method"], each["request"]["path"]) for each in exchanges]
    assert [request[:2] for request in requests] == expected, requests
    for exchange, (_method, _path, query, headers, body) in zip(exchanges, requests):
        request = exchange["request"]
        assert "query" not in request or query == request["query"], query
        assert "body" not in request or body == request["body"], body
        for name, value in request.get("headers", {}).items():
            if value == "*":
                assert headers[name] and headers[name] == requests[0][3][name], headers
            else:
                assert headers.get(name) == value, headers
    if "waits_ms" in case:
        assert len(waits) == len(case["waits_ms"]), waits
        for wait, (least, most) in zip(waits, case["waits_ms"]):
            assert least <= wait <= most, waits
    if "error" in case:
        check_error(error, dict(case["error"]))
        return
    assert error is None, repr(error)
    assert contains(plain(result), case["result"]), result
    if "etag" in case:
        assert etag_or_none(result) == case["etag"], result


def etag_or_none(result):
    try:
        return etag_of(result)
    except ValueError:
        return None


def check_error(error, expected):
    kind = expected.pop("type")
    if kind == "InvalidArgument":
        assert type(error) is ValueError, repr(error)
        return
    assert type(error) is getattr(link_service, kind), repr(error)
    retry_after = expected.pop("retry_after_ms", None)
    assert retry_after is None or error.retry_after * 1000 == retry_after, error.retry_after
    assert contains(vars(error), expected), vars(error)


def check_wait(each):
    retry_after = each["retry_after_ms"] and each["retry_after_ms"] / 1000
    error = link_service.ServerError("", code="", status=503, retry_after=retry_after)
    limits = RetryLimits(each["max_retries"], each["max_retry_wait_ms"] / 1000)
    wait = wait_before_retry(error, each["tries"], True, limits)
    if each["wait_ms"] is None:
        assert wait is None, wait
    else:
        least, most = each["wait_ms"]
        assert wait is not None and least <= wait * 1000 <= most, wait
        assert wait < math.inf


def check_signature(case, verify, outcome, now, tolerance):
    with patch("time.time", lambda: now):
        try:
            arguments = case["body"], case["headers"], case["secrets"]
            verified, code = verify(*arguments, tolerance=tolerance), None
        except link_service.WebhookVerificationError as error:
            verified, code = None, error.code
    assert (verified, code) == (case.get(outcome), case.get("error")), (verified, code)


def report(name, check_case, *arguments):
    try:
        check_case(*arguments)
        print(name)
    except Exception as error:
        # Tab and newline separate cases and failures.
        print(name, " ".join(traceback.format_exception(error)[-2:]).replace("\n", " "), sep="\t")


cases = [(area, case) for area in AREAS for case in read(area)["cases"]]
# All cases at once, because many of them wait.
with ThreadPoolExecutor(40) as pool:
    futures = [
        (f"{kind} {area}: {case['name']}", case, pool.submit(run, case))
        for kind, run in [("sync", run_sync), ("async", run_async)]
        for area, case in cases
    ]
    for name, case, future in futures:
        report(name, lambda case, run: check(case, run.result()), case, future)
for each in read("retries")["waits"]:
    report(f"waits: {each}", check_wait, each)
signatures = read("signatures")
for group, verify, outcome in [
    ("cases", link_service.verify_webhook, "event"),
    ("batches", link_service.verify_webhook_batch, "batch"),
]:
    for case in signatures[group]:
        report(
            f"signatures: {case['name']}",
            check_signature,
            case,
            verify,
            outcome,
            signatures["now"],
            signatures["tolerance"],
        )
