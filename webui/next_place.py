"""Where the next pyramids are to be laid, as SVG over the photo: for the page's picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from vision.overlay import lying_mm
from webui.games.tabletop import ToLay
from webui.sight import Sight


def poses_svg(sight: Sight, poses: Sequence[ToLay]) -> Markup:
    """A dashed outline for each (sheet, pose on it, colour, size), in the picture's pixels; none for what it lacks."""
    sheets, parts = dict(sight.sheets), []
    unit = max(sight.size_px) / 1000
    for sheet, pose, colour, size in poses:
        if sheet not in sheets or pose.heading_deg is None:
            continue
        corners = lying_mm(pose, size)
        pixels = sight.camera.project(np.column_stack([sheets[sheet].to_table(corners[:, :2]), corners[:, 2]]))
        if not np.isfinite(pixels).all():
            continue
        tip, left, right, left_top, right_top = (f"{x:.1f},{y:.1f}" for x, y in pixels)
        body = f"M{left} L{left_top} L{right_top} L{right} M{left_top} L{tip} L{right_top}"
        dashes = f'fill="none" stroke-dasharray="{6 * unit:.1f} {4 * unit:.1f}"'
        parts += [
            f'<path class="seen-rim" fill="none" stroke-width="{5 * unit:.1f}" d="M{tip} L{left} L{right} Z"/>',
            f'<path class="seen-next" {dashes} stroke-width="{2.8 * unit:.1f}"'
            f' d="M{tip} L{left} L{right} Z">'
            f"<title>A {size} {colour} pyramid is to be laid here</title></path>",
            f'<path class="seen-next" {dashes} stroke-width="{1.2 * unit:.1f}" d="{body}"/>',
        ]
    return Markup("".join(parts))  # numbers and fixed words only
