"""capstone: Capstone: your own micrograd.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %% write-engine
raise NotImplementedError


# %% write-operators
raise NotImplementedError


# %% write-functions
raise NotImplementedError


# %% write-network
raise NotImplementedError
