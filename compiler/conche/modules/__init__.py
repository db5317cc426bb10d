"""Modules: which files make up a ruleset, and how they are put together."""
