#!/bin/sh
# The real window under a virtual display: opens it, pastes a sentence, turns the scale off, picks
# a head, exports, and checks the file.
# usage: real_window.sh path/to/heed
. "$(dirname "$0")/real_display.sh"

# Settings of an earlier start: a first one would show the trained model that comes with Heed.
echo '{}' >"$work/config/heed/settings.json"
start
until_true "the first picture" up_to_date

click source 20
until_true "the source field takes the keys" is_on source
key ctrl+a
paste '我们看见 the cat 😀'
until_true "the pasted sentence" value_is source '我们看见 the cat 😀'
until_true "the picture of the pasted sentence" up_to_date
key Escape
until_true "the field is left" is_off source

# Letters that wait for a frame come before the click behind them, and none becomes a command.
click source 20
until_true "the source field takes the keys again" is_on source
key ctrl+a
xdotool type --delay 1 'the small dog sees the black cat'
click view/Lines
until_true "the typed sentence" value_is source 'the small dog sees the black cat'
until_true "the view that was clicked" is_on view/Lines
is_on scale || fail "no letter was a command"
click view/Heatmap
click source 20
until_true "the source field takes the keys once more" is_on source
key ctrl+a
xdotool type --delay 1 'the old cat sees a blue bird'
key Escape
until_true "the field is left at once" is_off source
until_true "every letter before Escape" value_is source 'the old cat sees a blue bird'
click source 20
until_true "the source field takes the keys after it" is_on source
key ctrl+a
paste '我们看见 the cat 😀'
until_true "the pasted sentence again" value_is source '我们看见 the cat 😀'
key Escape
until_true "the field is left once more" is_off source
until_true "the picture once more" up_to_date

has_widget cue/heads || fail "the first start tells where to click"
is_on scale || fail "the scale is on at first"
click scale 95
until_true "the scale is off" is_off scale
until_true "the picture without scale" up_to_date

# Layer 3, head 5, by its place in the grid's picture.
before=$(value focus)
click heads 62 45
until_true "another head" sh -c "[ \"\$(awk -F '\t' '\$1 == \"focus\" { print \$2; exit }' '$status')\" != '$before' ]"
until_true "the picture of that head" up_to_date

no_widget cue/source || fail "the cue at the field goes when a sentence is typed"
no_widget cue/heads || fail "the cue at the heads goes when one is chosen"
key F11
until_true "the stage alone" no_widget source
key Escape
until_true "everything around the stage" has_widget source
until_true "the picture as it was" up_to_date

key ctrl+e
until_true "the export card" has_widget export/save
until_true "the picture before it is written" has_widget export/preview
click export/format/SVG
until_true "the format" is_on export/format/SVG
click export/save
until_true "the file" sh -c "ls '$work'/out/*.svg"
file=$(ls "$work"/out/*.svg)
until_true "the whole file" grep -q '</svg>' "$file"
grep -q '我们' "$file" || fail "the file holds the sentence's words"
grep -q 'scale off in another head' "$file" || fail "another head's control is told as its own"
key Escape
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
