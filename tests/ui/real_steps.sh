#!/bin/sh
# The real window as it is first started: a trained model is chosen among those that come with the
# program. Then with a recurrent model, as in front of a class: its source is typed, three steps
# are played, the score is changed, a weight is dragged, the decoder goes on from words that are
# given, and the picture of the step is exported.
# usage: real_steps.sh path/to/heed
. "$(dirname "$0")/real_display.sh"

step() { value cell | cut -d ' ' -f 1; }
step_is() { [ "$(step)" = "$1" ]; }
step_is_past() { [ "$(step)" -ge "$1" ]; }
says() { value said | grep -q "^$1"; }
type_into() { # field text
    click "$1" 20
    until_true "the field $1 takes the keys" is_on "$1"
    key ctrl+a
    paste "$2"
    key Escape
    until_true "the field $1 is left" is_off "$1"
}

start
until_true "the first picture" up_to_date
value_is source 'the black cat did not eat the red apple' || fail "a first start shows a trained model"
click model
click 'model/trained/中文 → English, transformer'
until_true "the model that was clicked" value_is source '我昨天吃了一个苹果'
until_true "its words" says ".* ate an apple"
until_true "its picture" up_to_date
click model
click model/kind/Recurrent
until_true "the settings of a recurrent model" is_on model/kind/Recurrent
value_is source '我昨天吃了一个苹果' || fail "a look at another kind leaves the model"
point_at model/make
# While the program is busy: the key does not overtake the click before it.
kill -STOP "$program"
xdotool click 1 key Escape
kill -CONT "$program"
until_true "the card is closed" no_widget model/make
until_true "the recurrent model" has_widget gallery

type_into source 'the cat sat on the mat'
until_true "the source" value_is source 'the cat sat on the mat'
type_into target 'le chat est assis'
until_true "the words that are said" says 'le chat est assis'
until_true "the picture of these words" up_to_date

click view/Step
until_true "the view of a step" is_on view/Step
key Home
while ! step_is 0; do key Up; done
key space
until_true "three steps are played" step_is_past 3
key space
played=$(step)

click gallery 25 50 # the second row's first: dot
until_true "the products of the dot score" has_widget products
until_true "the picture under the dot score" up_to_date

drag weight 10 90
until_true "a weight that was set by hand" has_widget weight/row
until_true "the picture with that weight" up_to_date
step_is "$played" || fail "the step that was played to stays"

type_into target 'le chat'
click decode/greedy
until_true "the decoder goes on" is_on decode/greedy
until_true "the given words come first" says 'le chat '
until_true "the picture of what is said then" up_to_date

key ctrl+e
until_true "the export card" has_widget export/save
click export/format/SVG
until_true "the format" is_on export/format/SVG
click export/save
until_true "the file" sh -c "ls '$work'/out/*.svg"
file=$(ls "$work"/out/*.svg)
until_true "the whole file" grep -q '</svg>' "$file"
grep -q 'αᵢⱼ' "$file" || fail "the file holds the letters of the paper"
grep -q 'Step ' "$file" || fail "the file says which step it is"
key Escape
until_true "the card is closed" no_widget export/save
said=$(value said)
xdotool key ctrl+q
leaving=$program
program=
wait "$leaving" || fail "the window closes and the program ends well"
echo "the real window, step by step: step $((played + 1)), said '$said', $(basename "$file") $(wc -c <"$file") bytes"
