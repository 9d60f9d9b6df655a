"""The rules: what lies on a table, what may be done, and what was. Standard library only."""
