"""The DevTools protocol of a page in a browser of chromium.py, for what WebDriver is too slow for: gestures in the pace of a finger,
and events that the browser sends.

A page has an address of a web socket; of that protocol here is what a client of the same machine needs.
"""

import asyncio
import base64
import json
import os
import struct
import urllib.request


class DevTools:
    """The connection to a page."""

    def __init__(self):
        self.number = 0
        self.answers = {}
        # What is called with the parameters of an event, by the event's name.
        self.listeners = {}

    @classmethod
    async def of(cls, browser):
        """The connection to the only page of a browser."""
        with urllib.request.urlopen(f"http://{browser.debugger}/json") as answer:
            pages = [one for one in json.load(answer) if one["type"] == "page"]
        host, path = pages[0]["webSocketDebuggerUrl"].removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self = cls()
        self.reader, self.writer = await asyncio.open_connection(name, int(port), limit=1 << 26)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /{path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
        await self.reader.readuntil(b"\r\n\r\n")
        self.reading = asyncio.create_task(self.read())
        return self

    def send(self, method, **parameters):
        """Sends a command; what is returned can be awaited for its result."""
        self.number += 1
        answer = self.answers[self.number] = asyncio.get_running_loop().create_future()
        text = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        size = len(text)
        length = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 0xFE, size) if size < 1 << 16 \
            else struct.pack("!BQ", 0xFF, size)
        # A client masks what it sends; a mask of zeros leaves it as it is.
        self.writer.write(b"\x81" + length + bytes(4) + text)
        return answer

    async def value(self, expression):
        """The value of a JavaScript expression, awaited if it is a promise."""
        answer = await self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression[:200]}: {answer['exceptionDetails']['exception']['description'][:500]}")
        return answer["result"].get("value")

    async def read(self):
        text = b""
        while True:
            first, second = await self.reader.readexactly(2)
            size = second & 0x7F
            if size > 125:
                size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
            text += await self.reader.readexactly(size)
            if not first & 0x80:
                continue
            message, text = json.loads(text), b""
            if answer := self.answers.pop(message.get("id"), None):
                if "error" in message:
                    answer.set_exception(RuntimeError(str(message["error"])))
                else:
                    answer.set_result(message["result"])
            elif listener := self.listeners.get(message.get("method")):
                listener(message["params"])

    def close(self):
        self.reading.cancel()
        self.writer.close()
