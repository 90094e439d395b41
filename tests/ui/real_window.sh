#!/bin/sh
# The real window under a virtual display: opens it, pastes a sentence, turns the scale off, picks
# a head, exports, and checks the file. Nothing waits for a time: each step waits for what it set
# off, as the window tells it in HEED_STATUS_FILE.
# usage: real_window.sh path/to/heed
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
export HEED_STATUS_FILE="$status" XDG_CONFIG_HOME="$work/config"
mkdir -p "$work/config/heed" "$work/out"
cd "$work/out" || exit 1
start() {
    rm -f "$status"
    xdotool mousemove 3 3 # a pointer that is at a widget already would tell no move to it
    "$heed" "$@" >"$work/log" 2>&1 &
    program=$!
}
start

value() { awk -F '\t' -v key="$1" '$1 == key { print $2; exit }' "$status"; }
up_to_date() { [ -f "$status" ] && [ "$(value revision)" -ge "$(value requested)" ]; }
value_is() { [ "$(value "$1")" = "$2" ]; }
has_widget() { awk -F '\t' -v id="$1" '$1 == "widget" && $2 == id { f = 1 } END { exit !f }' "$status"; }
is_on() { awk -F '\t' -v id="$1" '$1 == "widget" && $2 == id { f = $8 } END { exit !f }' "$status"; }
is_off() { ! is_on "$1"; }
# place id x y: a point of a widget, x and y in hundredths of its size
place() {
    awk -F '\t' -v id="$1" -v x="$2" -v y="$3" '$1 == "widget" && $2 == id {
        printf "%d %d", $4 + $6 * x / 100, $5 + $7 * y / 100; exit }' "$status"
}
frames_since() { [ "$(value frame)" -gt "$1" ]; }
click() { # id [x y]
    until_true "the widget $1" has_widget "$1"
    before=$(value frame)
    # shellcheck disable=SC2046
    xdotool mousemove $(place "$1" "${2:-50}" "${3:-50}")
    until_true "a frame with the pointer over $1" frames_since "$before"
    before=$(value frame)
    xdotool mousedown 1
    until_true "a frame with the button down" frames_since "$before"
    before=$(value frame)
    xdotool mouseup 1
    until_true "a frame with the button up" frames_since "$before"
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

until_true "the first picture" up_to_date

click source 20
until_true "the source field takes the keys" is_on source
key ctrl+a
paste '我们看见 the cat 😀'
until_true "the pasted sentence" value_is source '我们看见 the cat 😀'
until_true "the picture of the pasted sentence" up_to_date
key Escape
until_true "the field is left" is_off source

is_on scale || fail "the scale is on at first"
click scale 95
until_true "the scale is off" is_off scale
until_true "the picture without scale" up_to_date

# Layer 3, head 5, by its place in the grid's picture.
before=$(value focus)
click heads 62 45
until_true "another head" sh -c "[ \"\$(awk -F '\t' '\$1 == \"focus\" { print \$2; exit }' '$status')\" != '$before' ]"
until_true "the picture of that head" up_to_date

key ctrl+e
until_true "the export card" has_widget export/save
click export/format/SVG
until_true "the format" is_on export/format/SVG
click export/save
until_true "the file" sh -c "ls '$work'/out/*.svg"
file=$(ls "$work"/out/*.svg)
until_true "the whole file" grep -q '</svg>' "$file"
grep -q '我们' "$file" || fail "the file holds the sentence's words"
grep -q 'scale off' "$file" && fail "another head's control is told"
key Escape
no_widget() { ! has_widget "$1"; }
until_true "the card is closed" no_widget export/save

# The session as a file: a path the first time, silence the second.
key ctrl+s
until_true "the card that saves" is_on save/path
key ctrl+a
paste "$work/out/mine"
key Return
until_true "the saved session" test -s "$work/out/mine.json"
until_true "the card is closed" no_widget save/save

# A command by its name, typed faster than the card opens.
xdotool key ctrl+shift+p type --delay 1 'view flow'
shows_text() { awk -F '\t' -v id="$1" -v l="$2" '$1 == "widget" && $2 == id && $3 == l { f = 1 } END { exit !f }' "$status"; }
until_true "the command is found" shows_text search/0 'View: Flow'
key Return
until_true "the view that was searched for" is_on view/Flow

kill -0 "$program" 2>/dev/null || fail "the window is still open"
# Told, not judged: what the window takes of one core while nothing happens.
ticks() { cut -d ')' -f 2 "/proc/$program/stat" | awk '{ print $12 + $13 }'; }
sleep 3 # the settings are saved by then
ticks_before=$(ticks)
sleep 5
idle=$(($(ticks) - ticks_before))
frames=$(value frame)
xdotool key ctrl+q
leaving=$program
program=
wait "$leaving" || fail "the window closes and the program ends well"
grep -q '我们看见 the cat' "$work/config/heed/settings.json" || fail "the sentence is remembered"

# What was done is remembered when a signal ends the program, and two seconds later whatever does.
settings=$work/config/heed/settings.json
replace_source() {
    click source 20
    until_true "the source field takes the keys" is_on source
    key ctrl+a
    paste "$1"
    until_true "the pasted sentence" value_is source "$1"
}
for signal in TERM HUP; do
    start
    until_true "the first picture again" up_to_date
    replace_source "left by $signal"
    kill -$signal "$program"
    kill -$signal "$program" 2>/dev/null # as who passes signals on may send it twice
    leaving=$program
    program=
    wait "$leaving" || fail "SIG$signal ends the program well"
    grep -q "left by $signal" "$settings" || fail "the sentence before SIG$signal is remembered"
done
# The session comes back from its file, over what was there.
start "$work/out/mine.json"
until_true "the saved session's sentence" value_is source '我们看见 the cat 😀'
until_true "the picture of the saved session" up_to_date
value_is notice 'Opened mine.json' || fail "the notice says what was opened"
until_true "the view of the saved session" is_on view/Heatmap
replace_source 'left by nothing'
until_true "the settings are written while the window is open" \
    grep -q 'left by nothing' "$settings"
kill -KILL "$program"
wait "$program" 2>/dev/null
program=
echo "the real window: idle $idle of $((5 * $(getconf CLK_TCK))) clock ticks, $frames frames, $(basename "$file") $(wc -c <"$file") bytes"
