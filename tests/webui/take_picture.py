"""Takes the README's picture of the page: `python tests/webui/take_picture.py` while `umpire play` runs.

Steps through the bundled game to its eighth photo, and writes webui/pictures/page.webp.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[2] / "webui" / "pictures" / "page.webp"


def main(url: str = "http://127.0.0.1:8000/", photo: str = "Photo 8 of") -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
        page.goto(url)
        while photo not in page.locator(".count").inner_text():
            page.get_by_role("button", name="Next").click()
            page.wait_for_timeout(1500)
        page.wait_for_timeout(1000)
        taken = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        cv2.imwrite(str(PICTURE), taken, [cv2.IMWRITE_WEBP_QUALITY, 82])
        browser.close()


if __name__ == "__main__":
    main()
