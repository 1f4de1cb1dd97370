"""Students' Markdown for Formgrader and the feedback: nbgrader's templates show the HTML in it as it stands."""

from __future__ import annotations

from typing import Any

from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath


@pass_context
def safe_markdown(context: Any, source: str) -> str:
    """Markdown and mathematics as HTML; HTML in it as text, links without javascript:, no file of this machine."""
    attachments = context.get("cell", {}).get("attachments", {})
    renderer = IPythonRenderer(escape=True, allow_harmful_protocols=False, attachments=attachments)
    return str(MarkdownWithMath(renderer=renderer).render(source))
