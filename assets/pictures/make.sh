#!/bin/sh
# Draws the window with the program itself.
#   sh assets/pictures/make.sh             the README's pictures
#   sh assets/pictures/make.sh all FOLDER  every room and tab, light and dark, in several scripts, at
#                                          three sizes and two scales, with a page to look at them
#   sh assets/pictures/make.sh learn FOLDER
#                                          the Learn room: every page whole and as it opens, in light
#                                          and dark, with an English and a Chinese model; its measured
#                                          pictures; and the eight cards
# HEED names the program (default ./heed), MODEL the size of the model (default base).
set -eu
cd "$(dirname "$0")/../.."
here=assets/pictures
heed=${HEED:-./heed}

readme() {
    "$heed" screenshot --window 1600x1000 --theme light -o $here/window-light.png
    "$heed" screenshot --window 1600x1000 --theme dark --model zh-en-transformer --select 2,3 \
        -o $here/window-dark.png
    "$heed" screenshot --window 1600x1000 --theme dark --model zh-en-bahdanau --select 2,3 \
        -o $here/window-seq2seq.png
    "$heed" screenshot --window 1600x1000 --theme dark --model zh-en-bahdanau --view step \
        --select 2,3 -o $here/window-step.png
    "$heed" screenshot --window 1600x1000 --theme dark --room train --train-steps 1000 \
        -o $here/window-train.png
    "$heed" screenshot --window 1600x1000 --theme dark --room inside --model repeat \
        -o $here/window-inside.png
    "$heed" screenshot --window 1600x1000 --theme light --room learn --page sqrt-dk \
        -o $here/window-learn.png
    "$heed" export -o $here/map.svg
}

source_of() {
    case $1 in
    english) echo "the young teacher did not read the old book" ;;
    chinese) echo "我昨天吃了一个苹果" ;;
    arabic) echo "ذهب الولد إلى المدرسة صباحا ثم عاد إلى البيت" ;;
    emoji) echo "👩‍👩‍👧‍👦 like 🍎 and 🏳️‍🌈 👍🏽 très beaucoup" ;;
    esac
}

target_of() {
    case $1 in
    arabic) echo "שלום לכולם ולילדים" ;;
    emoji) echo "🎉🍏 наша семья любит яблоки 👨‍👩‍👧" ;;
    esac
}

draw() { # folder name size scale theme text view
    transformer="--size ${MODEL:-base}" recurrent="--model seq2seq"
    case $6 in # what was trained on it says its own target
    english) transformer="--model en-fr-transformer" recurrent="--model en-fr-bahdanau" ;;
    chinese) transformer="--model zh-en-transformer" recurrent="--model zh-en-bahdanau" ;;
    esac
    target=$(target_of "$6")
    case $7 in
    positions | softmax | inside) what="$transformer --room $7" ;;
    train) what="--room train --train-steps ${STEPS:-200}" ;;
    presenting) what="$transformer --presenting" ;;
    card-*) what="$transformer --card ${7#card-}" ;;
    learn-*) what="$transformer --room learn --page ${7#learn-}" ;;
    step | unrolled) what="$recurrent --view $7" ;;
    beam) what="$recurrent --beam 4 --view beam" ;;
    flow) what="$transformer --attention encoder --view $7" ;;
    *) what="$transformer --view $7" ;;
    esac
    # shellcheck disable=SC2086
    "$heed" screenshot --window "$3" --scale "$4" --theme "$5" \
        --source "$(source_of "$6")" ${target:+--target "$target"} $what -o "$1/$2.png" || {
        echo "$2: no picture" >&2
        failed=1
    }
    echo "<figure><a href=\"$2.png\"><img loading=\"lazy\" src=\"$2.png\"></a>" \
        "<figcaption>$2</figcaption></figure>" >>"$1/index.html"
}

all() {
    folder=$1
    failed=0
    # The names of all pages of the Learn room.
    pages=$("$heed" learn | sed -n 's/^  \([a-z0-9-]*\) .*/learn-\1/p')
    mkdir -p "$folder"
    cat >"$folder/index.html" <<'PAGE'
<!doctype html><meta charset="utf-8"><title>Heed, every room</title>
<style>body{display:flex;flex-wrap:wrap;gap:12px;font:12px sans-serif}
figure{margin:0}img{width:420px;border:1px solid #999}</style>
PAGE
    for text in ${TEXTS:-english chinese arabic emoji}; do
        for view in ${VIEWS:-heatmap lines heads neurons flow stages step unrolled beam \
            positions softmax inside train presenting card-models card-export card-keys card-search} $([ -n "${VIEWS:-}" ] || echo $pages); do
            for theme in ${THEMES:-light dark}; do
                for size in ${SIZES:-1280x800@1 1600x1000@1 1280x720@2}; do # the last: 2560x1440
                    draw "$folder" "$text-$view-$theme-$size" "${size%@*}" "${size#*@}" \
                        "$theme" "$text" "$view"
                done
            done
        done
    done
    echo "$folder/index.html"
    return $failed
}

shot() { # folder name, then flags
    into=$1 name=$2
    shift 2
    "$heed" screenshot "$@" -o "$into/$name.png" || {
        echo "$name: no picture" >&2
        failed=1
    }
}

learn() {
    folder=$1
    failed=0
    mkdir -p "$folder"
    for page in ${PAGES:-$("$heed" learn | sed -n 's/^  \([a-z0-9-]*\) .*/\1/p')}; do
        room="--room learn --page $page"
        # shellcheck disable=SC2086
        {
            shot "$folder" "$page-opens" --window 1280x800 --theme light $room
            shot "$folder" "$page-whole" --window 1600x2400 --theme dark \
                --model zh-en-transformer $room
            shot "$folder" "$page-narrow" --window 1100x2800 --theme light \
                --model en-fr-bahdanau $room
            shot "$folder" "$page-large" --window 1280x720 --scale 2 --theme dark $room
            shot "$folder" "$page-wide" --window 2560x1440 --theme light $room
        }
        [ -n "${UNMEASURED:-}" ] || "$heed" learn "$page" -o "$folder/$page-measured.png" \
            >"$folder/$page.txt" || failed=1
    done
    for card in ${CARDS:-$("$heed" lesson | sed -n 's/^\([0-9][a-z0-9-]*\) .*/\1/p')}; do
        shot "$folder" "card-$card-light" --window 1280x800 --theme light --lesson "$card"
        shot "$folder" "card-$card-dark" --window 1600x1000 --theme dark \
            --model zh-en-transformer --lesson "$card"
        shot "$folder" "card-$card-recurrent" --window 1280x800 --theme light \
            --model en-fr-bahdanau --lesson "$card"
    done
    return $failed
}

case ${1:-readme} in
readme) readme ;;
learn) learn "${2:?a folder to draw into}" ;;
all) all "${2:?a folder to draw into}" ;;
*)
    echo "usage: make.sh [all FOLDER | learn FOLDER]" >&2
    exit 2
    ;;
esac
