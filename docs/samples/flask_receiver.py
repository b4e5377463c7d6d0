# WEBHOOK_SECRET=whsec_… PORT=4000 python3 flask_receiver.py
import os
import threading

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()  # in production, a table of event IDs
lock = threading.Lock()
app = Flask(__name__)


@app.post("/hooks")
def hooks():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    with lock:
        if event["id"] in seen:
            return "", 204
        seen.add(event["id"])
    threading.Thread(target=handle, args=(event,)).start()
    return "", 204


def handle(event):
    """Runs in a thread, so slow work cannot cause a timeout."""
    print(event["type"], event["id"], flush=True)


app.run(port=int(os.environ.get("PORT", 4000)))
