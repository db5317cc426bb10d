"""Why a line does not parse, in the words of the language, and which change would mend it."""
