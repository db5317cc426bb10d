"""AST to rulebook: names resolved, types checked, options settled, in canonical form."""
