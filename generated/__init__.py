"""Engines of the bundled rulesets, made by `make generated`: change the rules, not these."""
