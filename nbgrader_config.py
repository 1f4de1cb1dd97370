"""This folder as an nbgrader course: nbgrader's own commands, with student code judged outside of any kernel.

Names stand as text, so that nothing is imported for a command that has no use of it.
"""

# traitlets puts get_config here; the one that can be imported is another.
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "micrograd"

c.Autograde.pre_convert_hook = "autograder.nbgrade.grading.find_renamed"
c.Autograde.sanitize_preprocessors = [
    "autograder.nbgrade.grading.Restore",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "autograder.nbgrade.grading.Grade",
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

c.ExportApp.plugin_class = "autograder.nbgrade.export.SafeExport"
# Students' Markdown is shown to graders: its HTML stands there as text and cannot act for them.
c.HTMLExporter.filters = {"markdown2html": "autograder.nbgrade.html.safe_markdown"}
