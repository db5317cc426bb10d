"""Tests of the command line, the library's front door and simulations."""
