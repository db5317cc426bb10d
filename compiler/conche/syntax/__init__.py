"""Rules text to syntax tree: the grammar's parser, the AST, and its printer."""
