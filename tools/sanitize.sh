#!/usr/bin/env bash
# All kernels compiled with the address and undefined-behaviour sanitizers, and their tests run on them.
# Whatever the sanitizers report is a failure. Arguments go to pytest; without any, the tests of all kernels run, with --part
# those that go through memory most: views, allocation failures, trees that move, kernels of all worlds.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
out=$PWD/build/sanitize
PAIDIA_SANITIZE=address,undefined PAIDIA_OPT=0 "$python" setup.py -q build --build-lib "$out/lib" --build-temp "$out/temp" 2>&1 |
    grep -v '^warning: ' || true
test -n "$(find "$out/lib" -name '*.so' -print -quit)" || { echo "the sanitized kernels were not built" >&2; exit 2; }
rm -rf "$out/found" && mkdir -p "$out/found"

# The interpreter itself is not sanitized: the libraries have to be there before it starts. libstdc++ is there for
# gringo, which throws exceptions. Python's own allocator would hide what happens inside its arenas.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $(gcc -print-file-name=libstdc++.so.6)"
export LD_PRELOAD
export PYTHONPATH=$out/lib PYTHONMALLOC=malloc PAIDIA_SANITIZED=1
export ASAN_OPTIONS=detect_leaks=0:log_path=$out/found/address:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:log_path=$out/found/undefined

status=0
# Players in processes of their own have a limit of address space, which a sanitizer needs more of than there is.
if [ $# -eq 0 ]; then
    set -- tests/core tests/control tests/search tests/games tests/match tests/players --ignore=tests/players/test_isolated.py
elif [ "$1" = --part ]; then
    set -- tests/core tests/control/test_controllers.py tests/search/test_memory.py tests/search/test_reuse.py \
        tests/search/test_sequences.py tests/games/gdl/test_interpreter.py tests/games/vgdl/test_state.py \
        tests/games/boards/test_connect4.py
fi
"$python" -m pytest -p no:cacheprovider -m "not slow" -n "${JOBS:-2}" "$@" || status=$?
found=$(find "$out/found" -type f -size +0)
if [ -n "$found" ]; then
    cat $found >&2
    echo "the sanitizers found something: see above, or $out/found" >&2
    exit 1
fi
exit "$status"
