"""Which nodes of the new version's graph have changed.

Purpose: the colours of the graph on the page of a comparison.
Input: a `Compared`. Output: `added` or `changed`, by the ids of nodes.
Invariants: all ids are of the new graph; what is gone marks the place around it as changed, where the new
version still has that place. A node with changes of both sorts is changed.
"""

from __future__ import annotations

from conche.compare.compare_versions import Compared
from conche.compare.reach import Influence


def marks(compared: Compared) -> dict[str, str]:
    """By id of node."""
    influence = Influence(compared.new.graph)
    added: set[str] = set()
    changed: set[str] = set()
    for found in compared.found:
        own = influence.by_owner.get(id(found.new), []) if found.new is not None else []
        nodes = own or influence.seeds(found.node, found.around, (), found.path)
        # What has no node of its own stands at the node around it, which was there before.
        is_new = found.old is None and found.new is not None and bool(own or not found.around)
        (added if is_new else changed).update(nodes)
    return {**dict.fromkeys(sorted(added), "added"), **dict.fromkeys(sorted(changed), "changed")}
