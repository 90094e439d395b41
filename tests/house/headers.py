#!/usr/bin/env python3
"""Every header of src compiles alone: it includes all that it uses itself.

usage: tests/house/headers.py BUILD [HEADER ...]   (a configured build folder; default: all headers)
$CXX is the compiler; without it clang, which reads a precompiled header in a tenth of GCC's time.

Most headers reach Eigen, which takes longer to read than all of Heed. So a precompiled header stands
before them, and of the outside headers only those that every header compiled with it reaches by
itself: it can hide nothing that is missing.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def flags_of_the_window(build):
    """As a file of the window is compiled: without warnings, and without what is precompiled for it."""
    commands = json.loads((build / "compile_commands.json").read_text())
    words = shlex.split(next(c["command"] for c in commands if "heed_ui.dir" in c["command"]))
    flags = []
    for word, following in zip(words, words[1:]):
        if word == "-isystem":
            flags += [word, following]
        elif re.match(r"-(D|I|std=)", word):
            flags.append(word)
    return flags


class Includes:
    """Who includes what, by the lines of Heed's own headers."""

    def __init__(self, folders):
        self.folders = folders

    @lru_cache(maxsize=None)
    def file(self, name):
        return next((f / name for f in self.folders if (f / name).exists()), None)

    @lru_cache(maxsize=None)
    def outside(self, name):
        """The headers outside Heed that a header of Heed reaches."""
        found = set()
        for kind, other in re.findall(r'^#include ([<"])([^>"]+)[>"]', self.file(name).read_text(), re.M):
            found |= self.outside(other) if kind == '"' and self.file(other) else {other}
        return frozenset(found)


def groups_of(headers, includes):
    """The headers in groups, each with the outside headers that stand before them."""
    left = list(headers)
    for heavy in ({"Eigen/Core", "fmt/format.h"}, {"Eigen/Core"}, {"string"}):
        group = [h for h in left if heavy <= includes.outside(h)]
        left = [h for h in left if h not in set(group)]
        if group:
            yield group, sorted(frozenset.intersection(*map(includes.outside, group)))
    if left:
        yield left, []


def main():
    build = Path(sys.argv[1]).resolve()
    compiler = os.environ.get("CXX") or next(
        c for c in ("clang++-19", "clang++", "c++") if shutil.which(c))
    clang = "clang" in subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    flags = flags_of_the_window(build)
    includes = Includes([ROOT / "src", build / "generated"])
    headers = [str(Path(h).resolve().relative_to(ROOT / "src")) for h in sys.argv[2:]] or sorted(
        str(h.relative_to(ROOT / "src")) for h in (ROOT / "src").rglob("*.hpp"))
    failed = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:

        def compile_alone(header, before):
            done = subprocess.run([compiler, *flags, *before, "-fsyntax-only", "-x", "c++", "-"],
                                  input=f'#include "{header}"\n', capture_output=True, text=True)
            if done.returncode:
                failed.append(header)
                print(f"{header} does not compile alone:\n{done.stderr}", file=sys.stderr)

        for number, (group, before) in enumerate(groups_of(headers, includes)):
            first = Path(folder) / f"group{number}.hpp"
            first.write_text("".join(f"#include <{name}>\n" for name in before))
            made = Path(f"{first}.{'pch' if clang else 'gch'}")
            subprocess.run([compiler, *flags, "-x", "c++-header", first, "-o", made], check=True)
            use = ["-include-pch", made] if clang else ["-include", first]
            list(pool.map(lambda header: compile_alone(header, use), group))
    print(f"{len(headers) - len(failed)} of {len(headers)} headers compile alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
