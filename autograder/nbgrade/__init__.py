"""What stands between nbgrader and the grader: `marking` on notebooks as plain JSON, and the classes that nbgrader loads."""
