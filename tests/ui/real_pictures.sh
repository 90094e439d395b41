#!/bin/sh
# The real window with a model of pictures: a ViT and a picture are dropped on it, a patch is chosen
# and the map over the picture exported; then attention from a file, and broken ones, which change
# nothing.
# usage: real_pictures.sh path/to/heed path/to/drop_file path/to/tests
. "$(dirname "$0")/real_display.sh"

dropper=$2
tests=$3
if [ ! -x "$dropper" ]; then
    echo "skipped: nothing here drops files (libx11-dev is needed when it is built)"
    exit 77
fi
cp "$tests/files/pictures/rgb.png" "$work/cat.png"
printf 'PK' >"$work/broken.npz"
printf '0-0 1-1 1-2\n0-1 1-0\n' >"$work/links.align"

notice_has() { value notice | grep -q "$1"; }
patch() { value cell | cut -d ' ' -f 1; }
patch_is_past() { [ "$(patch)" -gt "$1" ]; }
drop() { # file: on the picture in the middle, as a file manager does
    # shellcheck disable=SC2046
    xdotool mousemove $(place picture 50 50)
    "$dropper" "$1" || fail "the window takes $1"
}

start
until_true "the first picture" up_to_date
until_true "the stage" has_widget picture
drop "$tests/models/checkpoints/vit"
until_true "the ViT is opened" notice_has 'Opened vit'
until_true "the view of its picture" is_on view/Picture
until_true "a way to give it one" has_widget picture/open

drop "$work/cat.png"
until_true "the picture is opened" notice_has 'Opened cat.png'
until_true "its map" up_to_date
click picture 20 30 # a patch
until_true "a patch is chosen" patch_is_past 0
above=$(patch)
key Down
until_true "the patch below it" patch_is_past "$above"
cell=$(value cell)

printf '\211PNG\r\n\032\n broken' >"$work/broken.png"
drop "$work/broken.png"
until_true "what is wrong with it" notice_has 'broken.png was not opened: '
[ "$(value cell)" = "$cell" ] || fail "the chosen patch stays"

key ctrl+e
until_true "the export card" has_widget export/save
click export/format/SVG
until_true "the format" is_on export/format/SVG
click export/save
until_true "the file" sh -c "ls '$work'/out/*.svg"
file=$(ls "$work"/out/*.svg)
until_true "the whole file" grep -q '</svg>' "$file"
[ "$(grep -c '<image' "$file")" = 2 ] || fail "the file has the picture and what covers it"
grep -q 'cat.png' "$file" || fail "the file says which picture it is"
key Escape
until_true "the card is closed" no_widget export/save

drop "$work/links.align"
until_true "the alignments are opened" notice_has 'Opened links'
until_true "their sentences" has_widget sentence/next
click sentence/next
until_true "the second sentence" shows_text sentence 'sentence 2 of 2'
drop "$work/broken.npz"
until_true "what is wrong with the archive" notice_has 'broken.npz.*: '
until_true "the sentence before it" shows_text sentence 'sentence 2 of 2'

xdotool key ctrl+q
leaving=$program
program=
wait "$leaving" || fail "the window closes and the program ends well"
echo "the real window, with pictures: cell $cell, $(basename "$file") $(wc -c <"$file") bytes"
