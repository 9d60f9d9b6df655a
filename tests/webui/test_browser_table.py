"""What a group does at the table, in Chromium: say what is so, take it back, put right what was misread."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from engine.table import Colour, Pyramid, Reading
from webui.evening import Evening
from webui.games.tabletop import Choice
from webui.page import create_app

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")


@pytest.fixture
def refusals():
    return ("409",)  # a correction of what has gone


@pytest.fixture
def table(mids_live, address_of, opened):
    """Opens the page of a game over these tables: (page, live)."""

    def at(*tables, size=(1366, 768), **more):
        live = mids_live(*tables)
        page = opened(address_of(create_app(Evening(live))), *size, **more)
        page.locator(".place").first.wait_for(state="attached")
        return page, live

    return at


@pytest.fixture
def doubtful(look_of):
    """A table whose Mid on b4 is read with doubt: most likely red on top of green."""
    look = look_of("01.jpg", MOVED)
    red, green, small = Pyramid.parse("large red"), Pyramid.parse("large green"), Pyramid.parse("small orange")
    readings = (
        Reading((red, green), None, Colour.BLACK, 0.7),
        Reading((red, small), None, Colour.BLACK, 0.2),
        Reading((red,), None, Colour.BLACK, 0.098),
        Reading((green,), None, None, 0.002),
    )
    stacks = [
        replace(stack, readings=readings) if stack.zone == "b4" else stack for stack in look.observation.scene.stacks
    ]
    look.observation.scene = replace(look.observation.scene, stacks=tuple(stacks))
    return look


def headline(page, words):
    page.get_by_role("heading", name=words, exact=True).wait_for()


def place(page, name):
    return page.locator(f'[data-place="{name}"]')


def test_a_move_is_undone_and_redone_by_button_and_by_key(table):
    page, _ = table(START, MOVED)
    headline(page, "Allowed")
    page.get_by_role("button", name="Undo").click()
    headline(page, "The table is set")
    assert page.locator(".strip li").count() == 1 + 0
    page.get_by_role("button", name="Redo").click()
    headline(page, "Allowed")
    page.keyboard.press("Control+z")
    headline(page, "The table is set")
    page.keyboard.press("Control+Shift+z")
    headline(page, "Allowed")
    assert page.get_by_role("button", name="Redo").is_disabled()


SECOND_TAP = 'one => one.dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true, cancelable: true }))'


def test_the_second_of_two_taps_does_not_answer_what_the_first_brought(table):
    page, live = table(START, MOVED)
    headline(page, "Allowed")
    place(page, "b4").locator(".touch").click()
    nothing = page.get_by_role("button", name="Nothing here")
    nothing.evaluate(SECOND_TAP)
    assert nothing.is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").evaluate(SECOND_TAP)
    page.wait_for_timeout(300)
    assert len(live.moment().events) == 2
    assert not live.moment().current.is_corrected


def test_a_tap_that_waits_or_is_lost_is_answered_in_words(table):
    page, live = table(START, MOVED)
    headline(page, "Allowed")
    looks = threading.Event()
    live._ask(looks.wait)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("The umpire has heard you, and looks at the table first.").wait_for()
    looks.set()
    headline(page, "The table is set")
    page.get_by_text("The umpire has heard you").wait_for(state="hidden")
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')) }")
    page.get_by_role("button", name="Redo").click()
    page.get_by_text("That did not reach the umpire").wait_for()


def test_that_was_not_a_move(table):
    page, live = table(START, MOVED)
    page.get_by_role("button", name="That was not a move").click()
    headline(page, "No move")
    assert live.moment().current.state == live.moment().events[0].state
    assert page.get_by_role("button", name="That was not a move").is_disabled()


def test_a_misread_stack_is_put_right_with_one_tap_and_announced_once(table, doubtful, asked_again, eventually):
    page, _ = table(START, doubtful)
    headline(page, "Allowed")
    page.evaluate(
        """() => { window.announced = []; new MutationObserver(() => announced.push(
             document.getElementById("announce").textContent)).observe(document.getElementById("announce"),
             { childList: true, characterData: true, subtree: true }) }"""
    )
    place(page, "b4").locator(".touch").click()
    dialog = page.get_by_role("dialog", name="Put right what was read here")
    dialog.wait_for()
    words = dialog.locator(".alternative").evaluate_all(
        "all => all.map(each => [...each.querySelectorAll(':scope > span')].map(span => span.textContent))"
    )
    assert [each[0] for each in words] == [
        "Large green on large red, on a black stand",
        "Small orange on large red, on a black stand",
        "Large red, on a black stand",
        "Without the top one: large red",
        "Nothing here",
    ]
    assert [each[1:] for each in words[:3]] == [["probably, 70 % · as it is read"], ["hardly, 20 %"], ["hardly, 10 %"]]
    dialog.get_by_role("button", name="Large red, on a black stand", exact=False).nth(2).click()
    page.locator('[data-place="b4"][aria-label="b4: large red on a black stand"]').wait_for(state="attached")
    assert dialog.is_hidden()
    assert "then Bob attacks b4 from c5" in page.locator(".sentence").inner_text()
    eventually(lambda: page.evaluate("announced.length"))
    asked_again(page)
    assert len(page.evaluate("announced")) == 1


def test_nothing_here_is_said_by_keyboard_alone(table):
    page, _ = table(START, MOVED)
    headline(page, "Allowed")
    place(page, "a8").focus()
    for key in ("ArrowRight", *["ArrowDown"] * 4):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.place") == "b4"
    ring = page.evaluate("getComputedStyle(document.activeElement.querySelector('.touch')).strokeWidth")
    assert float(ring.removesuffix("px")) >= 5
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Put right what was read here")
    dialog.wait_for()
    for _ in range(12):
        if page.evaluate("document.activeElement.textContent.trim()") == "Nothing here":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    dialog.wait_for(state="hidden")
    page.locator('[data-place="b4"][aria-label="b4: empty"]').wait_for(state="attached")
    assert page.evaluate("document.activeElement.dataset.place") == "b4"


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)])
def test_a_piece_is_added_where_none_was_read(table, size):
    page, live = table(START, size=size)
    place(page, "e5").locator(".touch").click()
    dialog = page.get_by_role("dialog", name="Put right what was read here")
    assert "Nothing was read here." in dialog.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    dialog.get_by_role("radio", name="yellow").check(force=True)
    dialog.get_by_role("radio", name="medium").check(force=True)
    dialog.get_by_label("How it lies").select_option("lies, pointing north-west")
    dialog.get_by_role("button", name="Add it").click()
    dialog.wait_for(state="hidden")
    page.locator('[data-place="e5"][aria-label*="medium yellow"]').wait_for(state="attached")
    (added,) = [stack for stack in live.scene.stacks if stack.zone == "e5"]
    assert (str(added.pyramids[0]), added.pose.heading_deg) == ("medium yellow", 135.0)


def test_a_tap_on_the_photo_means_the_piece_that_it_shows(table):
    page, _ = table(START)
    page.locator("#photo polygon.seen-line").first.wait_for()
    box = page.evaluate("document.querySelector('#photo polygon.seen-line').getBoundingClientRect().toJSON()")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    dialog = page.get_by_role("dialog", name="Put right what was read here")
    dialog.get_by_role("heading", name="b2").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


def test_a_correction_of_a_table_that_has_gone_is_refused_in_words(table):
    page, live = table(START, MOVED)
    place(page, "b4").locator(".touch").click()
    dialog = page.get_by_role("dialog", name="Put right what was read here")
    dialog.wait_for()
    live.not_a_move()
    headline(page, "No move")
    dialog.get_by_role("button", name="Nothing here").click()
    page.get_by_text("The table has changed meanwhile. Tap the place again.").wait_for()


def test_an_earlier_moment_is_not_put_right(table):
    page, _ = table(START, MOVED)
    page.get_by_role("button", name="Previous").click()
    headline(page, "The table is set")
    place(page, "b2").locator(".touch").click()
    page.get_by_text("This is an earlier moment of the game.").wait_for()


def test_what_may_be_said_is_a_button(table):
    page, _ = table(START)
    page.get_by_role("group", name="Mid Cards").get_by_role("button", name="Ann plays a Mid Card").click()
    headline(page, "Said")
    assert "Mid Cards: Ann plays a Mid Card." in page.locator(".sentence").inner_text()


def test_two_dice_are_tapped_and_sent_at_once(table, monkeypatch):
    rolls = (Choice("Ann needs 7 or more", {"for": "turn", "player": "Ann"}, "Ann", dice=2, group="Two dice"),)
    monkeypatch.setattr("webui.games.martian_mids.choices", lambda state, player: rolls)
    page, live = table(START)
    declared = []
    monkeypatch.setattr(live, "declare", lambda *said: declared.append(said))
    page.get_by_role("button", name="Ann needs 7 or more").click()
    page.get_by_role("group", name="Die 1").get_by_role("radio", name="3").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Rolled").press("Enter")
    page.get_by_role("button", name="Rolled").wait_for(state="hidden")
    assert declared == [({"for": "turn", "player": "Ann", "roll": [3, 5]}, "Ann", "Ann needs 7 or more: 3 and 5.", 1)]


def test_what_was_opened_before_the_first_answer_came_stays_open(table, monkeypatch, asked_again):
    rolls = (Choice("Ann needs 7 or more", {"for": "turn", "player": "Ann"}, "Ann", dice=2, group="Two dice"),)
    monkeypatch.setattr("webui.games.martian_mids.choices", lambda state, player: rolls)
    (page, _), held, may_go = table(START), [], []
    page.route("**/state", lambda route: route.continue_() if may_go else held.append(route))
    page.reload()
    page.get_by_role("button", name="Ann needs 7 or more").click()
    rolled = page.get_by_role("button", name="Rolled")
    rolled.wait_for()
    may_go.append("now")
    held[-1].continue_()
    asked_again(page)
    page.unroute_all(behavior="ignoreErrors")
    assert rolled.is_visible()


def test_what_is_no_longer_offered_is_refused_in_words(table):
    page, _ = table(START)
    page.evaluate(
        "document.addEventListener('click', tap => { tap.target.closest('[name=choice]').value = 'gone' }, true)"
    )
    page.get_by_role("button", name="Ann plays a Mid Card").click()
    page.get_by_text("That can no longer be said: the game has gone on.").wait_for()


def test_the_photo_is_plain_or_drawn_on_and_larger(table):
    page, _ = table(START)
    drawn = page.locator("#photo .drawn")
    assert drawn.is_visible()
    page.get_by_role("button", name="Draw what was recognised").click()
    assert not drawn.is_visible()
    small = page.locator("#photo").bounding_box()["width"]
    page.get_by_role("button", name="Larger picture").click()
    assert page.locator("#photo").bounding_box()["width"] > 1.3 * small


def test_another_game_is_shown_by_itself(mids_live, silo_live, address_of, opened):
    evening = Evening(mids_live(START))
    page = opened(address_of(create_app(evening)))
    headline(page, "The table is set")
    page.locator('[data-place="a1"]').wait_for(state="attached")
    evening.show(silo_live())
    page.locator('[data-place="silos-2/silo-8"]').wait_for(state="attached")
    assert page.locator("#announce").text_content()


def test_a_cameras_trouble_takes_the_place_of_the_ruling(table):
    page, live = table(START, MOVED)
    headline(page, "Allowed")
    before = page.locator(".verdict").bounding_box()
    live._moment = replace(live.moment(), trouble="The camera gives no picture. Is its cable in?", busy="Waiting …")
    said = page.locator("[role=alert] .placard.trouble")
    said.wait_for()
    assert said.bounding_box() == before
    assert page.locator(".doing").inner_text() == "Waiting …"
    assert "Before: Allowed." in said.inner_text()


def test_a_game_with_a_long_name_does_not_widen_the_page(table):
    page, _ = table(START)
    width = page.evaluate(
        """() => { document.querySelector('.match').textContent = 'Ziggurat Demolition Throwdown, the whole evening';
        document.querySelector('.doing span:last-child').textContent = 'A photo every 6 seconds';
        return document.documentElement.scrollWidth }"""
    )
    assert width == 1366


def test_six_faces_stand_in_one_row_on_a_phone(table, monkeypatch):
    rolls = (Choice("Ann needs 7 or more", {"for": "turn", "player": "Ann"}, "Ann", dice=2, group="Two dice"),)
    monkeypatch.setattr("webui.games.martian_mids.choices", lambda state, player: rolls)
    page, _ = table(START, size=(390, 844))
    page.get_by_role("button", name="Ann needs 7 or more").click()
    page.get_by_role("button", name="Rolled").wait_for()
    tops = page.evaluate("[...document.querySelectorAll('.dice .face')].map(face => face.getBoundingClientRect().top)")
    assert [tops.count(top) for top in dict.fromkeys(tops)] == [6, 6]
