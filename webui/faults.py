"""What a page says when it cannot do what was asked: in words, in the product's look, and without telling a secret."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, g, render_template, request
from werkzeug.exceptions import HTTPException

log = logging.getLogger("umpire")

HEADLINES = {
    400: "That does not fit",
    403: "Not from here",
    404: "Nothing here",
    405: "Not like this",
    413: "Too much at once",
    429: "Wait a moment",
    500: "The umpire stumbled",
}
WORDS = {
    400: "The umpire cannot make sense of what was sent.",
    403: "This device may not do that.",
    404: "There is no such page. It may have belonged to an earlier game.",
    405: "This address takes no such order. Go back and use the page's own buttons.",
    413: "More was sent than this page takes. Send less at once.",
    429: "Too many attempts came from this device.",
    500: "That is a fault of the program, not yours. The match is kept; the log says more.",
}
GENERIC = 500


def speak_in_words(app: Flask) -> None:
    """Every refusal and every fault of this application becomes a page in words."""

    @app.errorhandler(HTTPException)
    def refused(fault: HTTPException) -> Any:
        code = fault.code or GENERIC
        if fault.response is not None or code < 400:
            return fault
        said = fault.description if fault.description != type(fault).description else None
        return _page(code, said or WORDS.get(code, WORDS[400 if code < 500 else 500]))

    @app.errorhandler(Exception)
    def stumbled(fault: Exception) -> Any:
        # Not the address: it may hold a link's secret.
        log.error("unexpected fault on the page %s", request.endpoint, exc_info=fault)
        return _page(GENERIC, WORDS[GENERIC])


def _page(code: int, words: str) -> Any:
    headline = HEADLINES.get(code, HEADLINES[400 if code < 500 else 500])
    headers = {"Cache-Control": "no-store"}
    if "retry_after_s" in g:
        headers["Retry-After"] = str(g.retry_after_s)
    return render_template("fault.html", headline=headline, words=words), code, headers
