"""Windows of the applications without a browser: they ask for pages, send events and take in patches as the page's scripts do.

For the scripts beside this file that bring many windows to one server.
"""

import asyncio
import html
import json
import random
import re
import time
import urllib.parse

import patience

ROW = re.compile(r'data-row="([^"]+)".*?<div class="title"[^>]*>(.*?)</div>', re.S)


class Refusal(Exception):
    """An answer other than success."""

    def __init__(self, status, text):
        super().__init__(f"{status} {text[:200]}")
        self.status = status


class Connection:
    """One connection of HTTP 1.1 to a server on this machine, for one request after the other."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def request(self, method, path, body=None, headers=()):
        """The status and the text of the answer; TimeoutError from a server that says nothing."""
        try:
            return await asyncio.wait_for(self.exchange(request(self.port, method, path, body, headers)), patience.seconds())
        except BaseException:
            self.close()
            raise

    async def exchange(self, data):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        self.writer.write(data)
        status, fields = await read_head(self.reader)
        text = await self.reader.readexactly(int(fields.get("content-length", 0)))
        return status, text.decode()

    def close(self):
        if self.writer:
            self.writer.close()
        self.reader = self.writer = None


def request(port, method, path, body, headers=()):
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    origin = f"http://127.0.0.1:{port}"
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers]
    if method == "POST":
        lines += [f"Origin: {origin}", "Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


async def read_head(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in head[1:] if line)
    return int(head[0].split()[1]), {name.lower(): value for name, value in fields.items()}


async def until(condition, what, tasks=()):
    """Waits for a condition; ends with the error of a task that fails meanwhile, or when it takes too long."""
    end = time.monotonic() + patience.seconds()
    while not condition():
        for task in tasks:
            if task.done():
                task.result()
        if time.monotonic() > end:
            raise SystemExit(f"Waited in vain for {what}.")
        await asyncio.sleep(0.05)


class Page:
    """A window and what its page shows of one list."""

    def __init__(self, port):
        self.port = port
        self.connection = Connection(port)
        # For the question whether the window is alive, which must not wait for an event's answer.
        self.side_connection = Connection(port)
        self.token = self.table = self.field = None
        # Which page of its window this is, and how many events it has sent: one that arrives twice is done once.
        self.page, self.number = 0, 0
        self.place = ""
        self.last = 0
        # The titles of the rows that the page holds, by their names.
        self.rows = {}
        self.rows_are_shown = asyncio.Event()
        # Called with each title that came, changed or went, and when.
        self.on_change = lambda title, what, moment: None
        self.is_following = False
        self.messages = 0
        # What the server told the user.
        self.toasts = []

    # Windows

    async def open(self, path="/"):
        status, text = await self.connection.request("GET", path)
        if status != 200:
            raise Refusal(status, text)
        self.token = re.search(r'data-window="([^"]+)"', text).group(1)
        self.last = int(re.search(r'data-sequence="([^"]+)"', text).group(1))
        self.page = int(re.search(r'data-page="([^"]+)"', text).group(1))
        self.place = urllib.parse.unquote(path.removeprefix("/at/")) if path.startswith("/at/") else ""
        self.take_screen(text)

    async def renew(self):
        """As a page whose window is gone."""
        status, text = await self.connection.request("POST", "/w", {"place": self.place})
        if status != 200:
            raise Refusal(status, text)
        answer = json.loads(text)
        self.token, self.last, self.page = answer["window"], answer["sequence"], answer["page"]
        for operation in answer["operations"]:
            self.apply(operation, time.monotonic())

    async def send(self, event):
        self.number += 1
        event = event | {"page": self.page, "number": self.number}
        status, text = await self.connection.request("POST", f"/w/{self.token}/events", event)
        if status != 204:
            raise Refusal(status, text)

    # Messages

    async def follow(self, on_open=lambda: None):
        """Takes in messages until the connection ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            writer.write(request(self.port, "GET", f"/w/{self.token}/stream?after={self.last}", None))
            status, _ = await read_head(reader)
            if status != 200:
                raise Refusal(status, "no stream")
            on_open()
            self.is_following = True
            buffer = b""
            while True:
                size = int(await reader.readline() or b"0", 16)
                if size == 0:
                    return
                buffer += (await reader.readexactly(size + 2))[:-2]
                *events, buffer = buffer.split(b"\n\n")
                moment = time.monotonic()
                for event in events:
                    self.take_event(event, moment)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            self.is_following = False
            writer.close()

    def take_event(self, event, moment):
        fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line and line[:1] != b":")
        if b"id" not in fields:
            return
        self.messages += 1
        self.last = int(fields[b"id"])
        for operation in json.loads(fields[b"data"]):
            self.apply(operation, moment)

    def apply(self, operation, moment):
        kind = operation["op"]
        if kind in ("screen", "sync"):
            self.take_screen(operation.get("html", ""))
        elif kind == "toast":
            self.toasts.append(operation["text"])
        elif kind == "table" and operation["id"] == self.table:
            self.take_rows(operation["html"])
        elif kind == "rows" and operation["id"] == self.table:
            for removed in operation["removed"]:
                title = self.rows.pop(removed["row"], None)
                if removed["cause"] != "scrolled":
                    self.on_change(title, "gone", moment)
            for part in operation["inserted"] + operation["reloaded"]:
                self.take_row(part["html"], moment)
        elif kind == "row" and operation["id"] == self.table:
            self.take_row(operation["html"], moment)

    def take_row(self, text, moment):
        name, title = ROW.search(text).groups()
        self.rows[name] = html.unescape(title)
        self.on_change(self.rows[name], "here", moment)

    def take_screen(self, text):
        table = re.search(r'data-table="(e\d+)"', text)
        field = re.search(r'data-field="(e\d+)"', text)
        self.table = table and table.group(1)
        self.field = field and field.group(1)
        self.take_rows(text)

    def take_rows(self, text):
        before = set(self.rows.values())
        self.rows = {name: html.unescape(title) for name, title in ROW.findall(text)}
        if self.rows:
            self.rows_are_shown.set()
        # A page that comes back, or a list that is drawn anew, shows changes as well.
        for title in self.rows.values():
            if title not in before:
                self.on_change(title, "here", time.monotonic())

    def row(self, title):
        """The name of the row with a title."""
        return next((name for name, text in self.rows.items() if text == title), None)

    # What a user does

    async def add(self, title):
        await self.send({"type": "return", "id": self.field, "text": title})

    async def edit(self, old, new):
        await self.send({"type": "edit", "id": self.table, "row": self.row(old), "text": new})

    async def delete(self, title):
        await self.send({"type": "action", "id": self.table, "row": self.row(title)})

    async def drop(self, title, target):
        await self.send({"type": "drop", "id": self.table, "row": self.row(title), "target": self.row(target)})

    async def move(self, title, target, after):
        await self.send({"type": "move", "id": self.table, "row": self.row(title), "target": self.row(target), "after": after})


def reconnection_pause(failures):
    """As long as the page's scripts wait before they try again."""
    return min(2, 0.15 * 1.6 ** failures) * (0.75 + random.random() / 4)


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else float("nan")
