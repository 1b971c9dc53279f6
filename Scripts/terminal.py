"""A program in a terminal that nobody sees, as a page: for the pictures of the front page.

Needs the Debian package tmux, whose server keeps the screen.
"""

import contextlib
import html
import os
import re
import subprocess
import time

import patience

COLUMNS, ROWS = 84, 26
PALETTE = ["#000000", "#c0392b", "#2e8b57", "#a67c00", "#3465a4", "#8e44ad", "#148f9f", "#d0d0d0",
           "#7f7f7f", "#ff6b5b", "#5fd38a", "#f2c94c", "#6ea8fe", "#d48cf0", "#5fd7e8", "#ffffff"]
LEVELS = [0, 95, 135, 175, 215, 255]


@contextlib.contextmanager
def terminal(command, name=f"opencoredata-pictures-{os.getpid()}"):
    """A function that gives the screen with its escape sequences; the program ends with the block."""
    def tmux(*arguments):
        return subprocess.run(["tmux", "-L", name, "-f", "/dev/null", *arguments], check=True, text=True,
                              capture_output=True).stdout

    tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "env", "COLORTERM=truecolor", "LANG=C.UTF-8", *command)
    try:
        tmux("set", "status", "off")
        yield lambda: tmux("capture-pane", "-e", "-p"), lambda *keys: tmux("send-keys", *keys)
    finally:
        tmux("kill-server")


def settled(screen, text):
    """The screen once it has a text and has stopped changing."""
    last, end = None, time.monotonic() + patience.seconds()
    while True:
        now = screen()
        if now == last and text in now:
            return now
        if time.monotonic() > end:
            raise SystemExit(f"The terminal never showed {text}.")
        last = now
        time.sleep(0.3)


def colour(codes):
    """The colour behind 38 or 48, taken off the front of the codes."""
    kind = codes.pop(0)
    if kind == 2:
        red, green, blue = codes[:3]
        del codes[:3]
        return f"rgb({red},{green},{blue})"
    number = codes.pop(0)
    if number < 16:
        return PALETTE[number]
    if number >= 232:
        return "rgb({0},{0},{0})".format(8 + (number - 232) * 10)
    number -= 16
    return "rgb({},{},{})".format(LEVELS[number // 36], LEVELS[number // 6 % 6], LEVELS[number % 6])


def page(screen):
    """The screen as HTML, dark as most terminals are."""
    style, parts = {}, []
    for part in re.split(r"(\x1b\[[0-9;:]*m)", screen.rstrip("\n")):
        match = re.fullmatch(r"\x1b\[([0-9;:]*)m", part)
        if not match:
            parts.append(span(part, style) if part else "")
            continue
        codes = [int(code or 0) for code in re.split("[;:]", match[1])]
        while codes:
            code = codes.pop(0)
            if code == 0:
                style = {}
            elif code in (1, 2, 4, 7):
                style[code] = True
            elif code in (22, 24, 27):
                for off in {22: (1, 2), 24: (4,), 27: (7,)}[code]:
                    style.pop(off, None)
            elif code in (38, 48):
                style[code] = colour(codes)
            elif code in (39, 49):
                style.pop(code - 1, None)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                style[38] = PALETTE[code % 10 + (8 if code >= 90 else 0)]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                style[48] = PALETTE[code % 10 + (8 if code >= 100 else 0)]
    return ("<!doctype html><meta charset=utf-8><style>body{margin:0;background:#16181d}pre{margin:0;padding:14px;color:#d8dade;"
            "font:14px/1.2 'DejaVu Sans Mono',monospace}</style><pre class=row>" + "".join(parts) + "</pre>")


def span(text, style):
    front, back = style.get(38, "#d8dade"), style.get(48, "transparent")
    if style.get(7):
        front, back = "#16181d" if back == "transparent" else back, front
    rules = f"color:{front};background:{back}"
    if style.get(1):
        rules += ";font-weight:bold"
    if style.get(2):
        rules += ";opacity:.65"
    if style.get(4):
        rules += ";text-decoration:underline"
    return f'<span style="{rules}">{html.escape(text)}</span>'
