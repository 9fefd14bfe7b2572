"""One module a mode of play: standard, epilogue, science mission."""
