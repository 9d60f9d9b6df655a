"""What this camera and this table are like: sheets as data, optics, and where each sheet is in a photo."""
