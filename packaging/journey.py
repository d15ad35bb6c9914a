#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of journey.sh, which prepares display, home and session bus.

What is on the screen is asked of the accessibility bus, as a screen reader does it; the program is moved by nothing but
real key and mouse events.   usage: journey.py mouse|keyboard PROGRAM FOLDER"""
import os
import subprocess
import sys
import time

import dbus

CHECKED, ENABLED, FOCUSED, SHOWING = 4, 8, 12, 25  # bits of AtspiStateType
PATIENCE = 120  # seconds; an answer takes one or two of an idle machine
WORKLOAD = "Llama 3.1 8B"
# Qt calls the current line of every list focused, whatever has the keyboard.
LINES = ("tree item", "list item", "table cell", "cell", "page tab")


class Failed(Exception):
    pass


class Screen:
    """What the program shows, by the names that assistive technology reads."""

    def __init__(self):
        address = dbus.SessionBus().get_object("org.a11y.Bus", "/org/a11y/bus").GetAddress(
            dbus_interface="org.a11y.Bus")
        self.bus = dbus.bus.BusConnection(address)

    def call(self, node, interface, method, signature=None, arguments=()):
        return self.bus.call_blocking(node[0], node[1], interface, method, signature, arguments, timeout=30)

    def children(self, node):
        found = self.call(node, "org.a11y.atspi.Accessible", "GetChildren")
        return [(str(bus), str(path)) for bus, path in found]

    def state(self, node, bit):
        low, high = self.call(node, "org.a11y.atspi.Accessible", "GetState")
        return bool((int(low) | int(high) << 32) >> bit & 1)

    def role(self, node):
        return str(self.call(node, "org.a11y.atspi.Accessible", "GetRoleName"))

    def name(self, node):
        return str(self.call(node, "org.freedesktop.DBus.Properties", "Get", "ss",
                             ("org.a11y.atspi.Accessible", "Name")))

    def place(self, node):
        return [int(side) for side in self.call(node, "org.a11y.atspi.Component", "GetExtents", "u", (0,))]

    def windows(self):
        """The newest first."""
        root = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        found = [window for program in self.children(root) for window in self.children(program)]
        return [window for window in reversed(found) if self.state(window, SHOWING)]

    def walk(self, node):
        yield node
        for child in self.children(node):
            if self.state(child, SHOWING):
                yield from self.walk(child)

    def seen(self, name, role="", inside=None):
        for window in [inside] if inside else self.windows():
            for node in self.walk(window):
                if self.name(node) == name and role in ("", self.role(node)):
                    return node
        return None

    def focused(self):
        """Names of what has the keyboard, from the outside to the inside."""
        return [self.name(node) for window in self.windows() for node in self.walk(window)
                if self.state(node, FOCUSED) and self.role(node) not in LINES]


class Journey:
    def __init__(self, kind, program, folder):
        self.kind, self.folder, self.steps, self.clicks, self.keys = kind, folder, 0, 0, 0
        self.home = os.environ["HOME"]
        self.program = subprocess.Popen([program], cwd=self.home, stderr=subprocess.DEVNULL)
        self.screen = Screen()
        self.begin = time.monotonic()

    @staticmethod
    def run(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def picture(self, words):
        self.run("import", "-window", "root", os.path.join(self.folder, f"{self.kind} {self.steps:02} {words}.png"))

    def done(self, words):
        self.steps += 1
        print(f"{self.kind} {self.steps}: {words} ({time.monotonic() - self.begin:.0f} s, {self.clicks} clicks, "
              f"{self.keys} keys)", flush=True)
        self.picture(words)

    def until(self, words, condition, patience=PATIENCE):
        end = time.monotonic() + patience
        while True:
            if self.program.poll() is not None:
                raise Failed("the program has ended")
            try:
                found = condition()
            except dbus.exceptions.DBusException:  # what was asked went meanwhile
                found = None
            if found:
                return found
            if time.monotonic() > end:
                raise Failed(words)
            time.sleep(0.1)

    def appears(self, name, role=""):
        return self.until(f"“{name}” does not appear", lambda: self.screen.seen(name, role))

    def usable(self, name, role=""):
        def ready():
            node = self.screen.seen(name, role)
            return node if node and self.screen.state(node, ENABLED) else None
        return self.until(f"“{name}” cannot be used", ready)

    def click_at(self, x, y):
        self.clicks += 1
        self.run("xdotool", "mousemove", str(x), str(y), "sleep", "0.1", "click", "1", "sleep", "0.4")

    def click(self, name, role=""):
        x, y, width, height = self.screen.place(self.usable(name, role))
        self.click_at(x + width // 2, y + height // 2)

    def turn_to(self, name, roles, inside):
        """Turns the wheel over a list until a line of it is in sight; its place."""
        left, top, width, height = self.screen.place(inside)
        self.run("xdotool", "mousemove", str(left + width // 2), str(top + height // 2))
        for _ in range(100):
            line = next((node for node in self.screen.children(inside)
                         if self.screen.name(node) == name and self.screen.role(node) in roles), None)
            if line:
                x, y, across, down = self.screen.place(line)
                if down > 0 and top <= y and y + down <= top + height:
                    return x, y, across, down
                self.run("xdotool", "click", "4" if 0 < y < top else "5", "sleep", "0.05")
        raise Failed(f"“{name}” cannot be brought into sight")

    def press(self, *keys):
        self.keys += len(keys)
        for key in keys:
            self.run("xdotool", "key", key, "sleep", "0.2")

    def write(self, text):
        self.keys += len(text)
        self.run("xdotool", "type", "--delay", "25", text)
        time.sleep(0.2)

    def focus_is(self, name):
        """A name, or with dots at its end how one begins."""
        start = name.removesuffix("…") if name.endswith("…") else None
        try:
            self.until("", lambda: any(
                at == name or (start and at.startswith(start)) for at in self.screen.focused()), 15)
        except Failed:
            raise Failed(f"the keyboard is in “{' > '.join(self.screen.focused())}”, not in “{name}”") from None

    def check_paper(self, path):
        def whole():
            if not os.path.exists(path):
                return ""
            return subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True).stdout
        first = self.until(f"{path} was not written", whole).split("\f")[0]
        for words in (WORKLOAD, "Recommendation", "MUSD", "days", "What is asked", "Approval of"):
            if words not in first:
                raise Failed(f"the first page does not say “{words}”:\n{first}")


def with_the_mouse(journey):
    screen = journey.screen
    field = journey.appears("Workload", "filler")
    x, y, width, height = screen.place(field)
    journey.click_at(x + width - height // 2, y + height // 2)  # the arrow
    items = journey.until("the list of workloads does not open", lambda: next(
        (node for window in screen.windows() for node in screen.walk(window)
         if screen.role(node) == "list" and any(screen.name(line) == WORKLOAD for line in screen.children(node))), None))
    x, y, width, height = journey.turn_to(WORKLOAD, ("list item",), items)
    journey.click_at(x + 40, y + height // 2)
    journey.done("workload chosen")
    nodes = journey.appears("nodes", "list")
    x, y, width, height = journey.turn_to("NVIDIA DGX H200", ("list item",), nodes)
    journey.click_at(x + height // 2, y + height // 2)  # its box
    journey.done("accelerator unticked")
    journey.click("Save as a new project and answer…")
    journey.appears("New project", "dialog")
    journey.done("asked for a file")
    journey.click("Save", "push button")
    journey.usable("Approve…", "push button")
    journey.done("answered")
    for tab in ("Front", "Money over time", "How sure", "What binds", "Candidates"):
        journey.click(tab, "page tab")
    journey.done("answer looked at")
    journey.click("Approve…", "push button")
    journey.focus_is("Approved by")
    journey.write("The board")  # nobody signs without a name
    journey.click("Approve", "push button")
    journey.appears("What became of it")
    journey.done("approved")
    journey.click("Report", "tree item")
    journey.usable("PDF…", "push button")
    journey.appears("Pages: 4, as they will be printed.")
    journey.done("report shown")
    journey.click("PDF…", "push button")
    journey.appears("Export the report as PDF", "dialog")
    journey.click("Save", "push button")


def with_the_keyboard(journey):
    journey.appears("Workload", "filler")
    journey.focus_is("Workload")
    journey.write(WORKLOAD.lower())
    journey.press("Return", "Tab")
    journey.focus_is("Tokens")
    journey.write("12 T")
    journey.press("Tab")
    journey.focus_is("Days")
    journey.write("20 days")
    journey.press("alt+a")
    journey.focus_is("Narrow the list")
    journey.write("h200")
    journey.press("Down")
    journey.focus_is("nodes")
    journey.press("space")
    journey.done("question asked")
    journey.press("alt+s")
    journey.appears("New project", "dialog")
    journey.focus_is("File name:")
    journey.write("by keyboard")
    journey.done("asked for a file")
    journey.press("Return")
    journey.usable("Approve…", "push button")
    journey.done("answered")
    journey.press("alt+o")
    journey.focus_is("Approved by")
    journey.write("The board")
    journey.usable("Approve", "push button")
    journey.press("Tab", "Tab")
    journey.focus_is("Why, on what condition")
    journey.write("As offered")
    journey.press("alt+a")
    journey.appears("What became of it")
    journey.focus_is(f"{WORKLOAD}, approved …")  # the choice of approvals: no key changes what was signed
    journey.done("approved")
    journey.press("ctrl+0")
    journey.appears("Pages: 4, as they will be printed.")
    journey.done("report shown")
    journey.press("ctrl+p")
    journey.appears("Export the report as PDF", "dialog")
    journey.focus_is("File name:")
    journey.write("board paper")
    journey.press("Return")


def main():
    kind, program, folder = sys.argv[1:4]
    walk, paper = {"mouse": (with_the_mouse, f"{WORKLOAD} in 30 days.pdf"),
                   "keyboard": (with_the_keyboard, "board paper.pdf")}[kind]
    journey = Journey(kind, program, folder)
    try:
        walk(journey)
        journey.check_paper(os.path.join(journey.home, "Documents", paper))
        journey.done("board report written")
        journey.press("ctrl+q")
        if journey.program.wait(30) != 0:
            raise Failed("the program did not end well")
    except Failed as failed:
        journey.picture("FAILED")
        print(f"{kind}, after step {journey.steps}: {failed}", file=sys.stderr)
        return 1
    finally:
        journey.program.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
