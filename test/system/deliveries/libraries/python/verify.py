# WEBHOOK_SECRET=whsec_… python3 verify.py BODY-FILE ID TIMESTAMP SIGNATURE
import os
import sys

from standardwebhooks.webhooks import Webhook

path, message_id, timestamp, signature = sys.argv[1:]
headers = {"webhook-id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signature}
with open(path, "rb") as body:
    Webhook(os.environ["WEBHOOK_SECRET"]).verify(body.read(), headers)
