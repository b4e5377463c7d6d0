# LINK_SERVICE_TOKEN=lsk_live_… python3 analytics.py
# %% Connect
import csv
import json
import os
import urllib.parse
import urllib.request

API = os.environ.get("LINK_SERVICE_API", "http://localhost:3000/api/v1")
TOKEN = os.environ["LINK_SERVICE_TOKEN"]


def get(path, **query):
    """Returns the JSON response of the API."""
    url = f"{API}/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


# %% Count the clicks of each day
days = get("analytics", interval="30d", group_by="time", granularity="day", timezone="UTC")
print(f"{days['totals']['human']} human clicks of {days['totals']['clicks']}")

# %% Compare countries
for row in get("analytics", interval="30d", group_by="country", sort="-human", limit=5)["data"]:
    print(f"{row['key'] or 'unknown':8} {row['human']:6}")

# %% Draw a chart
WIDTH, HEIGHT = 720, 240
counts = [row["human"] for row in days["data"]]
step, highest = WIDTH / len(counts), max(max(counts), 1)
bars = "".join(
    f'<rect x="{i * step:.1f}" y="{HEIGHT - count / highest * HEIGHT:.1f}" width="{step * 0.8:.1f}"'
    f' height="{count / highest * HEIGHT:.1f}"><title>{row["start"][:10]}: {count}</title></rect>'
    for i, (count, row) in enumerate(zip(counts, days["data"]))
)
with open("clicks.svg", "w", encoding="utf-8") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="#2563eb">{bars}</svg>')
print("Wrote clicks.svg")


# %% Read new clicks from the feed
def read_clicks(cursor):
    """Returns all clicks after a cursor ("" for all), and the next cursor."""
    clicks = []
    while True:
        page = get("clicks", after=cursor, limit=100)
        clicks += page["data"]
        cursor = page["next_cursor"]
        if not page["has_more"]:
            return clicks, cursor


try:
    with open("cursor.txt", encoding="utf-8") as file:
        cursor = file.read()
except FileNotFoundError:
    cursor = ""
clicks, cursor = read_clicks(cursor)
columns = ["id", "occurred_at", "slug", "bot", "country", "referrer_host", "device"]
with open("clicks.csv", "a", newline="", encoding="utf-8") as file:
    writer = csv.DictWriter(file, columns, extrasaction="ignore")
    if file.tell() == 0:
        writer.writeheader()
    writer.writerows(clicks)
with open("cursor.txt", "w", encoding="utf-8") as file:
    file.write(cursor)
print(f"Added {len(clicks)} clicks to clicks.csv")
