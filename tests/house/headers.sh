#!/bin/sh
# Every header of src compiles alone. A matter of minutes, so no part of the tests: run it where
# headers were changed.
# usage: tests/house/headers.sh BUILD [HEADER …]   (a configured build folder; default: all headers)
set -u
cd "$(dirname "$0")/../.."
build=${1:?a configured build folder}
shift
[ $# -gt 0 ] || set -- $(find src -name '*.hpp' | sort)
# As a file of the window is compiled, without what is precompiled for it.
flags=$(sed -n 's/.*"command": "\(.*\)",/\1/p' "$build/compile_commands.json" |
    grep -m 1 'heed_ui.dir' | tr ' ' '\n' | tr -d '\\"' |
    awk '/^-isystem$/ { getline d; print "-isystem", d } /^-(D|I|std=)/')
failed=0
for header in "$@"; do
    # shellcheck disable=SC2086
    printf '#include "%s"\n' "$header" | ${CXX:-c++} $flags -I. -fsyntax-only -x c++ - || failed=1
done
exit $failed
