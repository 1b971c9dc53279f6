"""Messages of the sync protocol, written and read without any code of sync: for scripts that measure or attack a server."""
import http.client
import os
import struct
import time
import zlib


def head(major, n):
    for size, code in ((0, None), (1, 24), (2, 25), (4, 26), (8, 27)):
        if size == 0 and n < 24:
            return bytes([major << 5 | n])
        if size and n < 1 << (8 * size):
            return bytes([major << 5 | code]) + n.to_bytes(size, "big")
    raise ValueError(n)


def text(s):
    return head(3, len(s.encode())) + s.encode()


def data(b):
    return head(2, len(b)) + b


def integer(n):
    return head(0, n) if n >= 0 else head(1, -1 - n)


def array(*items):
    return head(4, len(items)) + b"".join(items)


def fields(*pairs):
    return head(5, len(pairs)) + b"".join(head(0, k) + v for k, v in pairs)


def message(names, replica, ticks, body, protocol=1):
    """Names and replicas are numbers in the body; clocks are distances from `ticks`."""
    return array(integer(protocol), array(*map(text, names)), array(integer(replica)), integer(ticks), body)


def read(b, at=0):
    """A value of CBOR and where it ends: numbers, bytes, text, lists, dictionaries."""
    major, short = b[at] >> 5, b[at] & 31
    at += 1
    if major == 7:
        if short == 27:
            return struct.unpack(">d", b[at:at + 8])[0], at + 8
        return {20: False, 21: True, 22: None}[short], at
    if short < 24:
        n = short
    else:
        size = 1 << (short - 24)
        n, at = int.from_bytes(b[at:at + size], "big"), at + size
    if major == 0:
        return n, at
    if major == 1:
        return -1 - n, at
    if major in (2, 3):
        part = b[at:at + n]
        return (part if major == 2 else part.decode()), at + n
    items = []
    for _ in range(n * (2 if major == 5 else 1)):
        item, at = read(b, at)
        items.append(item)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), at


# The zone, one entity, its properties, by number.
NAMES = ["home", "Note", "a", "b", "c", "d", "e"]


def hello(names=NAMES):
    entity = fields((0, head(0, 1)))
    return message(names, 1, 0, fields((0, text("script")), (1, head(0, 0)), (2, array(head(0, 0))), (3, array(entity))))


def value(number):
    return text("%040d" % number)


def change(width=5, identity=None, values=None, life=True):
    """A record of 200 bytes in five attributes; `width` of them."""
    values = values or [value(i) for i in range(width)]
    registers = b"".join(head(0, 2 + i) + array(head(0, 0), head(0, 0), v) for i, v in enumerate(values))
    parts = [(0, data(identity or os.urandom(16))), (1, head(0, 1))]
    if life:
        parts.append((2, array(head(0, 0), head(0, 0), b"\xf4")))
    return fields(*parts, (3, head(4, len(values) * 2) + registers))


def push(replica, name, previous, changes, pairs=(), aliases=(), names=NAMES, ticks=None):
    body = [(0, head(0, 0)), (1, data(name)), (2, head(0, 0))]
    if previous:
        body.append((3, data(previous)))
    body += [(5, head(0, 0)), (6, array(*changes))]
    if pairs:
        body.append((7, array(*pairs)))
    if aliases:
        body.append((8, array(*aliases)))
    return message(names, replica, (int(time.time() * 1000) << 16) if ticks is None else ticks, fields(*body))


def pull(cursor, limit=1000, wanted=(), names=NAMES):
    body = [(0, head(0, 0)), (1, integer(cursor)), (2, head(0, 0)), (3, head(0, 0)), (5, integer(limit))]
    if wanted:
        body.append((6, array(*map(data, wanted))))
    return message(names, 1, 0, fields(*body))


class Client:
    """A connection that is kept."""

    def __init__(self, port, key, timeout=60):
        self.http, self.key = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout), key
        self.sent = self.received = 0

    def ask(self, path, body):
        """The status and the body, inflated."""
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/cbor", "Accept-Encoding": "gzip"}
        self.http.request("POST", "/sync/v1/" + path, body, headers)
        answer = self.http.getresponse()
        content = answer.read()
        self.sent += len(body)
        self.received += len(content)
        return answer.status, zlib.decompress(content, 31) if answer.getheader("Content-Encoding") == "gzip" else content

    def post(self, path, body):
        status, content = self.ask(path, body)
        assert status == 200, (status, content)
        return content

    def page(self, cursor, limit=1000):
        """The rows, the next cursor, and whether it is the last."""
        answer, _ = read(self.post("pull", pull(cursor, limit)))
        page = answer[4][3]
        return [Row(row, answer[1]) for row in page.get(0, [])], page[1], page.get(3, False)

    def everything(self):
        rows, cursor, is_done = [], 0, False
        while not is_done:
            part, cursor, is_done = self.page(cursor)
            rows += part
        return rows


class Row:
    """A record of a page; `values` by the names of properties. A pair has no identity."""

    def __init__(self, row, names):
        self.identity = row.get(0) if isinstance(row, dict) else None
        registers = row.get(4, []) if isinstance(row, dict) else []
        self.values = {names[n]: register[2] for n, register in zip(registers[::2], registers[1::2])}
        self.is_dead = isinstance(row, dict) and 3 in row and row[3][2]
