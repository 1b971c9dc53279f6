"""Many windows on one list, by a client that costs little: it looks for titles in what the server sends, and takes none of it apart.

For measure-load, beside this file.
"""

import asyncio
import os
import random
import re
import time

import patience
from pages import Connection, Page, percentile, read_head, request, until

# A row's title in a patch, the JSON of which escapes the markup's quotes.
TITLE = re.compile(rb">m(\d+)</div>")
MESSAGE = re.compile(rb"^id: ([0-9a-f]{32})\.(\d+)$", re.M)
BOXES = 38
# The figures aimed at, in seconds: of 95 of 100 edits, and of the server's processors.
ANSWERED, SHOWN, EDIT, WINDOW = 0.050, 0.150, 0.001, 0.000020


class Stream:
    """One connection that carries the messages of many windows."""

    def __init__(self, crowd, windows):
        self.crowd, self.windows = crowd, windows

    async def follow(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.crowd.port, limit=1 << 24)
        wanted = ",".join(f"{window.token}.{window.last}" for window in self.windows)
        writer.write(request(self.crowd.port, "GET", f"/stream?windows={wanted}", None))
        status, _ = await read_head(reader)
        if status != 200:
            raise SystemExit(f"The stream was answered {status}.")
        self.crowd.connected += len(self.windows)
        rest = b""
        while data := await reader.read(1 << 20):
            moment = time.monotonic()
            data = rest + data
            end = data.rfind(b"\n\n") + 2
            self.take(data[:end], moment)
            rest = data[end:]

    def take(self, data, moment):
        crowd = self.crowd
        crowd.bytes += len(data)
        for token, number in MESSAGE.findall(data):
            crowd.messages += 1
            crowd.check(token, int(number))
        begun, delays, seen = crowd.begun, crowd.delays, crowd.seen
        for number in TITLE.findall(data):
            # A row that is moved later comes again, after all windows have had it.
            if seen.get(number, crowd.expected) < crowd.expected:
                seen[number] += 1
                delays.append(moment - begun[number])


class Window:
    """A window, by name, with the names of its rows."""

    def __init__(self, page):
        self.token, self.table, self.field, self.last = page.token, page.table, page.field, page.last
        self.rows = {title: name for name, title in page.rows.items()}
        self.page, self.number = page.page, 0


class Crowd:
    """So many windows on one list, with so many edits a second."""

    def __init__(self, server, arguments):
        self.server, self.arguments = server, arguments
        self.random = random.Random(arguments.seed)
        self.connected = self.messages = self.bytes = 0
        self.begun, self.delays, self.answers, self.refusals = {}, [], [], []
        self.numbers, self.gaps = {}, 0
        # How many windows have got a title.
        self.seen, self.expected = {}, 0
        self.free = []

    def check(self, token, number):
        """Messages of a window have no gaps."""
        known = self.numbers.get(token)
        if known is not None and number != known + 1:
            self.gaps += 1
        self.numbers[token] = number

    async def run(self):
        arguments = self.arguments
        await self.server.start(*(["--windows", str(arguments.sessions + 16)] if arguments.sessions > 240 else []))
        self.port = self.server.port
        await self.make_boxes()
        # A window whose page follows no messages is soon let go: each does until all are there.
        pages, held = [], []
        for _ in range(arguments.sessions):
            page = Page(self.port)
            await page.open()
            page.connection.close()
            pages.append(page)
            held.append(asyncio.create_task(page.follow()))
        await until(lambda: all(page.is_following for page in pages), "all windows to be connected", held)
        for task in held:
            task.cancel()
        await asyncio.gather(*held, return_exceptions=True)
        # Some take in every patch as pages do: what they show in the end is compared with the store.
        whole, windows = pages[:8], [Window(page) for page in pages]
        following = [asyncio.create_task(page.follow()) for page in whole]
        carried = windows[len(whole):]
        self.expected = len(carried)
        self.numbers = {window.token.encode(): window.last for window in carried}
        share = -(-len(carried) // arguments.connections)
        following += [asyncio.create_task(Stream(self, carried[start:start + share]).follow()) for start in range(0, len(carried), share)]
        await until(
            lambda: self.connected == len(carried) and all(page.is_following for page in whole),
            "the connections of all windows", following)
        await asyncio.sleep(2)
        self.kilobytes = self.server.kilobytes() / len(windows)
        await self.edit(windows)
        mistakes = await self.settle(whole)
        for task in following:
            task.cancel()
        status = await self.server.stop()
        if status != 0:
            mistakes.append(f"The server ended with status {status}.")
        return self.report(), mistakes

    async def make_boxes(self):
        page = Page(self.port)
        await page.open()
        for box in range(BOXES + 4):
            await page.add(f"box {box}")
        page.connection.close()

    async def edit(self, windows):
        """At even times, however long the answers take."""
        seconds, rate = self.arguments.seconds, self.arguments.edits
        self.titles = {box: f"box {box}" for box in range(BOXES)}
        self.names = [{f"{box}": window.rows[f"box {box}"] for box in range(BOXES)} for window in windows]
        began, processor, own = time.monotonic(), self.server.processor_seconds(), time.process_time()
        count = int(seconds * rate)
        tasks = []
        for number in range(count):
            due = began + number / rate
            if (wait := due - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            tasks.append(asyncio.create_task(self.act(number, windows, due)))
        await asyncio.wait_for(asyncio.gather(*tasks), patience.seconds())
        await asyncio.sleep(1)
        self.spent = self.server.processor_seconds() - processor
        self.own = time.process_time() - own
        self.time = time.monotonic() - began
        self.count = count

    async def act(self, number, windows, due):
        choice = self.random.randrange(len(windows))
        window, box = windows[choice], number % BOXES
        kind = number % 20
        window.number += 1
        event = {"page": window.page, "number": window.number, "id": window.table}
        if kind < 14:
            event |= {"type": "edit", "row": self.names[choice][str(box)], "text": f"m{number}"}
            self.begun[str(number).encode()], self.seen[str(number).encode()] = due, 0
            self.titles[box] = f"m{number}"
        elif kind < 17:
            event |= {"type": "return", "id": window.field, "text": f"added {number}"}
        else:
            # Not at the end, where a row would leave what the windows hold.
            event |= {"type": "step", "row": self.names[choice][str(self.random.randrange(2, BOXES - 4))], "index": self.random.choice([-1, 1])}
        status, text = await self.post(f"/w/{window.token}/events", event)
        self.answers.append(time.monotonic() - due)
        if status != 204:
            self.refusals.append(f"{status} {text[:100]}")

    async def post(self, path, event):
        """On a connection that is free; the server closes those that nobody uses for a while."""
        while self.free:
            connection = self.free.pop()
            try:
                answer = await connection.request("POST", path, event)
            except (asyncio.IncompleteReadError, ConnectionError):
                continue
            self.free.append(connection)
            return answer
        connection = Connection(self.port)
        answer = await connection.request("POST", path, event)
        self.free.append(connection)
        return answer

    async def settle(self, whole):
        """Until the pages that take in everything are right."""
        wanted = sorted(self.titles.values())
        began = time.monotonic()
        while time.monotonic() - began < patience.seconds():
            wrong = [page for page in whole if not set(wanted) <= set(page.rows.values())]
            if not wrong:
                break
            await asyncio.sleep(0.1)
        result = [f"{len(wrong)} pages lack {sorted(set(wanted) - set(wrong[0].rows.values()))[:5]}."] if wrong else []
        if self.gaps:
            result.append(f"{self.gaps} messages came out of their order.")
        if self.refusals:
            result.append(f"{len(self.refusals)} events were refused: {self.refusals[0]}")
        return result

    def report(self):
        windows = self.arguments.sessions
        edit, window = self.spent / self.count, self.spent / self.count / windows
        answered, shown = percentile(self.answers, 0.95), percentile(self.delays, 0.95)
        expected = len(self.begun) * self.expected
        print(f"{windows} windows on one list, {self.arguments.edits:g} edits a second for {self.arguments.seconds:g} s, seed {self.arguments.seed}; "
              f"load average {os.getloadavg()[0]:.2f}; {self.kilobytes:.0f} KB a window")
        print(f"  processor time of the server: {edit * 1000:.2f} ms an edit, {window * 1e6:.1f} µs an edit and window, {self.spent / self.time:.2f} cores; "
              f"of this client {self.own / self.time:.2f} cores")
        print(f"  from edit to answer: median {percentile(self.answers, 0.5) * 1000:.0f} ms, 95th percentile {answered * 1000:.0f} ms, "
              f"slowest {max(self.answers) * 1000:.0f} ms, {len(self.answers)} answers")
        print(f"  from edit to patch in another window: median {percentile(self.delays, 0.5) * 1000:.0f} ms, 95th percentile {shown * 1000:.0f} ms, "
              f"slowest {max(self.delays, default=0) * 1000:.0f} ms, {len(self.delays)} of {expected} patches")
        print(f"  {self.messages} messages, {self.bytes / max(1, self.messages):.0f} bytes each")
        return answered <= ANSWERED and shown <= SHOWN and window <= WINDOW + EDIT / windows
