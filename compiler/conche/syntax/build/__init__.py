"""Lark trees to AST nodes, one module for each part of the grammar."""
