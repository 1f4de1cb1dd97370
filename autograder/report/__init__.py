"""A grade's forms, one module each."""
