# The front door: everything else is CMake with the presets of CMakePresets.json.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 30
SOAK_SECONDS ?= 1800
LOAD_SECONDS ?= 600
PORT = 8420

# One test more than processors: some wait for clocks and connections. Those that live in real time (devices, servers,
# browsers) may be late on a busy machine: what fails is run once more, and both outcomes are printed.
CTEST = ctest --parallel $$(($(JOBS) + 1)) --output-on-failure --no-tests=error --repeat until-pass:2

.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: build run python test test-long bench asan tsan baseline clang aarch64 wasm fuzz soak load format tidy install clean help \
        api dist packages page pictures python-aarch64 reference setup setup-run setup-test setup-python setup-browser test-release test-clang test-fuzz test-asan test-tsan

setup-run:
	@sh setup/install.sh run

setup:
	@sh setup/install.sh run build

setup-test:
	@sh setup/install.sh run build test python

setup-python:
	@sh setup/install.sh run build python

setup-browser:
	@sh setup/install.sh browser

# Configures quietly (the log is shown only when it fails) and builds: $(call build,PRESET,FOLDER[,TARGETS])
define build
	@echo "== $(1)"
	@mkdir -p $(2)
	@cmake --preset $(1) >$(2)/configure.log 2>&1 || { cat $(2)/configure.log; exit 1; }
	@grep -e '^-- Fureai ' -e '^--   left out' $(2)/configure.log
	@cmake --build $(2) --parallel $(JOBS) $(if $(3),--target $(3))
endef

build: setup ## release build: build/bin/fureai, build/lib/libfureai.so
	$(call build,release,build)

run: setup-run ## build tool and viewer, and open the demo room at http://127.0.0.1:8420; PORT=N: another port
	$(call build,release,build,product)
	@build/bin/fureai serve demos --first room --port $(PORT)

python: setup-python ## the Python module as a wheel: build/python/wheel/fureai-*.whl
	$(call build,release,build,python)
	@ls build/python/wheel/*.whl

python-aarch64: setup-python ## the Python module for aarch64 as a wheel, tried under qemu: build-aarch64-wheel/python/wheel/fureai-*.whl
	@sh setup/install.sh aarch64
	@sh setup/sysroot.sh arm64 build-aarch64-wheel/sysroot libc6-dev zlib1g-dev libexpat1-dev libsqlite3-dev libwebsockets-dev \
	    libssl-dev libhiredis-dev libcairo2-dev python3-minimal libpython3-stdlib libpython3-dev
	$(call build,aarch64-wheel,build-aarch64-wheel,product)
	@sh python/make_wheel_aarch64.sh /usr/bin/python3 "$(CURDIR)/build-aarch64-wheel" cmake "$(CURDIR)/python"

test: setup-test setup-browser test-release test-clang test-fuzz test-asan test-tsan ## every test but the long ones
	@echo "== all tests passed"

# What lives in real time runs alone; browsers draw by the processor here and want it for themselves.
test-release:
	$(call build,release,build)
	$(CTEST) --test-dir build --label-exclude '^(long|browser|clock)$$'
	$(CTEST) --test-dir build --label-regex '^clock$$' --label-exclude '^long$$' --parallel 1
	$(CTEST) --test-dir build --label-regex '^browser$$' --parallel 2

# What must come out the same by every compiler, and everything but the tests compiled by this one; `make clang` runs the rest.
test-clang:
	$(call build,clang,build-clang,test_determinism_determinism fureai_tool)
	$(CTEST) --test-dir build-clang --tests-regex '^determinism/determinism$$'

# Every fuzzing target, on its corpus and some more, by the second compiler's sanitizers; test-asan does it by the first's.
test-fuzz:
	$(call build,clang-asan,build-clang-asan,tests_fuzz)
	$(CTEST) --test-dir build-clang-asan --label-regex '^fuzz$$'

test-asan:
	$(call build,asan,build-asan,tests_fast)
	$(CTEST) --test-dir build-asan --label-regex '^fast$$' --exclude-regex '^(experiments|house|viewer)/'

test-tsan:
	$(call build,tsan,build-tsan,tests_threads)
	$(CTEST) --test-dir build-tsan --label-regex '^threads$$'

test-long: test clang wasm page ## every test, at its full count; WebAssembly and the page without a server
	$(CTEST) --test-dir build --label-regex '^long$$'

bench: setup-test ## every benchmark and its rivals; results in bench/results/
	@sh setup/install.sh rivals
	$(call build,bench,build-bench)
	@sh bench/run.sh build-bench

asan: setup-test test-asan ## label fast under the address and undefined-behaviour sanitizers

tsan: setup-test test-tsan ## label threads under the thread sanitizer

baseline: setup-test ## label fast without AVX2
	$(call build,baseline,build-baseline)
	$(CTEST) --test-dir build-baseline --label-regex '^fast$$'

clang: setup-test ## label fast, built by clang
	$(call build,clang,build-clang,tests_fast)
	$(CTEST) --test-dir build-clang --label-regex '^fast$$'

aarch64: setup ## core for aarch64 under qemu: the tests that need no test library
	@sh setup/install.sh aarch64
	$(call build,aarch64,build-aarch64)
	$(CTEST) --test-dir build-aarch64 --label-exclude '^long$$'

# The page that is served predicts by it what hands hold; a page that is built later takes it by itself.
define add_module
	@if [ -d build/share/fureai/viewer ]; then cp build-wasm/javascript/fureai.mjs build-wasm/javascript/fureai.wasm build/share/fureai/viewer/; fi
endef

# Core has no test library here: what needs none is run, and the package for JavaScript.
wasm: setup ## core and the package for JavaScript as WebAssembly: build-wasm/javascript; their tests under Node.js
	@sh setup/install.sh wasm
	$(call build,wasm,build-wasm,tests_wasm)
	$(CTEST) --test-dir build-wasm --label-regex '^wasm$$'
	$(add_module)

page: setup-run ## the page without a server, a folder of static files: build/page
	@sh setup/install.sh wasm
	$(call build,release,build,viewer)
	$(call build,wasm,build-wasm,fureai_javascript fureai_server)
	@sh viewer/page.sh . build/viewer/work build/page build-wasm/javascript
	$(add_module)

soak: setup-test ## a served world with ten clients for SOAK_SECONDS (1800): memory and descriptors flat, record replays
	$(call build,release,build,test_server_soak)
	SOAK_SECONDS=$(SOAK_SECONDS) build/test/server/test_soak

load: setup-test ## goals of the server for 200 and 400 watchers, by two processors; memory over LOAD_SECONDS (600): for a quiet machine
	$(call build,bench,build-bench,bench_audience bench_serve)
	LOAD_SECONDS=$(LOAD_SECONDS) LOAD_CSV=build-bench/load.csv sh bench/load.sh build-bench

fuzz: setup-test ## every fuzzing target for FUZZ_SECONDS (30) each
	$(call build,fuzz,build-fuzz)
	@sh fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

reference: ## the API reference from the headers, as pages with a search: build/reference/index.html
	@command -v python3 >/dev/null || { echo "reference: it needs python3: sudo apt-get install python3"; exit 1; }
	@python3 docs/reference/make.py include/fureai build/reference

api: ## docs/api.json from the headers: what is new is added; what changed needs a new version in base.h first
	@docs/reference/api.sh docs/api.json

dist: setup-run ## archive of the source with the page built: build/dist/fureai-VERSION.tar.xz
	$(call build,release,build,viewer)
	@sh setup/dist.sh build

packages: dist ## Debian packages, built and tried in a clean Debian; as root: build/packages/*.deb
	@sh setup/packages.sh build

pictures: build setup-browser ## draw the pictures of the pages again
	@docs/pictures/make.sh build/bin/fureai
	@cmake --build build --target viewer_pictures

format: ## clang-format over all C files
	@sh setup/install.sh format
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

tidy: build ## clang-tidy over the sources of the rooms and the tool
	@sh setup/install.sh format
	@git ls-files 'src/*.c' 'tools/*.c' | xargs -n 8 -P $(JOBS) clang-tidy -p build --quiet

install: setup ## into PREFIX (/usr/local), below DESTDIR
	$(call build,release,build,product)
	DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig || true; fi # so that programs find it

clean: ## remove every build folder
	rm -rf build build-asan build-tsan build-baseline build-bench build-clang build-clang-asan build-aarch64 build-aarch64-wheel build-debug build-wasm build-fuzz

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ printf "make %-10s %s\n", $$1, $$2 }' Makefile
