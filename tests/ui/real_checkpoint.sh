#!/bin/sh
# The real window with a checkpoint of others: its folder is opened, a sentence typed, a head faded,
# a text gone on with, the picture exported; a broken folder is refused by name, and the model that
# was open stays. Where something here drops files: what is typed behind a drop is its sentence.
# usage: real_checkpoint.sh path/to/heed folder/of/a/gpt2 path/to/drop_file
checkpoint=$(cd "$2" && pwd)
dropper=$3
. "$(dirname "$0")/real_display.sh"

says() { value said | grep -q "$1"; }
notice_has() { value notice | grep -q "$1"; }
type_into() { # field text
    click "$1" 20
    until_true "the field $1 takes the keys" is_on "$1"
    key ctrl+a
    paste "$2"
    key Escape
    until_true "the field $1 is left" is_off "$1"
}
open_folder() {
    key ctrl+o
    until_true "the card of files" has_widget open/path
    until_true "the path takes the keys" is_on open/path
    key ctrl+a
    paste "$1"
    key Return
}

# A folder as others share it: words "the", "cat", "sat", w3 to w59 and an end.
make_folder() {
    mkdir -p "$1"
    cp "$checkpoint/config.json" "$checkpoint/model.safetensors" "$1"
    awk 'BEGIN {
        printf "{\"version\": \"1.0\", \"added_tokens\": [{\"id\": 60, \"content\": \"<end>\", "
        printf "\"single_word\": false, \"lstrip\": false, \"rstrip\": false, "
        printf "\"normalized\": false, \"special\": true}], \"pre_tokenizer\": "
        printf "{\"type\": \"Whitespace\"}, \"model\": {\"type\": \"WordLevel\", \"vocab\": "
        printf "{\"the\": 0, \"cat\": 1, \"sat\": 2"
        for (i = 3; i < 60; i++) printf ", \"w%d\": %d", i, i
        printf ", \"<end>\": 60}, \"unk_token\": \"w59\"}}"
    }' >"$1/tokenizer.json"
}
make_folder "$work/tiny-gpt"
make_folder "$work/broken"
head -c 5000 "$checkpoint/model.safetensors" >"$work/broken/model.safetensors"

start
until_true "the first picture" up_to_date
open_folder "$work/tiny-gpt"
until_true "the folder is open" notice_has 'Opened tiny-gpt'
until_true "its picture" up_to_date

type_into target 'the cat sat w5'
until_true "the text" says '^the cat sat w5 $'
until_true "its picture" up_to_date
key Escape
key m # out of the sum of its layer
until_true "a head that is faded" has_widget changes/clear
until_true "the picture without it" up_to_date

key Escape
key space
until_true "the text goes on" says '^the cat sat w5 .'
key space
until_true "the picture of it" up_to_date

key ctrl+e
until_true "the export card" has_widget export/save
click export/format/SVG
until_true "the format" is_on export/format/SVG
click export/save
written() { file=$(find "$work" -name '*.svg' | head -n 1) && [ -n "$file" ]; }
until_true "the file" written
until_true "the whole file" grep -q '</svg>' "$file"
key Escape
until_true "the card is closed" no_widget export/save

said=$(value said)
open_folder "$work/broken"
until_true "what is wrong with it" notice_has 'model.safetensors'
key Escape
until_true "the card is closed" no_widget open/path
value_is said "$said" || fail "the model that was open stays, with its text"
has_widget changes/clear || fail "its controls stay"

if [ -x "$dropper" ]; then
    set -- $(xdotool getdisplaygeometry)
    xdotool mousemove $(($1 / 2)) $(($2 / 2))
    "$dropper" "$work/tiny-gpt" || fail "the window takes the folder"
    xdotool type --delay 20 'cat w7 sat' # while it is opened
    until_true "what was typed behind the drop" says '^cat w7 sat'
    key Escape
    said=$(value said)
    "$dropper" "$work/broken" || fail "the window takes the broken folder"
    until_true "what is wrong with what was dropped" notice_has 'model.safetensors'
    until_true "the model that was open, again" up_to_date
    value_is said "$said" || fail "the model that was open stays behind a broken drop"
fi
xdotool key ctrl+q
leaving=$program
program=
wait "$leaving" || fail "the window closes and the program ends well"
echo "the real window, a checkpoint: '$said', $(basename "$file") $(wc -c <"$file") bytes"
