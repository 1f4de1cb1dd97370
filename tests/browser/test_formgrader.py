"""What an instructor sees in nbgrader's Formgrader, in Debian's Chromium: the list, a submission, a score by hand that stays."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader_course import ASSIGNMENT, COMMENTS, GRADES, code_cell, environment, hand_in, make_course, points, query, run, solved

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
if not Path(CHROMIUM).exists():
    pytest.skip("chromium is not installed: apt-get install chromium", allow_module_level=True)

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

SHOTS = os.environ.get("AUTOGRADER_SHOTS")
SCRIPT = "<script>document.title = 'taken over'</script><img src=x onerror=\"document.title = 'taken over'\">My own words."


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Two graded submissions, one with scripts in its text, and the surroundings that the commands ran in."""
    home = tmp_path_factory.mktemp("formgrader")
    own = environment(home)
    folder = make_course(home / "course")
    run(f"nbgrader generate_assignment {ASSIGNMENT} --force", folder, own)
    hand_in(folder, "ana", solved())
    hostile = solved()
    hostile["cells"].insert(1, {"cell_type": "markdown", "metadata": {}, "source": SCRIPT, "id": "hostile"})
    hostile["cells"].append(code_cell("print('<script>document.title = 1</script>')"))
    wrong = 'return f"Value(data={self.data})"'
    for cell in hostile["cells"]:
        cell["source"] = cell["source"].replace(wrong, "return 7")
    hand_in(folder, "bob", hostile)
    run(f"nbgrader autograde {ASSIGNMENT}", folder, own)
    return folder, own


@pytest.fixture(scope="module")
def server(course: tuple[Path, dict[str, str]]) -> Iterator[str]:
    folder, own = course
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
        f"--ServerApp.root_dir={folder}",
    ]
    command += ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
    log = folder.parent / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=own, stdout=out, stderr=out, cwd=folder)
        try:
            for _ in range(480):
                assert process.poll() is None, log.read_text()
                try:
                    urllib.request.urlopen(f"{root}/api/status", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.25)
            yield root
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/formgrader-{name}.png", full_page=True)


def test_the_list_a_submission_a_score_by_hand_and_a_regrade_that_keeps_it(
    course: tuple[Path, dict[str, str]], server: str, browser: Browser
) -> None:
    folder, own = course
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(60_000)
    page.goto(f"{server}/formgrader/manage_submissions/{ASSIGNMENT}")
    expect(page.locator("table tbody tr")).to_have_count(2)
    expect(page.locator("table tbody tr", has_text="ana")).to_contain_text("10 / 11")
    expect(page.locator("table tbody tr", has_text="bob")).to_contain_text("9 / 11")
    shot(page, "list")

    (found,) = query(
        folder,
        "SELECT n.id FROM submitted_notebook n JOIN submitted_assignment s ON s.id = n.assignment_id WHERE s.student_id = 'bob'",
    )
    address = f"{server}/formgrader/submissions/{found[0]}/"
    page.goto(address)
    body = page.locator("body")
    expect(body).to_contain_text("How it prints itself: 0 / 1")
    expect(body).to_contain_text("My own words.")
    expect(page).not_to_have_title("taken over")
    assert page.locator("img[onerror]").count() == 0
    shot(page, "submission")

    # The page's own script gives the fields of a cell their numbers in the gradebook.
    answer = page.locator(".nbgrader_cell", has_text="Why does grad start at 0?")
    answer.locator("input.score").fill("0.75")
    answer.locator("input.score").press("Tab")
    answer.locator("textarea.comment").fill("Seen by a person.")
    answer.locator("textarea.comment").press("Tab")
    for _ in range(100):
        kept = [row for row in query(folder, GRADES) if row[3] is not None]
        said = [row for row in query(folder, COMMENTS) if row[3] is not None]
        if kept and said:
            break
        page.wait_for_timeout(100)
    assert [(row[0], row[1], row[3]) for row in kept] == [("bob", "why-zero", 0.75)]
    assert [row[3] for row in said] == ["Seen by a person."]

    run(f"nbgrader autograde {ASSIGNMENT} --student bob --force", folder, own)
    assert next(row for row in query(folder, GRADES) if row[3] is not None)[:4] == kept[0][:4]
    assert points(folder, "bob")["prints"] == 0
    page.goto(address)
    expect(answer.locator("input.score")).to_have_value("0.75")
    expect(answer.locator("textarea.comment")).to_have_value("Seen by a person.")
    shot(page, "regraded")
    page.close()
