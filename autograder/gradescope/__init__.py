"""An assignment's zip for Gradescope: `bundle` makes it, `container` runs inside of it, `trial` runs it here."""
