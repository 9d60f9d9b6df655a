"""The review page in Chromium: photos are sent with progress, ruled on, answered, corrected and taken home."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest

from webui.desk import Desk
from webui.desks import Desks
from webui.evening import Evening
from webui.page import create_app

SIZES = [(390, 844), (820, 1180), (1366, 768)]
START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
TABLES = {"00.jpg": START, "01.jpg": START.replace("b2", "b4"), "02.jpg": START.replace("b2", "b4").replace("f2", "f4")}
GAME = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}


@pytest.fixture
def address(live_of, look_of, address_of, monkeypatch):
    """Where the page is served, over desks for which each file's content is the table that its photo shows."""
    made = []

    def new():
        made.append(Desk(lambda photo, _: look_of(photo.name, photo.path.read_text())))
        return made[-1]

    yield address_of(create_app(Evening(live_of(None)), desks=Desks(new))) + "review/"
    for desk in made:
        desk.close()


@pytest.fixture
def page_at(opened, address):
    """Opens the page at a size."""
    return partial(opened, address)


def send(page):
    photos = [{"name": name, "mimeType": "image/jpeg", "buffer": table.encode()} for name, table in TABLES.items()]
    page.get_by_label("Photos, in any order").set_input_files(photos)
    with page.expect_navigation():  # once all are sent
        page.get_by_role("button", name="Send photos").dblclick()
    page.get_by_role("link", name="02.jpg").wait_for()
    assert page.locator(".steps-list li").count() == len(TABLES)
    game = {"name": "game.json", "mimeType": "application/json", "buffer": json.dumps(GAME).encode()}
    page.get_by_label("Or a zip of them").set_input_files([game])
    with page.expect_navigation():
        page.get_by_role("button", name="Send file").click()
    page.get_by_role("link", name="Report with pictures").wait_for()


def go_to(page, photo):
    page.get_by_role("navigation", name="Photos").get_by_role("link", name="Next").click()
    page.get_by_role("heading", name=photo).wait_for()
    page.wait_for_load_state()  # keys are heard once the page's script is there


def test_photos_are_sent_one_by_one_and_ruled_on(page_at):
    page = page_at()
    requests = []
    page.on("request", lambda each: requests.append(each.url) if each.url.endswith("/add") else None)
    send(page)
    assert len(requests) == len(TABLES) + 1
    go_to(page, "2. 01.jpg")
    page.get_by_text("Ann moves b2-b4.").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="3. 02.jpg").wait_for()
    page.get_by_role("heading", name="Not allowed").wait_for()


def test_a_reading_is_corrected_and_the_photo_judged_anew(page_at):
    page = page_at()
    send(page)
    go_to(page, "2. 01.jpg")
    page.get_by_text("What was read: 3 stacks; correct it").click()
    form = page.locator(".mending > li", has_text="f2").first
    form.get_by_text("Correct", exact=True).click()
    form.get_by_label("It is").select_option("written")
    form.get_by_label("Pyramids, bottom first").fill("medium yellow")
    form.get_by_label("On a stand").select_option("black")
    form.get_by_role("button", name="Correct it").click()
    page.get_by_text("You corrected what was read.").wait_for()
    page.get_by_role("button", name="Take that back").click()
    page.get_by_text("Ann moves b2-b4.").wait_for()


def test_an_answer_is_one_tap_and_the_report_is_taken_home(page_at, tmp_path):
    page = page_at()
    send(page)
    page.get_by_role("link", name="Not allowed").click()
    page.get_by_role("button", name="We play it so").click()
    page.get_by_text("You said:").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Report with pictures").click()
    assert "Ann moves b2-b4." in download.value.path().read_text()


def test_without_scripts_everything_is_there_too(page_at):
    page = page_at(java_script_enabled=False)
    send_plainly = page.get_by_label("Photos, in any order")
    send_plainly.set_input_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": table.encode()} for name, table in TABLES.items()]
    )
    page.get_by_role("button", name="Send photos").click()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Colour").nth(0).select_option("black")
    page.get_by_label("Player 2", exact=True).fill("Bob")
    page.get_by_label("Colour").nth(1).select_option("white")
    page.get_by_role("button", name="Rule on the photos").click()
    page.get_by_role("link", name=re.compile("Allowed")).first.wait_for()
    page.get_by_role("link", name="Ann moves b2-b4").click()
    page.get_by_text("Ann moves b2-b4.").wait_for()
    page.get_by_role("button", name="Clear everything away").click()
    page.get_by_text("No photos yet.").wait_for()


def test_everybody_can_use_it_and_nothing_sticks_out(page_at, accessible):
    page = page_at(390, 844)
    accessible(page)
    send(page)
    go_to(page, "2. 01.jpg")
    page.get_by_text("What was read").click()
    page.get_by_text("Change game or players").click()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page)
