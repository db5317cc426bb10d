"""Engines of the bundled rulesets, made by `make generated`: change the rules and build again, never these."""
