"""A class's report in Debian's Chromium: wide, on a phone, and printed; nothing of a student's runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_class import make_class
from support import autograder

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
if not Path(CHROMIUM).exists():
    pytest.skip("chromium is not installed: apt-get install chromium", allow_module_level=True)

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

SLUG = "03_mul"
SHOTS = os.environ.get("AUTOGRADER_SHOTS")
ATTACK = "<img src=x onerror=\"document.title='stolen'\"><script>document.title='stolen'<|script>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    files = make_class(folder / "files", SLUG, 20, 3)
    (files / f"{ATTACK}.py").write_text(f"raise ValueError({ATTACK.replace('|', '/')!r})\n")
    (files / f"{'w' * 150}.py").write_text("x = " + "1" * 400 + "\nraise ValueError('" + "w" * 400 + "')\n")
    for arguments in (("batch", files), ("report",)):
        done = autograder(*arguments, "--assignment", SLUG, "--grades", folder)
        assert done.returncode == 0, done.stderr
    return folder / SLUG


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_pages_fit_and_stay_as_they_are(browser: Browser, report: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    paths = [report / "class.html", *sorted((report / "students").iterdir())]
    for path in paths:
        page.goto(path.as_uri())
        assert page.title().startswith(SLUG), path.name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path.name} is wider than {width} pixels"
    assert {url.removeprefix("file://") for url in asked} == {path.as_uri().removeprefix("file://") for path in paths}
    for path in (report / "class.html", next((report / "students").glob("_img*"))):
        shot(page, path, f"class-{path.name[:5]}-{width}")
    page.goto((report / "class.html").as_uri())
    texts = page.eval_on_selector_all("figure svg text", "all => all.map(one => one.getBoundingClientRect().height)")
    assert len(texts) > 10 and min(texts) > 8, "the charts' text is too small to read"
    page.close()


def shot(page: Page, path: Path, name: str) -> None:
    if SHOTS:
        page.goto(path.as_uri())
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def test_printed_it_shows_all_names(browser: Browser, report: Path) -> None:
    page = browser.new_page()
    page.goto((report / "class.html").as_uri())
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = false)")
    heights = page.eval_on_selector_all("details ul", "all => all.map(one => one.getBoundingClientRect().height)")
    assert heights and min(heights) > 0, "closed lists of names stay closed on paper"
    printed = page.pdf(format="A4", path=f"{SHOTS}/class.pdf" if SHOTS else None)
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") < 12
    page.close()
