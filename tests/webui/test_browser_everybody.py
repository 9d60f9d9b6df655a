"""The page for everybody, in Chromium: by keyboard, by screen reader, in large type, without a jump, without noise."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.table import Colour, Pose, Pyramid, Scene, Size, Stack
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.games.tabletop import Choice
from webui.live import Live
from webui.look import Look
from webui.page import create_app
from webui.review import Review

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = MOVED.replace("c5", "c8")
SHIFTS = """() => { window.shifted = 0; new PerformanceObserver(seen => { for (const each of seen.getEntries()) {
    if (!each.hadRecentInput) window.shifted += each.value } }).observe({ type: "layout-shift" }) }"""
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
TONES = """window.tones = []; window.AudioContext = class {
    currentTime = 0; destination = {};
    createOscillator() { const tone = { frequency: {}, connect: to => to, start() { tones.push(tone.frequency.value) },
        stop() {} }; return tone }
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: to => to } } }"""


@pytest.fixture
def table(mids_live, address_of, opened):
    """Opens the page of a game that shows its first table, with two more to come: (page, live)."""

    def at(width=1366, height=768, **more):
        live = mids_live(START, MOVED, TOO_FAR, TOO_FAR, to_come=1)
        live.look_at(0)
        return opened(address_of(create_app(Evening(live))), width, height, **more), live

    return at


def headline(page, words):
    page.get_by_role("heading", name=words, exact=True).wait_for()


def painted(page, live, words):
    """Waits until ruling and photo are seen, and whatever they moved is told."""
    headline(page, words)
    page.locator(f'#photo image[href*="{live.moment().current.picture}"]').wait_for(state="attached")
    page.evaluate(FRAMES)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_from_using_the_page(table, accessible, monkeypatch, scheme):
    rolls = (Choice("Ann rolls", {"for": ["Ann"]}, "Ann", dice=1, group="A die"), Choice("Ann passes", {"pass": 1}))
    monkeypatch.setattr("webui.games.martian_mids.choices", lambda state, player: rolls)
    page, live = table(820, 1180, color_scheme=scheme, reduced_motion="reduce")
    headline(page, "The table is set")
    accessible(page)
    live.look_at(2)
    headline(page, "Not allowed")
    accessible(page)
    page.get_by_role("button", name="Rule:").first.click()
    accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Ann rolls").click()
    page.get_by_role("radio", name="4").wait_for()
    accessible(page)
    page.keyboard.press("Escape")
    page.locator('[data-place="f2"] .touch').click()
    page.get_by_role("dialog", name="Put right").wait_for()
    accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="How the page looks and sounds").click()
    page.get_by_role("switch", name="Large type").check()
    accessible(page)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180), (1366, 768)])
def test_nothing_shifts_when_rulings_arrive(table, width, height):
    page, live = table(width, height)
    painted(page, live, "The table is set")
    page.evaluate(SHIFTS)
    for place, words in ((1, "Allowed"), (2, "Not allowed"), (0, "The table is set")):
        live.look_at(place)
        painted(page, live, words)
    assert page.evaluate("shifted") < 0.01
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_shift_is_really_measured(table, eventually):
    page, _ = table()
    headline(page, "The table is set")
    page.evaluate(SHIFTS)
    page.evaluate("document.querySelector('.bar').style.paddingTop = '150px'")
    eventually(lambda: page.evaluate("shifted > 0.02"))


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180), (1366, 768)])
def test_a_race_is_laid_out_at_every_size(address_of, opened, width, height):
    """Its mat is the richest of the four."""
    cars = [{"name": each.capitalize(), "colour": each, "gear": 1, "speed": 3} for each in ("red", "blue", "green")]
    doc = {"game": "pyramid-gran-prix", "players": cars, "pylon": ["Red", "Blue", "Green"], "laps": 5}
    stacks = [
        Stack("track-oval", "track", Pose(250.0, 40.0 + 25 * n, 0.0), (Pyramid(Colour(car["colour"]), Size(n + 1)),))
        for n, car in enumerate(cars)
    ]
    table = SimpleNamespace(layout="track-oval", sheets=(), warnings=())
    seen = SimpleNamespace(scene=Scene.of(stacks), table=table, hand_in_view=False, warnings=())
    live = Live([Path("00.jpg")], lambda: Review(game_file_from_json(doc)), lambda path: Look(path.name, seen))
    live.catch_up()
    page = opened(address_of(create_app(Evening(live))), width, height)
    headline(page, "The table is set")
    assert page.locator(".mat-player").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)])
def test_large_type_is_larger_everywhere_and_stays(table, width, height):
    page, _ = table(width, height)
    headline(page, "The table is set")
    size = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"
    before = [page.evaluate(size, each) for each in (".sentence", ".who", ".answer", ".step .word")]
    page.get_by_role("button", name="How the page looks and sounds").click()
    page.get_by_role("switch", name="Large type").check()
    page.reload()
    headline(page, "The table is set")
    after = [page.evaluate(size, each) for each in (".sentence", ".who", ".answer", ".step .word")]
    assert all(now >= 1.15 * was for was, now in zip(before, after, strict=True))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_tones_come_with_rulings_only_when_they_are_wanted(table, asked_again, eventually):
    page, live = table()
    page.add_init_script(TONES)
    page.reload()
    headline(page, "The table is set")
    live.look_at(1)
    headline(page, "Allowed")
    assert page.evaluate("tones") == []
    page.get_by_role("button", name="How the page looks and sounds").click()
    page.get_by_role("switch", name="A tone with every ruling").check()
    assert page.evaluate("tones.splice(0)") == [523, 784]
    live.look_at(2)
    headline(page, "Not allowed")
    eventually(lambda: page.evaluate("tones.length"))
    assert page.evaluate("tones.splice(0)") == [330, 220]
    asked_again(page)
    assert page.evaluate("tones") == []


def test_whoever_wants_no_motion_gets_none(table):
    page, _ = table(reduced_motion="reduce")
    headline(page, "The table is set")
    moving = "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).animationName !== 'none' ||"
    moving += " parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    assert page.evaluate(moving) == 0


def test_everything_is_reached_by_keyboard_and_shows_it(table):
    page, live = table()
    live.look_at(2)
    headline(page, "Not allowed")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        name, ring = page.evaluate(
            """() => { const e = document.activeElement, look = getComputedStyle(e.querySelector?.('.touch') || e);
            return [e.id || e.dataset?.place || e.textContent.trim().slice(0, 40),
                    parseFloat(look.outlineWidth) || parseFloat(look.strokeWidth) || 0] }"""
        )
        if name in reached and len(reached) > 12:
            break
        reached.add(name)
        assert ring >= 2 or name == "", name
    for wanted in ("Undo", "That was not a move", "marks", "view", "toggle", "a8", "We play it so"):
        assert wanted in reached
