"""This folder as an nbgrader course: nbgrader's own commands, with student code judged outside of any kernel."""

from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    IgnorePattern,
    LimitOutput,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import get_config

from autograder.nbgrade.export import SafeExport
from autograder.nbgrade.grading import Grade, GradingExporter, Restore, find_renamed

c = get_config()
c.CourseDirectory.course_id = "micrograd"

c.Autograde.exporter_class = GradingExporter
c.Autograde.pre_convert_hook = find_renamed
c.Autograde.sanitize_preprocessors = [Restore, OverwriteKernelspec, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [Grade, IgnorePattern, LimitOutput, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata]

c.ExportApp.plugin_class = SafeExport
# Students' Markdown is shown to graders: what it says, without the scripts that could stand in it.
c.HTMLExporter.sanitize_html = True
