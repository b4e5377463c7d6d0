# LINK_SERVICE_TOKEN=lsk_live_… python analytics.py
# %% Connect
import os

import pandas as pd
from link_service import LinkService

client = LinkService(
    base_url=os.environ.get("LINK_SERVICE_URL", "http://localhost:3000/api"),
    token=os.environ["LINK_SERVICE_TOKEN"],
)

# %% Links
links = pd.json_normalize(client.links.list(sort="-clicks").to_list(10))
print(links[["slug", "url", "clicks.human"]].to_string(index=False))

# %% Days
response = client.analytics.get(interval="30d", group_by="time", granularity="day", timezone="UTC")
days = pd.DataFrame(response["data"])
days["day"] = pd.to_datetime(days["start"]).dt.date
print(f"Human clicks: {days['human'].sum()} of {days['clicks'].sum()}")

# %% Countries
response = client.analytics.get(interval="30d", group_by="country", sort="-human", limit=5)
countries = pd.DataFrame(response["data"]).fillna({"key": "unknown"})
print(countries[["key", "human"]].to_string(index=False))

# %% Chart
chart = days.plot.bar(x="day", y="human", legend=False, figsize=(12, 4), title="Human clicks")
chart.figure.savefig("clicks.svg", bbox_inches="tight")
print("Wrote clicks.svg")

# %% Feed
COLUMNS = ["id", "occurred_at", "slug", "bot", "country", "referrer_host", "device"]


def read_clicks(cursor):
    """Returns all clicks after a cursor ("" for all), and the next cursor."""
    clicks = []
    while True:
        page = client.clicks.read(after=cursor, limit=100)
        clicks += page["data"]
        cursor = page["next_cursor"]
        if not page["has_more"]:
            return pd.DataFrame(clicks, columns=COLUMNS), cursor


try:
    with open("cursor.txt", encoding="utf-8") as file:
        cursor = file.read()
except FileNotFoundError:
    cursor = ""
clicks, cursor = read_clicks(cursor)
clicks.to_csv("clicks.csv", mode="a", header=not os.path.exists("clicks.csv"), index=False)
with open("cursor.txt", "w", encoding="utf-8") as file:
    file.write(cursor)
print(f"New clicks in clicks.csv: {len(clicks)}")
