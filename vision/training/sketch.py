"""Quick sketches of stacks as the reader's crops show them: endless and cheap, only roughly like photos.

They teach the reader the geometry (sizes, levels, tips, lean) and the rough look of the plastics, so that the few
ray-traced photos are left to teach what plastic really looks like. Frame: millimetres at the crop's foot, x right,
y outward (away from the camera's foot), z up; the eye is at (0, -D sin slant, D cos slant).
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.crops import _OFFSETS, LAYERS, SETTINGS
from vision.paper import encoded
from vision.pieces import BASE_MM as BASE
from vision.pieces import HEIGHT_MM as HEIGHT
from vision.pieces import SEQUENCES
from vision.pieces import STEP_MM as RISE
from vision.training.truth import TrueFoot

WALL = 2.6
FINE = 1.25  # sketches are drawn this much larger, then reduced
SRGB = {  # the plastics' tints: body colours under white light, by index in truth.COLOURS
    0: (236, 40, 46),
    1: (252, 236, 70),
    2: (52, 196, 104),
    3: (44, 96, 222),
    4: (84, 208, 238),
    5: (255, 140, 36),
    6: (150, 78, 194),
    7: (14, 14, 15),
    8: (236, 236, 232),
    9: (247, 249, 249),
}
STAND_SRGB = {1: (20, 20, 22), 2: (240, 240, 238), 3: (240, 110, 30), 4: (110, 50, 150)}


def _bgr(srgb: tuple[int, int, int]) -> np.ndarray:
    v = np.array(srgb[::-1]) / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True)
class Solid:
    """A pyramid in space: its tip and its base corners, in order round the base, and its colour."""

    tip: np.ndarray
    base: np.ndarray  # (4, 3)
    colour: int
    size: int


def upright(x: float, y: float, z: float, size: int, turn: float, colour: int) -> Solid:
    r = BASE[size] / math.sqrt(2)
    corners = [
        (
            x + r * math.cos(turn + k * math.pi / 2 + math.pi / 4),
            y + r * math.sin(turn + k * math.pi / 2 + math.pi / 4),
            z,
        )
        for k in range(4)
    ]
    return Solid(np.array([x, y, z + HEIGHT[size]]), np.array(corners), colour, size)


def lying(x: float, y: float, size: int, heading: float, colour: int) -> Solid:
    half, slant = BASE[size] / 2, math.hypot(HEIGHT[size], BASE[size] / 2)
    over = 2 * half * half / slant  # how far the base's upper edge leans over the piece
    up = 2 * half * HEIGHT[size] / slant
    ahead, aside = (
        np.array([math.cos(heading), math.sin(heading), 0]),
        np.array([-math.sin(heading), math.cos(heading), 0]),
    )
    foot = np.array([x, y, 0]) - ahead * slant / 2
    top = foot + ahead * over + np.array([0, 0, up])
    return Solid(
        foot + ahead * slant,
        np.array([foot - aside * half, foot + aside * half, top + aside * half, top - aside * half]),
        colour,
        size,
    )


class Canvas:
    """A crop being painted, in linear reflectance, from a given eye."""

    def __init__(self, rng: np.random.Generator, slant: float, distance: float) -> None:
        self.rng = rng
        width, height = SETTINGS.size_px
        self.shape = (round(height * FINE), round(width * FINE))
        self.picture = np.ones((*self.shape, 3), np.float32)
        self.eye = np.array([0.0, -distance * math.sin(slant), distance * math.cos(slant)])
        self.sight = -self.eye / distance
        self.up = np.cross(np.array([1.0, 0, 0]), self.sight)
        self.distance = distance
        angle, rise = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(25, 80))
        self.light = np.array([math.cos(angle) * math.cos(rise), math.sin(angle) * math.cos(rise), math.sin(rise)])
        self.hardness = rng.uniform(0, 1)
        self.looks: dict[int, dict] = {}

    def pixels(self, points: np.ndarray) -> np.ndarray:
        seen = np.atleast_2d(points) - self.eye
        scale = self.distance / np.maximum(seen @ self.sight, 1.0)
        u, v = seen[:, 0] * scale, (seen @ self.up) * scale
        s = SETTINGS.px_per_mm * FINE
        return np.stack([(u + SETTINGS.left_mm) * s - 0.5, (SETTINGS.above_mm - v) * s - 0.5], axis=1)

    def paint(self, points: np.ndarray, painter, soft_px: float = 0.0) -> None:
        """Blend `painter(picture under it)` into the polygon; only its bounding box is touched."""
        px = self.pixels(points)
        reach = 3 * soft_px + 2
        x0, y0 = np.maximum(np.floor(px.min(axis=0) - reach), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(px.max(axis=0) + reach), self.shape[::-1]).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.float32)
        cv2.fillPoly(mask, [np.round((px - (x0, y0)) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        if soft_px > 0:
            mask = cv2.GaussianBlur(mask, (0, 0), soft_px)
        under = self.picture[y0:y1, x0:x1]
        self.picture[y0:y1, x0:x1] = under + mask[..., None] * (painter(under) - under)

    def line(self, a: np.ndarray, b: np.ndarray, colour: np.ndarray, width_mm: float, alpha: float) -> None:
        px = self.pixels(np.stack([a, b]))
        thick = max(1, round(width_mm * SETTINGS.px_per_mm * FINE))
        x0, y0 = np.maximum(np.floor(px.min(axis=0)) - thick - 2, 0).astype(int)
        x1, y1 = np.minimum(np.ceil(px.max(axis=0)) + thick + 2, self.shape[::-1]).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.float32)
        p, q = np.round((px - (x0, y0)) * 16).astype(int)
        cv2.line(mask, p.tolist(), q.tolist(), alpha, thick, cv2.LINE_AA, 4)
        under = self.picture[y0:y1, x0:x1]
        under += mask[..., None] * (colour.astype(np.float32) - under)

    def look(self, colour: int) -> dict:
        """This plastic tonight: the same for every piece of the colour."""
        if colour not in self.looks:
            rng = self.rng
            tint = np.clip(_bgr(SRGB[colour]) * np.exp(rng.normal(0, 0.12, 3)) + rng.uniform(0, 0.02), 0, 1)
            opacity = rng.uniform(0.35, 0.8) if colour < 7 else (rng.uniform(0.1, 0.35) if colour == 9 else 1.0)
            self.looks[colour] = {
                "tint": tint,
                "opacity": opacity,
                "gloss": rng.uniform(0, 0.25),
                "ambient": rng.uniform(0.35, 0.8),
                "depth": rng.uniform(0.7, 1.6),
            }
        return self.looks[colour]

    def shadow(self, solid: Solid) -> None:
        points = np.concatenate([solid.base, solid.tip[None]])
        ground = points - self.light * (points[:, 2] / self.light[2])[:, None]
        hull = cv2.convexHull(ground[:, :2].astype(np.float32))[:, 0]
        look = self.look(solid.colour)
        dark = self.hardness * self.rng.uniform(0.3, 1)
        clear = look["tint"] ** 0.6 if solid.colour not in (7, 8) else np.full(3, 0.15)
        through = (1 - dark) + dark * clear
        self.paint(
            np.concatenate([hull, np.zeros((len(hull), 1))], 1), lambda under: under * through, self.rng.uniform(1, 14)
        )

    def solid(self, solid: Solid) -> None:
        rng, look = self.rng, self.look(solid.colour)
        centre = (solid.base.mean(axis=0) * 3 + solid.tip) / 4
        faces = [np.stack([solid.base[k], solid.base[(k + 1) % 4], solid.tip]) for k in range(4)]
        faces.append(solid.base)
        seen = []
        for points in faces:
            normal = np.cross(points[1] - points[0], points[2] - points[0])
            normal = normal / np.linalg.norm(normal)
            if normal @ (points[0] - centre) < 0:
                normal = -normal
            if normal @ (self.eye - points[0]) > 0:
                seen.append((points, normal))
        for points, normal in seen:
            self._face(points, normal, look, solid, is_base=len(points) == 4)
        self._edges(solid, [p for p, _ in seen], look)
        if rng.random() < 0.5:
            self._pips(solid, [p for p, _ in seen if len(p) == 3])

    def _face(self, points: np.ndarray, normal: np.ndarray, look: dict, solid: Solid, is_base: bool) -> None:
        rng = self.rng
        lit = look["ambient"] + (1.1 - look["ambient"]) * max(0.0, float(normal @ self.light))
        body = look["tint"] ** look["depth"] * lit * rng.uniform(0.75, 1.15)
        half = normal + self.light
        shine = look["gloss"] * rng.random() ** 2 + (0.35 * rng.random() if (normal @ self.light) > 0.9 else 0.0)
        opaque, tint = look["opacity"], look["tint"] ** rng.uniform(0.6, 1.4)
        if is_base:
            body, opaque = body * rng.uniform(0.4, 1.0), min(1.0, opaque + 0.2)
        del half
        filtered = rng.uniform(0.6, 1.0)
        self.paint(points, lambda under: opaque * body + (1 - opaque) * under * tint * filtered + shine)
        for _ in range(
            rng.integers(0, 3) if look["opacity"] < 1 else 0
        ):  # refraction: brighter and darker facets inside
            mix = rng.dirichlet(np.ones(len(points)), 3)
            gain = math.exp(rng.normal(0, 0.3))
            self.paint(mix @ points, lambda under, gain=gain: under * gain, rng.uniform(0.3, 1.5))

    def _edges(self, solid: Solid, faces: list[np.ndarray], look: dict) -> None:
        rng = self.rng
        gain = math.exp(rng.normal(0.1, 0.35))
        ink = np.clip(look["tint"] ** rng.uniform(0.6, 1.3) * gain + rng.uniform(0, 0.1), 0, 1.3)
        alpha = rng.uniform(0.1, 0.7)
        for points in faces:
            for k in range(len(points)):
                a, b = points[k], points[(k + 1) % len(points)]
                on_base = not (np.allclose(a, solid.tip) or np.allclose(b, solid.tip))
                self.line(
                    a,
                    b,
                    ink,
                    rng.uniform(0.3, 1.0) if not on_base else rng.uniform(0.4, 1.6),
                    alpha * (1.0 if on_base else 0.7),
                )
            if len(points) == 4:  # the open base: the wall round a hollow
                middle = points.mean(axis=0)
                inner = middle + (points - middle) * (1 - 2 * WALL / BASE[solid.size])
                gain_in = rng.uniform(0.3, 0.95)
                self.paint(inner, lambda under, gain=gain_in: under * gain)

    def _pips(self, solid: Solid, faces: list[np.ndarray]) -> None:
        gain = math.exp(self.rng.normal(0, 0.3))
        for points in faces:
            a, b, tip = points
            middle, along = (a + b) / 2, (b - a) / np.linalg.norm(b - a)
            up = (tip - middle) / np.linalg.norm(tip - middle)
            for n in range(solid.size):
                c = middle + up * 3.6 + along * (n - (solid.size - 1) / 2) * 4
                ring = np.stack(
                    [c + 0.95 * (math.cos(t) * along + math.sin(t) * up) for t in np.linspace(0, 2 * math.pi, 9)[:-1]]
                )
                self.paint(ring, lambda under: under * gain)


def stack(
    canvas: Canvas, rng: np.random.Generator, x: float, y: float, turn: float
) -> tuple[list[Solid], TrueFoot, int, float]:
    """A random stack or lying piece at (x, y): its solids, its truth, its stand and the height of its foot."""
    if rng.random() < 0.33:
        size, colour, heading = int(rng.integers(1, 4)), int(rng.integers(10)), rng.uniform(0, 2 * math.pi)
        return (
            [lying(x, y, size, heading, colour)],
            TrueFoot(x, y, (size,), (colour,), True, math.degrees(heading), 0),
            0,
            0.0,
        )
    n = int(rng.choice([1, 2, 3, 4, 5, 6], p=[0.3, 0.24, 0.22, 0.12, 0.08, 0.04]))
    sizes = tuple(sorted((int(s) for s in rng.integers(1, 4, n)), reverse=True))
    first = int(rng.integers(10))
    colours = tuple(first if rng.random() < 0.2 else int(rng.integers(10)) for _ in range(n))
    if rng.random() < 0.15:
        colours = (first,) * n
    stand = int(rng.integers(1, 5)) if rng.random() < 0.35 else 0
    foot = 0.0 if not stand else float(rng.choice([3.3, 0.8]))
    z, solids = foot, []
    for k, (size, colour) in enumerate(zip(sizes, colours, strict=True)):
        if k:
            z += HEIGHT[sizes[k - 1]] + RISE - HEIGHT[size]
        shift = rng.normal(0, 0.3, 2) if k else (0, 0)
        solids.append(upright(x + shift[0], y + shift[1], z, size, turn + (rng.normal(0, 0.04) if k else 0), colour))
    return solids, TrueFoot(x, y, sizes, colours, False, math.degrees(turn), stand), stand, foot


def _stand(
    canvas: Canvas, rng: np.random.Generator, x: float, y: float, colour: int, height: float, turn: float
) -> None:
    count, r = (48, 19.5) if height > 2 else (4, 37 / math.sqrt(2))
    ring = np.array(
        [(x + r * math.cos(turn + t), y + r * math.sin(turn + t)) for t in np.linspace(0, 2 * math.pi, count + 1)[:-1]]
    )
    body = _bgr(STAND_SRGB[colour]) * rng.uniform(0.7, 1.1) + rng.uniform(0, 0.05)
    for z, gain in ((0.0, 0.6), (height, 1.0)):
        self_colour = body * gain
        canvas.paint(
            np.concatenate([ring, np.full((len(ring), 1), z)], 1),
            lambda under, c=self_colour: np.broadcast_to(c.astype(np.float32), under.shape),
        )


def _paper(canvas: Canvas, rng: np.random.Generator) -> np.ndarray:
    """Squares, lines and now and then a marker; returns the printed layer, linear grey."""
    turn, ox, oy = rng.uniform(0, 2 * math.pi), rng.uniform(-21, 21), rng.uniform(-21, 21)
    c, s = math.cos(turn), math.sin(turn)
    place = lambda pts: np.array([(c * (u - ox) - s * (v - oy), s * (u - ox) + c * (v - oy), 0.0) for u, v in pts])  # noqa: E731
    printed = Canvas(rng, 0.1, 500)
    printed.eye, printed.sight, printed.up, printed.distance = canvas.eye, canvas.sight, canvas.up, canvas.distance
    shade, kind = 0.73, rng.random()
    for i in range(-4, 5):
        for j in range(-4, 5):
            cell = place(
                [
                    (42 * i - 21, 42 * j - 21),
                    (42 * i + 21, 42 * j - 21),
                    (42 * i + 21, 42 * j + 21),
                    (42 * i - 21, 42 * j + 21),
                ]
            )
            if kind < 0.6 and (i + j) % 2:
                printed.paint(cell, lambda under: under * shade)
            if rng.random() < 0.04:
                for _ in range(12):
                    u, v = 42 * i + 4 * rng.integers(-2, 3), 42 * j + 4 * rng.integers(-2, 3)
                    printed.paint(
                        place([(u - 2, v - 2), (u + 2, v - 2), (u + 2, v + 2), (u - 2, v + 2)]),
                        lambda under: under * 0.02,
                    )
    if kind > 0.5:
        for offset in (-16, 16):
            printed.line(*place([(-200, offset), (200, offset)]), np.full(3, 0.2), 0.5, 0.9)
    canvas.picture = printed.picture * rng.uniform(0.92, 1.04)
    return printed.picture[..., 0]


def sketch(rng: np.random.Generator) -> tuple[np.ndarray, TrueFoot | None, np.ndarray]:
    """One crop of the reader, shape (LAYERS, height, width) as float16, its truth, and the anchor (0, 0).

    Headings are relative to the outward direction: labels are to be made with ``outward_deg=90``.
    """
    slant = abs(rng.normal(0, 0.3)) if rng.random() < 0.75 else rng.uniform(0.3, 0.95)
    slant = min(slant, 1.0)
    canvas = Canvas(rng, slant, rng.uniform(350, 1100))
    printed = _paper(canvas, rng)
    nothing = rng.random() < 0.25
    x, y = np.clip(rng.normal(0, 2.0, 2), -5, 5)
    others = [
        (r * math.cos(a), r * math.sin(a))
        for r, a in zip(rng.uniform(18 if nothing else 27, 70, 5), rng.uniform(0, 2 * math.pi, 5), strict=True)
    ]
    places = [] if nothing else [(x, y)]
    for place in others[: rng.integers(0, 6)]:
        if all(math.hypot(place[0] - p[0], place[1] - p[1]) > 26 for p in places):
            places.append(place)
    truth, built = None, []
    for k, (px, py) in enumerate(places):
        solids, foot, stand, height = stack(canvas, rng, px, py, rng.uniform(0, 2 * math.pi))
        if not nothing and k == 0:
            truth = foot
        built.append((py, px, solids, stand, height))
    for py, px, _, stand, height in built:
        if stand:
            _stand(canvas, rng, px + rng.normal(0, 0.8), py + rng.normal(0, 0.8), stand, height, rng.uniform(0, 7))
    for *_, solids, _, _ in built:
        for one in solids:
            canvas.shadow(one)
    for *_, solids, _, _ in sorted(built, key=lambda b: -b[0]):
        for one in solids:
            canvas.solid(one)
    return _finished(canvas, rng, slant, printed), truth, np.zeros(2)


def _finished(canvas: Canvas, rng: np.random.Generator, slant: float, printed: np.ndarray) -> np.ndarray:
    width, height = SETTINGS.size_px
    picture = cv2.resize(np.clip(canvas.picture, 0, 1.8), (width, height), interpolation=cv2.INTER_AREA)
    ramp = np.exp(_OFFSETS @ rng.normal(0, 0.002, 2))[..., None]
    picture = cv2.GaussianBlur((picture * ramp).astype(np.float32), (0, 0), rng.uniform(0.3, 1.0)) + rng.uniform(
        0, 0.01
    )
    layers = np.empty((LAYERS, height, width), np.float32)
    layers[:3] = encoded(picture).transpose(2, 0, 1)
    layers[3] = encoded(cv2.resize(printed, (width, height), interpolation=cv2.INTER_AREA))
    layers[4] = 2 * math.sin(slant) - 0.5
    layers[5] = 4 * math.cos(slant) - 3.5
    layers[6:] = (_OFFSETS / 25.0).transpose(2, 0, 1)
    return layers.astype(np.float16)


assert SEQUENCES  # the sketches draw no other stacks than the reader knows
