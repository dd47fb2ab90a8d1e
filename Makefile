# The doors to the project; what happens behind them is in meson.build and tools/.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SEEDS ?= 500
NODES ?= 1
ROUNDS ?= 50
JOBS ?= 2
export JOBS

BUILD = tools/build build --prefix=$(PREFIX) -Dtests=disabled
HARDENED = meson test --no-rebuild --suite program -C
DEBUG = tools/build build-debug --buildtype=debug -Db_sanitize=address,undefined -Dtests=enabled

.PHONY: all run test sim crash cluster chaos bench fuzz format goldens messages images browsers install deb debtest image imagetest clean help

all:
	@tools/install-packages run
	@$(BUILD)

run:
	@tools/install-packages run
	@$(BUILD)
	@exec build/parlor serve $(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

test:
	@tools/install-packages test
	@tools/test "$(DEBUG)" "$(BUILD) && $(HARDENED) build" "CC=clang tools/build build-clang -Dtests=enabled && $(HARDENED) build-clang"

sim:
	@tools/install-packages test
	@tools/build build-sim -Dtests=enabled
	@build-sim/tests/sim/sim --nodes $(NODES) $(if $(STRAINED),--strained) $(if $(CUPS),--cups) --fresh $(SEEDS)

crash:
	@tools/install-packages test
	@$(BUILD)
	@python3 tests/wire/crash.py build/parlor --rounds $(ROUNDS)

cluster:
	@tools/install-packages cluster
	@$(BUILD)
	@exec tools/cluster build $(ARGS)

chaos:
	@tools/install-packages cluster
	@$(BUILD)
	@exec python3 tests/chaos/chaos.py build/parlor --rounds $(ROUNDS) $(ARGS)

bench:
	@tools/install-packages run
	@$(BUILD)
	@bench/run $(LINE:%=--line %) $(if $(QUICK),--quick,--write) $(ARGS)

fuzz:
	@tools/install-packages test
	@tools/fuzz $(FUZZ_SECONDS)

format:
	@git ls-files -z '*.c' '*.h' | xargs -0 clang-format -i

goldens:
	@$(DEBUG)
	@build-debug/tests/goldens --rewrite tests/goldens
	@git --no-pager diff --stat -- tests/goldens

messages:
	@$(DEBUG)
	@tools/messages build-debug/parlor
	@git --no-pager diff --stat -- docs/protocols

images:
	@tools/install-packages test
	@$(BUILD)
	@node tests/browser/images.mjs build/parlor docs/images web/cards

browsers:
	@tools/install-packages test
	@$(BUILD)
	@tests/browser/matrix build/parlor $(SUITES)

install:
	@tools/install-packages run
	@$(BUILD)
	@meson install -C build --no-rebuild

deb:
	@tools/install-packages deb
	@tools/deb

debtest:
	@tools/install-packages deb
	@tools/deb
	@python3 tests/package/clean_root.py build-deb

image:
	@tools/install-packages image
	@tools/image $(BASE)

imagetest:
	@tools/install-packages image
	@tools/image $(BASE)
	@python3 tests/package/image.py

clean:
	rm -rf build build-debug build-clang build-deb build-fuzz build-sim web/dist web/node_modules

help:
	@echo "make            build the release into build/"
	@echo "make run        build and start the server; ARGS=\"--help\" shows its options"
	@echo "make test       everything that must hold; the last line counts what passed and failed"
	@echo "make sim        SEEDS=500 runs of the simulation that nobody has seen before, of NODES=1 servers; STRAINED=1: with too little of everything; CUPS=1: of championships"
	@echo "make crash      ROUNDS=50 of kill -9 for the real server under load"
	@echo "make cluster    three nodes on a PostgreSQL with its standby, behind HAProxy, until Ctrl-C; ARGS=--failover adds Patroni"
	@echo "make chaos      ROUNDS=50 of kills, stops, cuts and failovers for such a cluster under load from every protocol"
	@echo "make bench      measure, and write docs/performance.md; LINE=moves is one line of it, QUICK=1 is shorter and only prints"
	@echo "make fuzz       FUZZ_SECONDS=60 of garbage for every parser"
	@echo "make format     lay out the sources"
	@echo "make messages   write schemas and tables of the protocols again from src/wire; review the difference"
	@echo "make goldens    write the results of the golden games again; review the difference"
	@echo "make images     take the pictures of docs/images and web/cards again"
	@echo "make browsers   every suite of the page in Chromium and Firefox, narrow and wide, light and dark; SUITES= some"
	@echo "make install    PREFIX=/usr/local DESTDIR="
	@echo "make deb        Debian packages into build-deb/, checked by lintian"
	@echo "make debtest    install these packages in a clean root and play a game there; needs root"
	@echo "make image      an image that runs as nobody, by buildah; BASE=IMAGE to begin with, otherwise one is made of Debian's archive"
	@echo "make imagetest  build that image and play a game in it, as nobody on a read-only root; needs root"
	@echo "make clean      remove what was built"
