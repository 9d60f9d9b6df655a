"""Joining: each player's own link and QR code, and the screen that only that player sees."""
