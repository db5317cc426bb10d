"""The action graph: the road every later stage takes."""
