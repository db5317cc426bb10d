"""Independent brute-force models of Cacao, used only as test oracles: the base game, and any modules."""
