"""A picture as an answer to a browser."""

from __future__ import annotations

from flask import Response, abort

FOR_EVER = "private, max-age=31536000, immutable"  # its address is made of its content
NOT_KEPT = "no-store"


def picture_answer(jpeg: bytes | None, otherwise: str, keeping: str = FOR_EVER) -> Response:
    """The JPEG, and how long a browser may keep it; where there is none a 404 that says why in words."""
    if jpeg is None:
        abort(404, otherwise)
    answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = keeping
    return answer
