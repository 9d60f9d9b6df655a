# Each target sets up what it needs: a virtual environment in .venv, made again when pyproject.toml changes.
#   make play [PORT=8000]   the page, with the bundled game      make test   all tests
#   make bench              speed and memory                      make lint   ruff and mypy
#   make torture            kills, attacks, fuzzing, long evenings: twenty minutes

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SYSTEM_LIBRARIES := libgl1 libglib2.0-0

.PHONY: play test bench torture lint clean
.DELETE_ON_ERROR:

play: $(VENV)/.for-play
	$(BIN)/umpire play --port $(PORT)

test: $(VENV)/.for-test
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

bench: $(VENV)/.for-play
	$(BIN)/python tests/benchmarks/seconds_a_photo.py
	$(BIN)/python tests/benchmarks/page_speed.py

torture: $(VENV)/.for-torture
	$(BIN)/python tests/torture/all.py

lint: $(VENV)/.for-lint
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV)

$(VENV)/.for-play: $(BIN)/python
	$(PIP) install -e .
	@$(MAKE) --no-print-directory opencv-loads
	@touch $@

$(VENV)/.for-test: $(BIN)/python
	$(PIP) install -e '.[test]'
	@$(MAKE) --no-print-directory opencv-loads
	@touch $@

$(VENV)/.for-torture: $(VENV)/.for-test
	$(PIP) install -e '.[test,torture]'
	@touch $@

$(VENV)/.for-lint: $(BIN)/python
	$(PIP) install -e '.[test,dev]'
	@touch $@

# Debian ships venv without its pip; the system's pip can then bring one. 'virtualenv' is the last resort.
$(BIN)/python: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Say which one to use: make PYTHON=python3.12 ..."; exit 1; }
	@rm -rf $(VENV)
	@echo "Setting up $(VENV) (once; a minute or so) ..."
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || \
	  { rm -rf $(VENV); $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; } || \
	  { rm -rf $(VENV); $(PYTHON) -m pip install --quiet --user virtualenv && $(PYTHON) -m virtualenv --quiet $(VENV); } || \
	  { echo "No virtual environment could be made. On Debian or Ubuntu, run: apt-get install python3-venv"; exit 1; }
	@touch $@

.PHONY: opencv-loads
opencv-loads:
	@$(BIN)/python -c 'import cv2' 2>/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(SYSTEM_LIBRARIES) >/dev/null; } || true
	@$(BIN)/python -c 'import cv2' 2>/dev/null || \
	  { $(BIN)/python -c 'import cv2' 2>&1 | tail -n 1; echo "OpenCV needs system libraries. Run: sudo apt-get install $(SYSTEM_LIBRARIES)"; exit 1; }
