"""Who may ask for what: hosts, sessions, the token of every form, and who tries too often.

Without `--lan` only this computer is answered, and whoever sits at it has the main screen. In a network everybody needs
a session: a link in the terminal gives the main screen's, a QR code a player's. Sessions are signed cookies, and a
form's token belongs to one session. Everything that is signed ends with the program that signed it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import Response, abort, g, request
from werkzeug.sansio.http import parse_cookie

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
SCREEN, SEAT = "screen", "seat"
KEPT_S = 60 * 60 * 24  # a session: an evening and the morning after
STALE = "This page was older than the umpire that runs now, so nothing was done. Load it again and say it once more."
ELSEWHERE = "This was sent from another page than the umpire's own, so nothing was done."
NOT_JOINED = (
    "This device has not joined. Scan your own QR code on the main screen, or open the main screen's link, which is "
    "printed where the umpire was started."
)


@dataclass
class Throttle:
    """Counts wrong attempts by address: after `most` within `within_s` seconds an address has to wait.

    Raises nothing; `wait_s` tells how long. Of more than `addresses` the oldest are forgotten.
    """

    most: int = 10
    within_s: float = 60.0
    addresses: int = 1000
    clock: Callable[[], float] = time.monotonic
    _wrong: OrderedDict[str, list[float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_s(self, address: str) -> int:
        """Whole seconds until this address may try again; 0: at once."""
        with self._lock:
            recent = self._recent(address)
            return 0 if len(recent) < self.most else max(1, round(recent[0] + self.within_s - self.clock()))

    def was_wrong(self, address: str) -> None:
        with self._lock:
            recent = [*self._recent(address), self.clock()]
            self._wrong[address] = recent[-self.most :]
            self._wrong.move_to_end(address)
            while len(self._wrong) > self.addresses:
                self._wrong.popitem(last=False)

    def _recent(self, address: str) -> list[float]:
        since_s = self.clock() - self.within_s
        return [when_s for when_s in self._wrong.get(address, ()) if when_s > since_s]


class Guard:
    """Knows the secrets of this run. `addresses` are those of this computer in the network, if the page is shared."""

    def __init__(self, addresses: tuple[str, ...] = (), throttle: Throttle | None = None) -> None:
        self.addresses = addresses
        self.screen_token = secrets.token_urlsafe(24)
        self._key = secrets.token_bytes(32)
        self._throttle = throttle or Throttle()

    @property
    def is_shared(self) -> bool:
        return bool(self.addresses)

    # Before every answer.

    def check_source(self) -> None:
        """Refuse what was meant for another host, and what another page sent."""
        hosts = LOCAL_HOSTS | {host_in_address(each) for each in self.addresses}
        if host_of(request.host) not in hosts:
            abort(400, "This page answers under its own address only.")
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "same-origin")
        if _is_foreign(origin) or site not in ("same-origin", "none"):
            abort(403, ELSEWHERE)

    def is_screen(self) -> bool:
        """Whether this request comes from the main screen."""
        return not self.is_shared or self._holder(SCREEN) is not None

    def is_here(self) -> bool:
        """Whether this request comes from the computer that the umpire runs on."""
        return (request.remote_addr or "") in ("127.0.0.1", "::1")

    def seat(self) -> str | None:
        """The mark of the seat that this device has joined, as `open_seat` got it."""
        return self._holder(SEAT)

    def check_screen(self) -> None:
        if not self.is_screen():
            abort(403, NOT_JOINED)

    # Tokens of links.

    def check_link(self, holds: bool) -> None:
        """Refuse a link with a wrong token, and an address that has tried too many."""
        address = request.remote_addr or ""
        wait_s = self._throttle.wait_s(address)
        if wait_s:
            g.retry_after_s = wait_s
            abort(429, f"Too many wrong links came from this device. Wait {wait_s} seconds and scan the code again.")
        if not holds:
            self._throttle.was_wrong(address)
            abort(404, "This link opens nothing. A new game has new links: scan the code on the main screen again.")

    def open_screen(self, answer: Response) -> Response:
        """The answer makes its browser the main screen."""
        return self._keep(answer, SCREEN, SCREEN)

    def open_seat(self, answer: Response, mark: str) -> Response:
        """The answer seats its browser; the mark tells whose seat it is."""
        return self._keep(answer, SEAT, mark)

    # Tokens of forms.

    def form_token(self, kind: str = SCREEN) -> str:
        """What a form has to send along: it belongs to the session that asked for the page."""
        return self._signed("form", self._session(kind))

    def is_own_form(self, kind: str = SCREEN) -> bool:
        sent = request.form.get("token", "")
        return hmac.compare_digest(sent.encode(), self.form_token(kind).encode())

    def check_form(self) -> None:
        """Refuse a form that this main screen did not get."""
        self.check_screen()
        if not self.is_own_form():
            abort(400, STALE)

    def check_seat_form(self) -> None:
        if not self.is_own_form(SEAT):
            abort(400, STALE)

    def kind(self) -> str:
        """What this device is here: the main screen, or a player's own."""
        return SCREEN if self.is_screen() else SEAT

    def check_any_form(self) -> None:
        """Refuse a form that this device, whichever it is, did not get."""
        if not self.is_own_form(self.kind()):
            abort(400, STALE)

    # Cookies.

    def finish(self, answer: Response) -> Response:
        """A main screen on this computer gets its session with its first page."""
        fresh = g.get("fresh_session")
        if fresh is not None and not self.is_shared and answer.status_code < 400:
            self._set(answer, SCREEN, fresh)
        return answer

    def has_session(self, cookies: str, host: str) -> bool:
        """Whether a request with these headers comes from a device that has joined; without a network all have."""
        held = parse_cookie(cookies)
        return not self.is_shared or any(self._held(kind, held.get(_cookie(kind, host), "")) for kind in (SCREEN, SEAT))

    def _holder(self, kind: str) -> str | None:
        return self._held(kind, request.cookies.get(_cookie(kind, request.host), ""))

    def _held(self, kind: str, cookie: str) -> str | None:
        """What a cookie of that kind says, if it was signed here and not too long ago."""
        mark, _, rest = cookie.partition("~")
        said, _, signed = rest.rpartition("~")
        if not hmac.compare_digest(self._signed(kind, f"{mark}~{said}").encode(), signed.encode()):
            return None
        began_s = int(said.partition("~")[0])
        return mark if 0 <= time.time() - began_s < KEPT_S else None

    def _session(self, kind: str) -> str:
        if self._holder(kind) is not None:
            return request.cookies[_cookie(kind, request.host)]
        if "fresh_session" not in g:
            g.fresh_session = self._made(kind, kind)
        return str(g.fresh_session)

    def _made(self, kind: str, mark: str) -> str:
        said = f"{mark}~{int(time.time())}~{secrets.token_hex(8)}"
        return f"{said}~{self._signed(kind, said)}"

    def _keep(self, answer: Response, kind: str, mark: str) -> Response:
        self._set(answer, kind, self._made(kind, mark))
        return answer

    def _set(self, answer: Response, kind: str, value: str) -> None:
        answer.set_cookie(_cookie(kind, request.host), value, max_age=KEPT_S, httponly=True, samesite="Strict")

    def _signed(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what}\n{text}".encode(), hashlib.sha256).hexdigest()


def _is_foreign(origin: str | None) -> bool:
    """Whether the page that sends this is another host's. Pages that tell nobody where they come from say 'null'."""
    try:
        return origin not in (None, "null") and urlsplit(origin).netloc != request.host
    except ValueError:  # no address at all
        return True


def host_of(host: str) -> str:
    """The host of a Host header, without its port."""
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdigit() else host.lower()


def host_in_address(address: str) -> str:
    """An IP address as it stands in a web address."""
    return f"[{address}]" if ":" in address else address


def _cookie(kind: str, host: str) -> str:
    """Browsers share cookies among ports: two umpires on one computer must not take each other's."""
    port = host.rpartition(":")[2]
    return f"umpire-{kind}-{port}" if port.isdigit() else f"umpire-{kind}"
