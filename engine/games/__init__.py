"""One module a game; all read alike."""
