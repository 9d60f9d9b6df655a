"""Pixels to what lies on the table."""
