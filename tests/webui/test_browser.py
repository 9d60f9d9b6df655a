"""The page in Chromium: it follows the game by itself, obeys the keyboard, and nothing jumps."""

from __future__ import annotations

import pytest

from engine.rules import Unclear
from webui.evening import Evening
from webui.page import create_app

SIZES = [(390, 844), (820, 1180), (1366, 768)]


@pytest.fixture
def served(live_of, rulings, address_of):
    """A game of four photos whose thread runs, paused after its start: (url, live)."""
    live = live_of(None, rulings.allowed, rulings.forbidden, rulings.doubtful)
    live.catch_up()
    live.pause()
    address = address_of(create_app(Evening(live)))
    live.start()
    yield address, live
    live.stop()


@pytest.fixture
def refusals():
    return ("503",)  # where an umpire that is lost is played


@pytest.fixture
def page_at(served, opened):
    """Opens the page at a size."""

    def at(width=1366, height=768, **more):
        page = opened(served[0], width, height, **more)
        page.get_by_role("heading", name="The table is set").wait_for()
        return page

    return at


def headline(page, words):
    page.get_by_role("heading", name=words, exact=True).wait_for()


def test_the_page_follows_the_game(page_at):
    page = page_at()
    page.get_by_role("button", name="Next").click()
    headline(page, "Allowed")
    page.get_by_role("button", name="Next").click()
    headline(page, "Not allowed")
    assert page.title() == "Not allowed · Pyramid Umpire"
    page.locator("#announce", has_text="one pyramid moves at most <one> square").wait_for(state="attached")
    assert page.locator("#announce").get_attribute("aria-live") == "polite"


def test_a_rule_opens_and_closes_by_keyboard(page_at, rulings):
    page = page_at()
    for words in ("Allowed", "Not allowed"):
        page.get_by_role("button", name="Next").focus()
        page.keyboard.press("Enter")
        headline(page, words)
    page.get_by_role("button", name="Rule: move distance").focus()
    page.keyboard.press("Enter")
    page.get_by_text(rulings.far.text).wait_for()
    page.keyboard.press("Escape")
    page.get_by_text(rulings.far.text).wait_for(state="hidden")


def test_an_answer_is_one_tap(page_at, served):
    page, (_, live) = page_at(), served
    for words in ("Allowed", "Not allowed"):
        page.get_by_role("button", name="Next").click()
        headline(page, words)
    page.get_by_role("button", name="We play it so").click()
    headline(page, "Played so")
    assert live.reviews[-1].answers == ["agreed"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_jumps_and_nothing_sticks_out(page_at, width, height):
    page = page_at(width, height)
    places = "[...document.querySelectorAll('header, main > *')].map(e => JSON.stringify(e.getBoundingClientRect()))"
    page.evaluate("scrollTo(0, 0)")
    before = page.evaluate(places)
    for words in ("Allowed", "Not allowed", "I cannot tell"):
        page.get_by_role("button", name="Next").click()
        headline(page, words)
        assert page.evaluate(places) == before
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_words_are_legible_from_a_metre(page_at, width, height):
    """4 mm of letter height are read from a metre: some 20 px of type on a tablet at 96 px an inch."""
    page = page_at(width, height)
    sizes = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert page.locator(".placard h1").evaluate(sizes) >= (32 if width < 700 else 48)
    assert page.locator(".sentence").evaluate(sizes) >= (18 if width < 700 else 22)
    assert page.locator(".who").evaluate(sizes) >= 22


def test_dark_and_light_are_the_devices_until_chosen(page_at):
    page = page_at(color_scheme="dark")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="How the page looks and sounds").click()
    assert page.get_by_role("switch", name="Dark").is_checked()
    page.get_by_role("switch", name="Dark").uncheck()
    light = page.evaluate(ground)
    assert light != dark
    page.reload()
    assert page.evaluate(ground) == light


def test_a_lost_umpire_is_said_and_found_again(page_at):
    page = page_at()
    page.route("**/state", lambda route: route.fulfill(status=503))
    page.locator("#lost").wait_for()
    page.unroute("**/state")
    page.locator("#lost").wait_for(state="hidden")


def test_an_answer_that_comes_late_brings_nothing_older(page_at, served, asked_again):
    """The picture of one ruling, and what the page asked before it, come when the next ruling is shown already."""
    page, (_, live), held = page_at(), served, []

    def is_late(address):
        return len(live.moment().events) > 1 and live.moment().events[1].picture in address

    page.route("**/pictures/*", lambda route: held.append(route) if is_late(route.request.url) else route.continue_())
    page.get_by_role("button", name="Next").click()
    headline(page, "Allowed")
    page.get_by_role("button", name="Next").click()
    headline(page, "Not allowed")
    newer = page.locator(f'#photo img[src*="{live.moment().events[2].picture}"]')
    newer.wait_for(state="attached")
    (picture,) = held
    with page.expect_response(picture.request.url):
        picture.continue_()
    asked_again(page)
    assert newer.count() == 1
    assert "one pyramid moves at most" in page.locator("#announce").text_content()


def test_an_answer_that_never_comes_is_said(page_at):
    """As on a tablet whose network went while it asked."""
    page = page_at()
    page.route("**/state", lambda route: None)
    page.locator("#lost").wait_for()


@pytest.mark.parametrize("width", [1024, 1366, 1920])
def test_the_board_of_two_batteries_is_no_larger_than_they_are(silo_live, address_of, opened, width):
    page = opened(address_of(create_app(Evening(silo_live()))), width, 768)
    height = "document.querySelector('{}').getBoundingClientRect().height".format
    batteries_px = page.evaluate(
        "[...document.querySelectorAll('#board svg')].reduce((sum, one) => sum + one.getBoundingClientRect().width, 0)"
    )
    assert page.evaluate(height("#board")) < 232 / 860 * batteries_px + 30
    assert page.locator("#photo").bounding_box()["height"] > 300
    assert page.locator(".who").is_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("length", [85, 106])
def test_the_answer_to_a_doubt_of_some_lines_is_not_cut_off(
    live_of, rulings, address_of, opened, width, height, length
):
    reason = "Red and Blue lie elsewhere, and I find no move for that. " * 2
    live = live_of(None, Unclear(reason[:length], rulings.doubtful.lines))
    live.catch_up()
    live.clock.now_s += 7
    live.catch_up()
    page = opened(address_of(create_app(Evening(live))), width, height)
    page.locator(".deeds .answer").first.wait_for()
    found = "[...document.querySelectorAll('.placard, .deeds .answer')]"
    placard, *buttons = page.evaluate(
        found + ".map(one => one.getBoundingClientRect().bottom)"
    )  # the page may renew them
    assert buttons
    assert max(buttons) < placard - 4
