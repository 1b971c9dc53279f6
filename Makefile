# make help             this list
#
# Programs
# make run              build what is missing and start NestedLists     APP=name PORT=n ARGS="--seed 1000"
# make coredata         the command coredata, in .build/release
# make release          the same for others: a Debian package and an archive, tried in a bare root
#                       TWICE=1 builds again and compares
# make man              its manual pages, in .build/man
# make screenshots      the pictures of the front page anew
#
# Tests
# make test             build with warnings as errors and run all tests   FILTER=regex RANDOM_ORDER=1
# make steady           all tests five times in random order beside busy processes, two of the runs at once
#                       RUNS=5 BUSY=8 SEED=n
# make test-costs       what each suite costs by itself; Tests/costs.tsv is written anew
# make test-predicates  50,000 generated predicates, in memory and in SQL             PREDICATES=n
# make test-graphs      20,000 histories of contexts, children and their children, in memory and on SQLite,
#                       against plain values                        HISTORIES=n SEED=n CONTEXTS=Three or Five
# make test-sync-histories  a share of 20,000 histories of devices that sync, the next one with each commit
#                                                                   HISTORIES=50 SEED=n
# make test-threads     eight threads and sixteen contexts under the thread sanitiser
#                       SECONDS=60 FILTER=suite for other tests, FILTER=. for all without a browser,
#                       BROWSERS=1 for the others
# make test-addresses   every test that needs no browser under the address sanitiser   BROWSERS=1 for the others
# make test-replays     100,000 batches of changes through fetched results controllers of every form
#                                                                   BATCHES=n
# make test-processes   two processes on one store for a minute, 300 kills in the midst of saves, four with
#                       200 contexts on a server                    ROUNDS=300
# make fuzz             formats at random through the parser of predicates, then store files   SECONDS=60 SEED=n
# make fuzz-stores      store files at random, with libFuzzer       SECONDS=120, 0 only builds
# make fuzz-tool        damaged stores and models through the command coredata   FILES=1000 SEED=n
# make attack           all applications under hostile pages, sites and connections, and the sync server under hostile
#                       clients                           SECONDS=60 SEED=n
#
# Figures
# make bench            ours and its peers in one run               FILTER=regex SMOKE=1 RUNS=n
# make results          the same, written to Benchmarks/RESULTS.md
# make growth           what a change in a list, and a row fetched, inserted, merged cost at 1,000 to 4,000,000
#                       rows, drawn to Benchmarks/growth….png
# make clients          clients of Core Data and of SwiftData, built from nothing: how long, and that the former
#                       build no macro                              SECONDS=240
# make measure-heroes   the heroes with ROWS rows (a million), written to Benchmarks/RESULTS.md
#                       SERVER=1 on a PostgreSQL server, in two processes
# make measure-load     200 people on one store for a minute, then with the server killed in the middle, then on
#                       one list, and 500 windows on one list       SECONDS=60 SESSIONS=200 TOGETHER=10 WINDOWS=500
# make measure-frames   how smooth swipes and drags are in Chromium on a slow processor   SLOWED=4 PICTURES=folder
#
# Manual and form
# make docs             the documentation, in .build/documentation
# make articles         compiles and runs the code and the commands of all articles
# make newcomer         the articles on getting started and on porting an application, word for word, in an
#                       empty folder
# make api              what of Apple's API is here, and of SwiftData's is tested, as articles, and the list of
#                       what is public                              CHECK=1 compares
# make floors           which sources use one on a higher floor, and the picture of Core Data's floors; functions without labels
#                                                                   CHECK=1 draws nothing
# make format           format every source
# make lint             say what is not formatted, and which comments, changes and scripts break a rule

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

APP ?= nested-lists
APPLICATIONS := nested-lists goods books heroes employees todomvc
# They quote figures of the results.
QUOTING := README.md Documentation/OpenCoreData.docc/Performance.md

# One setting for all that builds here: its head says which.
BUILD := Scripts/build

LIBRARIES := libsqlite3-dev zlib1g-dev libpq-dev pkg-config
TEST_PACKAGES := $(LIBRARIES) $(if $(CLUSTER_KILLS),patroni python3-etcd etcd-server) postgresql chromium-headless-shell chromium-driver python3 sqlite3 tmux
# What a test run needs, built once where several targets follow each other: BUILT=1 says that it is there.
BUILD_TESTS := $(if $(BUILT),@:,$(BUILD) --tests)
# Suites that start browsers.
WITH_BROWSERS := ^(ApplicationsTests|ListWebTests)\.
SOURCES := Package.swift Sources Tests Examples Plugins Benchmarks/Sources Fuzzing/Package.swift Fuzzing/Sources
# A smoke test measures nothing: unoptimised, above all the parser of Swift that macros stand on, it is built in a third of the time.
BENCHMARKS = $(if $(SMOKE),debug,release)
BUILD_BENCHMARKS = $(BUILD) --benchmarks --configuration $(BENCHMARKS)
RUN_BENCHMARKS = .build/$(BENCHMARKS)/benchmarks

.PHONY: help run coredata man release test steady test-costs test-predicates test-graphs test-sync-histories test-threads test-addresses test-replays test-processes fuzz fuzz-stores fuzz-tool bench results growth docs articles newcomer clients api floors format lint screenshots measure-heroes measure-load measure-frames attack libraries bench-packages test-packages

run: libraries
	$(BUILD) --product $(APP)
	exec .build/debug/$(APP) $(if $(PORT),--port $(PORT)) $(ARGS)

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

coredata: libraries
	OPENCOREDATA_TESTS=none swift build --traits Tool --configuration release --product coredata

release: libraries
	@Scripts/install-packages binutils dpkg-dev python3
	Scripts/make-release .build-release/packages $(if $(TWICE),--twice)

man: libraries
	@Scripts/install-packages python3
	$(BUILD) --product coredata
	Scripts/make-man .build/debug/coredata .build/man

test: test-packages
ifdef FILTER
	$(if $(BUILT),@:,$(BUILD) --tests $$(Scripts/test-targets '$(FILTER)'))
	Scripts/run-tests --filter '$(FILTER)' $(if $(RANDOM_ORDER),--random)
else
	$(BUILD_TESTS)
	Scripts/run-tests $(if $(RANDOM_ORDER),--random)
endif

steady: test-packages
	$(BUILD_TESTS)
	Scripts/run-tests --steady --runs $(or $(RUNS),5) --busy $(or $(BUSY),8) $(if $(SEED),--random $(SEED))

test-costs: test-packages
	$(BUILD_TESTS)
	Scripts/run-tests --costs $(if $(FILTER),--filter '$(FILTER)')

test-predicates: test-packages
	$(BUILD_TESTS)
	GENERATED_PREDICATES=$(or $(PREDICATES),50000) Scripts/run-tests --filter GeneratedPredicateTests

test-graphs: test-packages
	$(BUILD_TESTS)
	GRAPH_HISTORIES=$(or $(HISTORIES),20000) GRAPH_SEED=$(or $(SEED),1) Scripts/run-tests --filter '$(or $(CONTEXTS),(Three|Five))ContextHistoryTests'

test-sync-histories: HISTORIES := $(or $(HISTORIES),50)
test-sync-histories: test-packages
	$(BUILD_TESTS)
	seed=$(or $(SEED),$$(Scripts/share-of-histories $(HISTORIES))) && echo "$(HISTORIES) histories from seed $$seed" && \
	  SYNC_HISTORIES=$(HISTORIES) SYNC_SEED=$$seed Scripts/run-tests --retries 0 --filter '^CoreDataSyncTests\.HistoriesTests'

# The sanitiser builds everything anew, so apart from the other builds. Its backtracer hangs after a
# report. Threads get larger stacks: what it adds to a call makes 400 nested parentheses too much for the usual ones.
# A program that is to crash ends by its signal; programs that end keep what they have: that is no leak.
DEEP := ulimit -s 131072 &&
test-threads test-addresses: export SWIFT_BACKTRACE := enable=no
test-threads: export TSAN_OPTIONS := handle_segv=0
test-threads: export THREADS_SECONDS := $(or $(SECONDS),60)
test-threads: SANITIZED := --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build/threads
test-threads: SUITES := $(or $(FILTER),ManyThreadsTests)
test-threads: SANITIZED_TESTS := .build/threads/debug/OpenCoreDataPackageTests.xctest
test-addresses: SUITES := $(or $(FILTER),.)
test-addresses: SANITIZED_TESTS := .build/addresses/debug/OpenCoreDataPackageTests.xctest
test-addresses: export ASAN_OPTIONS := detect_leaks=0:handle_segv=0
ifndef BROWSERS
test-addresses: export COREDATA_SKIP_BROWSER := 1
endif
test-addresses: SANITIZED := --sanitize=address -Xswiftc -DADDRESS_SANITIZER --scratch-path .build/addresses
test-threads test-addresses: test-packages
	$(BUILD) --tests '' $(SANITIZED)
	$(DEEP) Scripts/run-tests --bundle $(SANITIZED_TESTS) $(if $(BROWSERS),--filter '$(WITH_BROWSERS)',--filter '$(SUITES)' --skip '$(WITH_BROWSERS)')

test-replays: test-packages
	$(BUILD_TESTS)
	GENERATED_BATCHES=$(or $(BATCHES),100000) Scripts/run-tests --filter '(FetchedResults|Table)ReplayTests'

test-processes: test-packages
	$(BUILD_TESTS)
	SHARED_SECONDS=60 CROWD_SECONDS=60 KILL_ROUNDS=$(or $(ROUNDS),300) Scripts/run-tests --filter '^ProcessesTests\.'

fuzz: export FUZZ_SECONDS := $(or $(SECONDS),60)
fuzz: export FUZZ_SEED := $(SEED)
fuzz: test-packages
	$(BUILD_TESTS)
	Scripts/run-tests --filter '^PredicatesTests\.FuzzTests'
	$(MAKE) fuzz-stores SECONDS=$(or $(SECONDS),60)

fuzz-stores: libraries
	Scripts/fuzz-stores $(or $(SECONDS),120)

fuzz-tool: test-packages
	$(BUILD) --product coredata
	Scripts/fuzz-tool .build/debug/coredata Examples/Books/Books.sqlite $(if $(COREDATA_CORPUS),$(COREDATA_CORPUS)/data) \
	  --count $(or $(FILES),1000) $(if $(SEED),--seed $(SEED)) --keep .build/fuzzing

bench results growth: export SWIFT_VERSION := $(shell swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
bench: libraries bench-packages
	$(BUILD_BENCHMARKS)
	FILTER='$(FILTER)' SMOKE='$(SMOKE)' RUNS='$(RUNS)' $(RUN_BENCHMARKS)

results: libraries bench-packages
	$(BUILD_BENCHMARKS)
	FILTER= SMOKE= RUNS='$(RUNS)' RESULTS=Benchmarks/RESULTS.md $(RUN_BENCHMARKS)
	Scripts/refresh-rows $(QUOTING)

growth: libraries bench-packages
	$(BUILD_BENCHMARKS)
	@Scripts/install-packages python3
	FILTER='^frc-change|-growth' SMOKE= RUNS='$(RUNS)' RESULTS= $(RUN_BENCHMARKS) | Benchmarks/Scripts/plot-growth Benchmarks/growth.png

docs: libraries
	Scripts/build-documentation .build/documentation

articles: test-packages
	$(BUILD_TESTS)
	Scripts/check-articles .build/debug

newcomer: test-packages
	$(BUILD) --product coredata
	Scripts/check-articles .build/debug --walk Documentation/OpenCoreData.docc/GettingStarted.md \
	  Documentation/OpenCoreData.docc/PortingAnApp.md Documentation/OpenCoreData.docc/PostgreSQLService.md \
	  Documentation/OpenCoreData.docc/Sync.md

clients: libraries
	Scripts/measure-clients $(or $(SECONDS),240)

api: libraries
	Scripts/extract-symbols .build/symbols --foundation
	Scripts/api-baseline .build/symbols Documentation/API/public.tsv $(if $(CHECK),--check)
	$(if $(COREDATA_CORPUS),Scripts/api-table $(COREDATA_CORPUS)/reference/api.tsv .build/symbols Documentation/API/missing.tsv \
	  Documentation/OpenCoreData.docc/AppleAPI.md $(if $(CHECK),--check),@echo "Skipped: Apple's list is not here (COREDATA_CORPUS)")
ifdef COREDATA_CORPUS
	$(BUILD_TESTS)
	Scripts/used-symbols .build/debug/index/store Tests/SwiftData > .build/symbols/used.txt
	Scripts/api-uses $(COREDATA_CORPUS)/reference/swiftdata-api.tsv .build/symbols .build/symbols/used.txt Documentation/API/swiftdata.tsv \
	  Tests/SwiftData Documentation/OpenCoreData.docc/SwiftDataAPI.md $(if $(CHECK),--check)
endif

floors:
	$(BUILD_TESTS)
	Scripts/check-floors .build/debug/index/store $(if $(CHECK),,--picture Documentation/Images/floors.svg)
	Scripts/check-labels .build/debug/index/store

format:
	swift format format --in-place --recursive --parallel --configuration .swift-format $(SOURCES)

lint:
	swift format lint --strict --recursive --parallel --configuration .swift-format $(SOURCES)
	Scripts/check-extensions
	Scripts/check-comments Sources Examples Plugins
	Scripts/assemble-changes --check
	Scripts/check-page

screenshots: test-packages
	@Scripts/install-packages tmux
	for application in $(APPLICATIONS); do $(BUILD) --product $$application; done
	Scripts/make-screenshots .build/debug Documentation/Images

measure-heroes: test-packages
	$(BUILD) --configuration release --product heroes
	Scripts/measure-heroes .build/release/heroes $(or $(ROWS),1000000) $(if $(SERVER),--server) Benchmarks/RESULTS.md
	Scripts/refresh-rows $(QUOTING)

measure-load: test-packages
	$(BUILD) --configuration release --product nested-lists
	for kill in "" --kill; do Scripts/measure-load .build/release/nested-lists --strict --seed $(or $(SEED),1) \
	  --seconds $(or $(SECONDS),60) --sessions $(or $(SESSIONS),200) --together $(or $(TOGETHER),10) $$kill; done
	Scripts/measure-load .build/release/nested-lists --one-list --strict --seed $(or $(SEED),1) \
	  --seconds $(or $(SECONDS),60) --sessions $(or $(SESSIONS),200)
	Scripts/measure-load .build/release/nested-lists --one-list --edits 50 --strict --seed $(or $(SEED),1) \
	  --seconds $(or $(SECONDS),60) --sessions $(or $(WINDOWS),500)

measure-frames: test-packages
	for application in nested-lists goods books; do $(BUILD) --configuration release --product $$application; done
	Scripts/measure-frames .build/release --slowed $(or $(SLOWED),4) $(if $(PICTURES),--pictures $(PICTURES))

attack: test-packages
	for application in $(APPLICATIONS); do $(BUILD) --configuration release --product $$application; done
	Scripts/attack-server .build/release --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1)
	$(BUILD) --configuration release --product coredata
	Scripts/attack-sync-server .build/release/coredata --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1)

# Peers of the store on a server.
bench-packages:
	@Scripts/install-packages libpq-dev postgresql

libraries:
	@Scripts/install-packages $(LIBRARIES)

test-packages:
	@Scripts/install-packages $(TEST_PACKAGES)
