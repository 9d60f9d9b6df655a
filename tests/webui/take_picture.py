"""Takes the README's picture of the page: `python tests/webui/take_picture.py` while `umpire play` runs.

Steps through the bundled game to its eighth photo, and writes webui/pictures/page.png.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[2] / "webui" / "pictures" / "page.png"


def main(url: str = "http://127.0.0.1:8000/", photo: str = "Photo 8 of") -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
        page.goto(url)
        while photo not in page.locator(".count").inner_text():
            page.get_by_role("button", name="Next").click()
            page.wait_for_timeout(1500)
        page.wait_for_timeout(1000)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
