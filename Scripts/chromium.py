"""A headless Chromium by way of the WebDriver protocol, for the scripts beside this file.

Needs the Debian packages chromium and chromium-driver.
"""

import base64
import contextlib
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request

import patience

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


@contextlib.contextmanager
def running(command, pattern):
    """The first match of a pattern in what a process prints, and the process; it ends with the block."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield first_match(process, pattern), process
    finally:
        process.terminate()
        process.wait(timeout=patience.seconds())


def first_match(process, pattern):
    for line in process.stdout:
        match = re.search(pattern, line)
        if match:
            return match.group(1)
    raise SystemExit(f"{process.args[0]} ended without saying where it is.")


@contextlib.contextmanager
def chromedriver():
    """The port of a driver, which ends with the block."""
    with running(["chromedriver", "--port=0"], r"successfully on port (\d+)") as (port, _):
        yield port


class Browser:
    """A browser of one size."""

    def __init__(self, driver, width, height, scale=2):
        arguments = ["--headless=new", "--hide-scrollbars", f"--force-device-scale-factor={scale}"]
        if os.geteuid() == 0:
            # Chromium's sandbox does not work for root.
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options}
        self.url = f"http://127.0.0.1:{driver}/session"
        answer = self.send("POST", "", {"capabilities": {"alwaysMatch": capabilities}})
        self.url += "/" + answer["sessionId"]
        self.debugger = answer["capabilities"]["goog:chromeOptions"]["debuggerAddress"]
        self.emulate("Emulation.setDeviceMetricsOverride",
                     width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=patience.seconds()) as answer:
            return json.load(answer)["value"]

    def emulate(self, command, **parameters):
        self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def use_scheme(self, scheme):
        self.emulate("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def find(self, selector):
        """An element, waited for: the page may still be on its way."""
        end = time.monotonic() + patience.seconds()
        while True:
            try:
                query = {"using": "css selector", "value": selector}
                return self.send("POST", "/element", query)[ELEMENT]
            except urllib.error.HTTPError as error:
                if error.code != 404 or time.monotonic() > end:
                    raise SystemExit(f"The page has no {selector}.") from error
                time.sleep(0.05)

    def open(self, address):
        self.send("POST", "/url", {"url": address})

    def click(self, selector):
        self.send("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self.send("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def script(self, body, *arguments):
        return self.send("POST", "/execute/sync", {"script": body, "args": list(arguments)})

    def wait_for(self, expression):
        """Until a JavaScript expression is true."""
        end = time.monotonic() + patience.seconds()
        while not self.script(f"return Boolean({expression})"):
            if time.monotonic() > end:
                raise SystemExit(f"Waited in vain for {expression}")
            time.sleep(0.005)

    def leave(self):
        """Moves the pointer where it lights nothing up."""
        move = {"type": "pointerMove", "x": 0, "y": 0, "duration": 0}
        mouse = {"type": "pointer", "id": "mouse", "actions": [move]}
        self.send("POST", "/actions", {"actions": [mouse]})

    def wait_for_rest(self):
        """Until no row is moving any more."""
        self.wait_for("document.getAnimations().every((a) => a.playState !== 'running')")

    def picture(self):
        return base64.b64decode(self.send("GET", "/screenshot"))

    def close(self):
        self.send("DELETE", "")
