#!/bin/sh
# The real window with files that are damaged or no files, and a disk that cannot be written: it says
# so, goes on, ends when it is asked to, and tells the terminal what was not saved.
# usage: real_faults.sh path/to/heed
. "$(dirname "$0")/real_display.sh"

settings=$work/config/heed/settings.json
notice_has() { value notice | grep -q "$1"; }
# ends_with code: within some seconds of SIGTERM, without being asked twice
ends_with() {
    kill -TERM "$program"
    leaving=$program
    program=
    (sleep 30 && kill -KILL "$leaving") 2>/dev/null &
    late=$!
    wait "$leaving"
    code=$?
    kill "$late" 2>/dev/null
    [ $code = "$1" ] || fail "SIGTERM ends the program with code $1, not $code"
}

# A damaged session is refused with a reason, which stays.
for session in '{"document": {' '{"document": {}, "focus": {"layer": -1}}'; do
    echo '{}' >"$settings"
    printf '%s' "$session" >"$work/damaged.json"
    start "$work/damaged.json"
    until_true "the picture of the former state" up_to_date
    until_true "the reason" notice_has 'damaged.json: '
    before=$(value frame)
    xdotool mousemove 300 300
    until_true "frames after the first run" frames_since "$before"
    notice_has 'damaged.json: ' || fail "the reason stays"
    ends_with 0
done

# A model that is a pipe, or a device without an end, is named, and the window ends.
mkfifo "$work/pipe.safetensors"
for model in "$work/pipe.safetensors" /dev/zero; do
    printf '{"session": {"document": {"model_file": "%s"}}}' "$model" >"$settings"
    start
    until_true "an answer" up_to_date
    ends_with 0
done

# What a training run learned and the settings cannot be saved: both are told, and the code is 1.
echo '{}' >"$settings"
rm -rf "$work/data"
: >"$work/data" # where a folder should be
start
until_true "the first picture" up_to_date
click room/train
until_true "the experiment" sh -c "grep -q '^experiment.*paused' '$status'"
key period
until_true "a step" sh -c "grep -q '^experiment.*paused 1\$' '$status'"
# The settings may be written just now.
until rm -rf "$work/config" && : >"$work/config"; do :; done 2>/dev/null
ends_with 1
grep -q 'training run: at step 1, not saved: ' "$work/log" || fail "the training run is named"
grep -q 'config/heed' "$work/log" || fail "the settings are named"
echo "the real window, with faults: $(tr '\n' ' ' <"$work/log")"
