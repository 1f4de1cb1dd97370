"""One module for each command; `cli` imports a command's module only when it runs."""
