#!/bin/sh
# Makes the README's pictures with the program itself: sh assets/pictures/make.sh
set -eu
cd "$(dirname "$0")/../.."
here=assets/pictures
heed() { ./heed "$@"; }

heed screenshot --size 1600x1000 --theme light -o $here/window-light.png
heed screenshot --size 1600x1000 --theme dark --source "我昨天吃了一个苹果" \
    --target "I ate an apple yesterday" --attention cross --select 1,2 -o $here/window-dark.png
heed export --source "The dog chased the cat" --target "Le chien poursuit le chat" \
    --attention cross --layer 2 --head 3 -o $here/map.svg
heed export --source "The cat sat on the mat because it was tired" --view heads -o $here/heads.svg
