#!/bin/sh
# Makes the README's pictures with the program itself: sh assets/pictures/make.sh
set -eu
cd "$(dirname "$0")/../.."
here=assets/pictures

./heed screenshot --size 1600x1000 --theme light --layer 3 --head 4 -o $here/window-light.png
./heed screenshot --size 1600x1000 --theme dark --source "我 昨天 吃 了 一个 苹果" \
    --target "I ate an apple yesterday" --attention cross --layer 1 --head 1 --select 2,3 \
    -o $here/window-dark.png
./heed export --source "The dog chased the cat" --target "Le chien poursuit le chat" \
    --attention cross --layer 2 --head 3 -o $here/map.svg
