"""What a class's report holds, and that nothing of a student's is more than text in it."""

from __future__ import annotations

import csv
import html.parser
import json
from pathlib import Path

import pytest
from sample_class import variants
from support import autograder

from autograder.copies import alike, given_code
from autograder.report.classroom import page_name, safe_cell

SLUG = "03_mul"
MARKUP = "<script>document.title='stolen'</script><img src=x onerror=\"document.title='stolen'\">"
HOSTILE = {
    f"{MARKUP.replace('/', '')}.py": f"raise ValueError({MARKUP!r} + '</pre></body>')\n",
    "=HYPERLINK(1).py": "raise ValueError('=1+1')\n",
    "-1+1.py": "# {{ 31337 * 3 }} {% raise %}\nraise ValueError('{{ 31337 * 3 }}')\n",
    "@sum.py": "class Value:\n    def __repr__(self):\n        return 'x'\n",
    "gro\u00df\u202eyp.\u2066.py": f"class Value:\n    def __init__(self, data):\n        self.data = data\n\n    def __mul__(self, other):\n        raise KeyError({MARKUP!r})\n",
    "a" * 200 + ".py": "x = 1\n",
}


class Tags(html.parser.HTMLParser):
    """The tags of a page and their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a small class: hostile names and words, a few ordinary students, two with the same work."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "files").mkdir()
    for name, source in HOSTILE.items():
        (folder / "files" / name).write_text(source)
    for at, source in enumerate(variants(SLUG)[:8]):
        (folder / "files" / f"s{at}.py").write_text(source)
    (folder / "files" / "copy.py").write_text(variants(SLUG)[0].replace("other", "another") + "# mine\n")
    (folder / "files" / "empty.py").write_text("")
    done = autograder("batch", folder / "files", "--assignment", SLUG, "--grades", folder)
    assert done.returncode == 0, done.stderr
    done = autograder("report", "--assignment", SLUG, "--grades", folder)
    assert done.returncode == 0, done.stderr
    return folder / SLUG


def test_the_class_page_has_everybody_and_what_happened(made: Path) -> None:
    page = Tags((made / "class.html").read_text())
    for words in (
        "empty.py is empty",
        "overwrite-gradient",
        "How many paths lead from here to the output?",
        "Much alike",
        "no verdict",
    ):
        assert words in page.text, words
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert {made / str(link) for link in links} == set((made / "students").iterdir())
    assert [tag for tag, _ in page.tags].count("svg") == 2


def test_students_text_is_only_text(made: Path) -> None:
    for path in made.rglob("*.html"):
        page = Tags(path.read_text())
        assert not {tag for tag, _ in page.tags} & {"script", "img", "iframe", "link", "object", "base", "form"}, path.name
        for _, attributes in page.tags:
            assert not [name for name in attributes if name.startswith("on")], path.name
        assert "94011" not in page.text, path.name
        assert not set("\u202e\u2066") & set(path.read_text()), path.name
    shown = (made / "students" / page_name("gro\u00df\u202eyp.\u2066")).read_text()
    assert "gro\u00df\\u202eyp" in Tags(shown).text and "<img src=x onerror=" in Tags(shown).text


def test_no_page_asks_a_network(made: Path) -> None:
    for path in made.rglob("*.html"):
        for _, attributes in Tags(path.read_text()).tags:
            for name in ("src", "href", "xlink:href"):
                assert "//" not in (attributes.get(name) or ""), path.name
        assert "@import" not in path.read_text() and "url(http" not in path.read_text()


def test_no_cell_is_a_formula(made: Path) -> None:
    with (made / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    students = {row[0] for row in rows[1:]}
    assert {"'=HYPERLINK(1)", "'-1+1", "'@sum"} <= students and len(rows) == 1 + len(list((made / "students").iterdir()))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert [safe_cell(cell) for cell in ("\t=1", "\r=1", "+1", "a=1", -1.5)] == ["'\t=1", "'\r=1", "'+1", "a=1", -1.5]
    assert {len(row) for row in rows} == {len(rows[0])}


def test_json_and_csv_and_pages_agree(made: Path) -> None:
    table = json.loads((made / "grades.json").read_text())
    with (made / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"].removeprefix("'"): row for row in csv.DictReader(file)}
    assert len(table["students"]) == len(rows)
    for one in table["students"]:
        row = rows[one["student"].encode("utf-8", "backslashreplace").decode()]
        assert row["score"] == (str(one["grade"]["score"]) if one["grade"] else "")
        page = Tags((made / "students" / page_name(one["student"])).read_text())
        assert (f"{one['grade']['score']:.4g} / 6" if one["grade"] else "There is no grade") in page.text


def test_a_renamed_copy_is_found_and_others_are_not(made: Path) -> None:
    (given,) = [given_code(SLUG)]
    work = "\n".join(f"def f{at}(a, b):\n    for x in a:\n        yield x * b[{at}] + {at}\n" for at in range(9))
    other = "\n".join(
        f"class C{at}:\n    def g(self):\n        while self.k < {at}:\n            self.k += [1, {at}]\n" for at in range(9)
    )
    renamed = work.replace("x", "thing").replace("def f", "# a note\ndef other_name")
    codes = [("one", work), ("two", renamed), ("three", other), ("given", given[0]), ("again", given[0])]
    (pair,) = alike(codes, given)
    assert (pair.first, pair.second, pair.share) == ("one", "two", 1.0)
    table = json.loads((made / "grades.json").read_text())
    assert ("copy", "s0") in {(pair["first"], pair["second"]) for pair in table["alike"] if pair["share"] > 0.99}


def test_page_names_fit_any_file_system() -> None:
    names = [page_name(student) for student in ("a/b", "a\\b", "A", "a", "a" * 300, "../x", "con", "\udcff")]
    assert len({name.lower() for name in names}) == len(names)
    assert all(len(name) < 100 and name.isascii() and "/" not in name and not name.startswith(".") for name in names)
