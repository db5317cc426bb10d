"""Tests of records and replay, against a tiny engine written by hand."""
