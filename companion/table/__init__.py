"""One running game: commands in, journal, undo, views, light scene, sight against state."""
