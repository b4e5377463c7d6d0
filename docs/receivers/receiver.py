# WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py
import base64
import hashlib
import hmac
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 5 * 60
LARGEST_BODY = 1024 * 1024


def key_of(secret: str) -> bytes:
    """Decodes `whsec_` and base64; any other secret is used as UTF-8 bytes."""
    if secret.startswith("whsec_"):
        return base64.b64decode(secret.removeprefix("whsec_"))
    return secret.encode()


KEY = key_of(os.environ["WEBHOOK_SECRET"])
seen: set[str] = set()  # in production, store IDs in a table, in the transaction that processes the event
lock = threading.Lock()


def is_genuine(headers, body: bytes) -> bool:
    """Returns whether a signature is valid and the timestamp is within the tolerance."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if length > LARGEST_BODY:
            return self.respond(413)
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return self.respond(400)
        message_id = self.headers["webhook-id"]
        with lock:
            if message_id not in seen:
                seen.add(message_id)
                print(f"received {message_id}", flush=True)  # process json.loads(body) here
        self.respond(204)

    def respond(self, status: int):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4000))), Receiver)
print("ready", flush=True)
server.serve_forever()
