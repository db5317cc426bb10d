"""An independent brute-force model of the Cacao base game, used only as a test oracle."""
