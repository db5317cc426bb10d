"""The reference interpreter, statement by statement and as an engine."""
