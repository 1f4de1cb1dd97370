"""What a student sees in JupyterLab, in Debian's Chromium: the panel, the graph, the themes, nbgrader's Validate."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
if not Path(CHROMIUM).exists():
    pytest.skip("chromium is not installed: apt-get install chromium", allow_module_level=True)

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright  # noqa: E402

ROOT = Path(__file__).parents[2]
SHOTS = os.environ.get("AUTOGRADER_SHOTS")
RIGHT = """
def __mul__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * other.data, (self, other), "*")
    def rule():
        self.grad += other.data * out.grad
        other.grad += self.data * out.grad
    out._backward = rule
    return out
Value.__mul__ = __mul__
"""
OWN_OPERAND = RIGHT.replace("self.grad += other", "self.grad += self").replace("other.grad += self", "other.grad += other")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real JupyterLab on a copy of the released notebook, with settings of its own; the address of its root."""
    home = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(ROOT / "release" / "03_mul", home / "work" / "03_mul")
    settings = home / "settings" / "@jupyterlab"
    for name, table in {
        # Cells out of sight have no element otherwise.
        "notebook-extension/tracker": {"windowingMode": "none"},
    }.items():
        (settings / name).parent.mkdir(parents=True, exist_ok=True)
        (settings / f"{name}.jupyter-settings").write_text(json.dumps(table))
    page_config = home / "config" / "labconfig" / "page_config.json"
    page_config.parent.mkdir(parents=True)
    page_config.write_text(json.dumps({"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = f"http://127.0.0.1:{port}"
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        f"--ServerApp.root_dir={home / 'work'}",
    ]
    command += [f"--LabApp.user_settings_dir={home / 'settings'}", f"--LabApp.workspaces_dir={home / 'workspaces'}"]
    command += ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True", "--LabApp.expose_app_in_browser=True"]
    environment = {**os.environ, "JUPYTER_DATA_DIR": str(home / "data")}
    environment |= {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    # The kernel is the Python that runs this test, whatever stands first on the PATH.
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=home)
        try:
            _wait_for(f"{root}/api/status", process, home / "log")
            yield root
        finally:
            process.terminate()
            process.wait(30)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.25)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(40_000)
    page.goto(f"{server}/lab/tree/03_mul/03_mul.ipynb?reset")
    expect(page.locator(".jp-Notebook .jp-CodeCell").first).to_be_visible(timeout=60_000)
    expect(page.locator(".jp-StatusBar-Widget, #jp-main-statusbar").first).to_contain_text("Idle", timeout=60_000)
    yield page
    page.close()


def cell(page: Page, text: str) -> Locator:
    """The code cell whose source has this line."""
    return page.locator(".jp-Notebook .jp-CodeCell").filter(has=page.locator(".cm-content", has_text=text)).first


def run_all(page: Page) -> None:
    page.locator(".lm-MenuBar-item", has_text="Run").click()
    page.locator(
        '.lm-Menu-item[data-command="runmenu:restart-and-run-all"], .lm-Menu-item[data-command="runmenu:run-all"]'
    ).first.click()


def write(page: Page, mark: str, source: str) -> None:
    """Type a cell anew and run it."""
    cell(page, mark).locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Enter")


def run_check(page: Page, part: str) -> Locator:
    """Run the part's check cell; its panel."""
    checking = cell(page, f'check("{part}")')
    checking.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    return checking.locator(".autograder-panel")


def shot(page: Page, name: str, of: Locator | None = None) -> None:
    if SHOTS:
        (of or page).screenshot(path=f"{SHOTS}/{name}.png")


def validate(page: Page) -> str:
    """What nbgrader's Validate button says."""
    page.get_by_text("Validate", exact=True).first.click()
    dialog = page.locator(".jp-Dialog")
    expect(dialog).to_contain_text(re.compile("Success|failed", re.I), timeout=60_000)
    told = dialog.inner_text()
    shot(page, f"validate-{'success' if 'Success' in told else 'failed'}")
    dialog.locator("button").last.click()
    expect(dialog).to_have_count(0)
    return told


def test_from_not_attempted_over_wrong_to_right(page: Page) -> None:
    run_all(page)
    panel = cell(page, 'check("mul-data")').locator(".autograder-panel")
    expect(panel).to_contain_text("not attempted yet")
    assert panel.locator("xpath=ancestor::*[contains(@class,'jp-OutputArea')][1]").inner_text().count("Traceback") == 0
    shot(page, "not-attempted", panel)

    write(page, "def __mul__", OWN_OPERAND)
    panel = run_check(page, "mul-gradient")
    expect(panel).to_contain_text("Hint:")
    expect(panel.locator("svg")).to_be_visible()
    expect(panel).to_contain_text("FIRST WRONG")
    expect(panel).to_contain_text("grad expected")
    shot(page, "wrong-light", cell(page, 'check("mul-gradient")'))
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        expect(page.locator("body")).to_have_attribute("data-jp-theme-name", theme)
        readable(panel)
        shot(page, f"wrong-{theme.split()[1].lower()}", cell(page, 'check("mul-gradient")'))
    # A page at 200 % has half the width to lay itself out in.
    page.set_viewport_size({"width": 640, "height": 450})
    page.keyboard.press("Control+b")
    panel.scroll_into_view_if_needed()
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth"), "the panel is wider than its place"
    shot(page, "wrong-zoomed", panel)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("Control+b")
    assert "mul-gradient" in validate(page)

    write(page, "def __mul__", RIGHT)
    panel = run_check(page, "mul-gradient")
    expect(panel).to_contain_text("all checks passed")
    shot(page, "right-light", cell(page, 'check("mul-gradient")'))
    assert "Success" in validate(page)


def readable(panel: Locator) -> None:
    """Every text of the panel, in the graph too, stands out from what is behind it, by WCAG's 4.5 to 1."""
    pairs = panel.evaluate(BACKED)
    assert len(pairs) > 10
    for text, front, back in pairs:
        lighter, darker = sorted((luminance(front), luminance(back)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, f"{text!r}: {front} on {back}"


BACKED = """panel => {
  const solid = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/rgba\\(.*, ?0(\\.\\d+)?\\)|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  return [...panel.querySelectorAll("h3, p, li, pre, figcaption, summary, code, svg text")].map(element => {
    const style = getComputedStyle(element);
    return [element.textContent.slice(0, 40), element.tagName === "text" ? style.fill : style.color, solid(element)];
  });
}"""


def luminance(colour: str) -> float:
    parts = [int(float(part)) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
