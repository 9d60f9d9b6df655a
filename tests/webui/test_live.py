"""What is shown when: the page's orders, the clock, and the one that looks."""

from __future__ import annotations


def shown(live):
    live.catch_up()
    return live.moment()


def pass_time(live, seconds):
    live.clock.now_s += seconds
    return shown(live)


def test_the_first_photo_shows_at_once_and_the_rest_by_the_clock(live_of, rulings):
    live = live_of(None, rulings.allowed, rulings.forbidden)
    assert shown(live).cursor == 0
    assert pass_time(live, 5.9).cursor == 0
    assert pass_time(live, 0.2).cursor == 1
    assert pass_time(live, 60).cursor == 2
    assert shown(live).is_over
    assert pass_time(live, 60).cursor == 2


def test_before_the_first_photo_there_is_a_moment_too(live_of):
    moment = live_of(None).moment()
    assert moment.current is None
    assert moment.photos == ("00.jpg",)


def test_going_back_stays_there_until_it_is_resumed(live_of, rulings):
    live = live_of(None, rulings.allowed)
    shown(live)
    pass_time(live, 7)
    live.back()
    assert (shown(live).cursor, shown(live).paused) == (0, True)
    assert pass_time(live, 60).cursor == 0
    live.resume()
    assert pass_time(live, 7).cursor == 1


def test_next_does_not_wait_even_when_paused(live_of, rulings):
    live = live_of(None, rulings.allowed)
    shown(live)
    live.pause()
    live.forward()
    assert (shown(live).cursor, shown(live).paused) == (1, True)
    live.forward()
    assert shown(live).cursor == 1


def test_back_from_the_first_changes_nothing(live_of):
    live = live_of(None)
    shown(live)
    live.back()
    live.look_at(7)
    assert (shown(live).cursor, shown(live).paused) == (0, False)


def test_the_pace_counts_from_when_it_is_set(live_of, rulings):
    live = live_of(None, rulings.allowed)
    shown(live)
    live.set_pace(30.0)
    assert pass_time(live, 29).cursor == 0
    assert pass_time(live, 2).cursor == 1


def test_start_again_begins_a_new_review_without_looking_again(live_of, rulings):
    live = live_of(None, rulings.allowed)
    shown(live)
    pass_time(live, 7)
    live.restart()
    assert (shown(live).cursor, len(shown(live).events)) == (0, 1)
    assert len(live.reviews) == 2


def test_an_answer_becomes_an_event_of_the_same_photo(live_of, rulings):
    live = live_of(None, rulings.allowed, rulings.forbidden)
    shown(live)
    pass_time(live, 7)
    pass_time(live, 7)
    live.agree()
    moment = shown(live)
    assert len(moment.events) == 4
    assert moment.photos_judged == 3
    assert moment.current.is_agreed
    assert moment.current.picture == moment.events[2].picture


def test_what_was_tapped_twice_or_on_an_older_page_does_not_count(live_of, rulings):
    live = live_of(None, rulings.allowed, rulings.forbidden)
    shown(live)
    pass_time(live, 7)
    pass_time(live, 7)
    live.agree(at=3)
    live.agree(at=3)
    moment = shown(live)
    assert len(moment.events) == 4
    assert moment.refused.startswith("The game had gone on when that was tapped")
    live.agree(at=2)
    assert len(shown(live).events) == 4


def test_pictures_are_kept_by_content(live_of, rulings):
    live = live_of(None, rulings.allowed)
    moment = shown(live)
    assert live.pictures.get(moment.current.picture).startswith(b"\xff\xd8")
    assert live.pictures.get("nothing") is None


def test_a_photo_on_which_the_program_fails_is_an_event_too(live_of, rulings):
    live = live_of(None, rulings.allowed)
    live._eyes = lambda path: 1 / 0
    assert "ZeroDivisionError" in shown(live).current.error


def test_the_thread_goes_on_after_a_fault(live_of, eventually, own_log):
    live = live_of(None)
    live._review.see = None  # a fault in the program
    live.start()
    eventually(lambda: live.moment().paused)
    assert "stumbled" in live.moment().busy
    assert live._thread.is_alive()
    live.stop()
    eventually(lambda: not live._thread.is_alive())


def test_new_photos_of_a_watched_folder_are_taken_in_once_they_are_whole(live_of, rulings, tmp_path):
    live = live_of(None, rulings.allowed)
    live._photos = live._photos[:1]
    there = [tmp_path / "01.jpg"]
    live._watched = lambda: [*live._photos[:1], *there]
    there[0].write_bytes(b"half")
    assert shown(live).photos == ("00.jpg",)
    there[0].write_bytes(b"all of it")
    assert pass_time(live, 1.1).photos == ("00.jpg",)
    assert pass_time(live, 1.1).photos == ("00.jpg", "01.jpg")
    assert pass_time(live, 7).cursor == 1
    assert pass_time(live, 60).photos == ("00.jpg", "01.jpg")
