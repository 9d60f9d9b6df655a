"""The page of the photographed games that come along, with a picture of each."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, abort, render_template

from webui.samples import Sample, UnknownSampleError, sample_of, samples

WIDTH_PX = 480


def samples_pages(token: str) -> Blueprint:
    """The list; what begins a sample is the start page's order."""
    pages = Blueprint("samples", __name__, url_prefix="/samples")

    @pages.get("/")
    def page() -> str:
        listed = [(each, len(each.photos), each.game_file.players) for each in samples()]
        return render_template("samples.html", samples=listed, token=token)

    @pages.get("/<name>.jpg")
    def picture(name: str) -> Response:
        try:
            jpeg = _picture(sample_of(name))
        except UnknownSampleError as fault:
            abort(404, str(fault))
        answer = Response(jpeg, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "private, max-age=86400"
        return answer

    return pages


@cache
def _picture(sample: Sample) -> bytes:
    """A small JPEG of a table in the middle of the game."""
    from vision.camera import read_photo
    from webui.pictures import Pictures

    pictures = Pictures()
    image = read_photo(sample.photos[len(sample.photos) // 2]).image_bgr
    return pictures.get(pictures.keep(image, WIDTH_PX, 80)) or b""
