"""Scenarios of rules files, passing and failing."""
