# A virtual display with the window on it, for the tests of the real window: to be sourced with the
# program's path as $1. Nothing waits for a time: each step waits for what it set off, as the window
# tells it in HEED_STATUS_FILE.
set -u
# Absolute, for what follows a cd.
heed=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
if [ ! -x "$heed" ]; then
    echo "FAILED: no program at $1"
    exit 1
fi
for tool in Xvfb xdotool xclip; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "skipped: $tool is not installed (xvfb, xdotool and xclip are needed)"
        exit 77
    fi
done

work=$(mktemp -d)
server=
program=
cleanup() {
    [ -n "$program" ] && kill "$program" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
fail() {
    echo "FAILED: $1"
    [ -f "$work/status" ] && sed -n 1,8p "$work/status"
    if [ -s "$work/log" ]; then
        echo "the program said:"
        cat "$work/log"
    fi
    exit 1
}
# The program ended when it should not have.
fail_early() {
    wait "$program"
    code=$?
    program=
    fail "the window ended with code $code before: $1"
}
# until_true what command...: tries until it holds; a minute is for the slowest machine alone.
until_true() {
    what=$1
    shift
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -gt 1200 ] && fail "$what"
        kill -0 "$server" 2>/dev/null || fail "the display server ended before: $what"
        [ -z "$program" ] || kill -0 "$program" 2>/dev/null || fail_early "$what"
        sleep 0.05
    done
}

# One server of its own, on the first free display.
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$work/display" >"$work/xlog" 2>&1 &
server=$!
until_true "the display server starts" test -s "$work/display"
DISPLAY=:$(cat "$work/display")
export DISPLAY

status=$work/status
export HEED_STATUS_FILE="$status" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data"
export HOME="$work/out" # where pictures go that were never written elsewhere
mkdir -p "$work/config/heed" "$work/out"
cd "$work/out" || exit 1
start() {
    rm -f "$status"
    xdotool mousemove 3 3 # a pointer that is at a widget already would tell no move to it
    "$heed" "$@" >"$work/log" 2>&1 &
    program=$!
}
value() { awk -F '\t' -v key="$1" '$1 == key { print $2; exit }' "$status"; }
up_to_date() { [ -f "$status" ] && [ "$(value revision)" -ge "$(value requested)" ]; }
value_is() { [ "$(value "$1")" = "$2" ]; }
# A widget is known by its id; a part of a choice also by what it shows: export/format/SVG.
is='function is(id,  group) {
    if ($1 != "widget") return 0
    group = $2
    return $2 == id || (sub(/\/[0-9]+$/, "/", group) && group $3 == id)
}'
has_widget() { awk -F '\t' -v id="$1" "$is"' is(id) { f = 1 } END { exit !f }' "$status"; }
is_on() { awk -F '\t' -v id="$1" "$is"' is(id) { f = $8 } END { exit !f }' "$status"; }
is_off() { ! is_on "$1"; }
# place id x y: a point of a widget, x and y in hundredths of its size
place() {
    awk -F '\t' -v id="$1" -v x="$2" -v y="$3" "$is"' is(id) {
        printf "%d %d", $4 + $6 * x / 100, $5 + $7 * y / 100; exit }' "$status"
}
frames_since() { [ "$(value frame)" -gt "$1" ]; }
# Each waits for the frame that has seen it: two clicks in one frame would be one.
pointer_is() { [ "$(value pointer)" = "$1" ]; }
point_at() { # id [x y], in hundredths of its size
    until_true "the widget $1" has_widget "$1"
    at=$(place "$1" "${2:-50}" "${3:-50}")
    # shellcheck disable=SC2086
    xdotool mousemove $at
    until_true "a frame with the pointer over $1" pointer_is "$at up"
}
press() {
    xdotool mousedown 1
    until_true "a frame with the button down" pointer_is "$at down"
}
release() {
    xdotool mouseup 1
    until_true "a frame with the button up" pointer_is "$at up"
}
click() { # id [x y]
    point_at "$@"
    press
    release
}
drag() { # id from to: along a widget, in hundredths of its width
    point_at "$1" "$2"
    press
    at=$(place "$1" "$3" 50)
    # shellcheck disable=SC2086
    xdotool mousemove $at
    until_true "a frame of the drag" pointer_is "$at down"
    release
}
key() {
    before=$(value frame)
    xdotool key "$1"
    until_true "a frame after $1" frames_since "$before"
}
paste() {
    printf '%s' "$1" | xclip -selection clipboard -loops 0 >/dev/null 2>&1 &
    until_true "the clipboard holds the text" \
        sh -c "[ \"\$(xclip -selection clipboard -o)\" = '$1' ]"
    key ctrl+v
}
no_widget() { ! has_widget "$1"; }
shows_text() { awk -F '\t' -v id="$1" -v l="$2" '$1 == "widget" && $2 == id && $3 == l { f = 1 } END { exit !f }' "$status"; }
