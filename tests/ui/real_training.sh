#!/bin/sh
# The real window teaches a model to turn sequences round: its map becomes the anti-diagonal, by the
# numbers that the window exports. Then it is closed while it learns, killed, and goes on.
# usage: real_training.sh path/to/heed
. "$(dirname "$0")/real_display.sh"

echo '{}' >"$work/config/heed/settings.json"
learned() { [ "$(value experiment | cut -d ' ' -f 2)" -ge "$1" ] 2>/dev/null; }
experiment_is() { [ "$(value experiment | cut -d ' ' -f 1)" = "$1" ]; }

start
until_true "the first picture" up_to_date
click room/train
click train/task/reverse
until_true "the experiment" experiment_is paused
# A transformer, short sequences and two thirds of the steps: some seconds.
click train/learns/'transformer 2+2'
click train/learns/'additive attention'
click train/learns/'last state'
for _ in 1 2 3; do click train/length/less; done
click train/steps/less
# Until the sentences are there, it can be asked for in vain.
tries=0
until experiment_is learning; do
    tries=$((tries + 1))
    [ $tries -gt 60 ] && fail "the experiment learns"
    key space
    sleep 1
done
until_true "the experiment is done" experiment_is finished

click film/play
until_true "the film plays" shows_text film/play 'Pause the film'
click film/play
until_true "the film rests" shows_text film/play 'Play the film'
drag film/scrubber 80 20 # back to when it knew little
click film/now

key ctrl+e
until_true "the export card" has_widget export/save
click export/format/CSV
until_true "the numbers of the curves" is_on export/format/CSV
click export/save
until_true "the curves" sh -c "ls '$work'/out/*.csv"
click export/format/NPY
until_true "the numbers of the map" is_on export/format/NPY
click export/save
until_true "the alignment" sh -c "ls '$work'/out/*.npy"
file=$(ls "$work"/out/*.npy)
key Escape
until_true "the card is closed" no_widget export/save

# One .npy of little-endian floats, target words and the end × source words: the numbers behind its
# header, whose length stands in bytes 8 and 9.
header=$(od -An -tu2 -j8 -N2 "$file" | tr -d ' ')
columns=$(tail -c +11 "$file" | head -c "$header" | LC_ALL=C sed -n "s/.*(\([0-9]*\), *\([0-9]*\)).*/\2/p")
od -An -v -tf4 -w4 -j $((10 + header)) "$file" | awk -v n="$columns" '
    { at[NR - 1] = $1 }
    END {
        for (row = 0; row < n; ++row) {
            best = 0
            for (col = 1; col < n; ++col) if (at[row * n + col] > at[row * n + best]) best = col
            if (best == n - 1 - row) ++right
            weight += at[row * n + n - 1 - row]
        }
        printf "%d of %d rows on the anti-diagonal, with %.2f of their weight\n", right, n, weight / n
        exit !(n > 2 && right >= 0.75 * n && weight / n > 0.5)
    }' >"$work/verdict" || fail "the map is the anti-diagonal: $(cat "$work/verdict")"

# Closing asks; what is saved is offered again, also after a kill.
click train/again
until_true "the experiment learns again" experiment_is learning
until_true "there is something to lose" learned 1
xdotool key ctrl+q
until_true "closing asks" has_widget leave/save
key Escape
until_true "the card is closed" no_widget leave/save
experiment_is learning || fail "the experiment learns on"
xdotool key ctrl+q
until_true "closing asks again" has_widget leave/save
before=$(value experiment | cut -d ' ' -f 2)
leaving=$program
click_place=$(place leave/save 50 50)
program=
# shellcheck disable=SC2086
xdotool mousemove $click_place sleep 0.3 click 1
wait "$leaving" || fail "the window saves, closes and ends well"

start
click room/train
until_true "what was saved is offered" has_widget go-on/go-on
click go-on/go-on
# Until it is read, another one rests there.
until_true "the experiment of last time, no step of it lost" learned "$before"
until_true "it waits" experiment_is paused
click train/play
until_true "it goes on" learned $((before + 1))
kill -KILL "$program"
wait "$program" 2>/dev/null
program=
start
click room/train
until_true "after a kill it is offered as well" has_widget go-on/forget
click go-on/forget # asks
click go-on/forget
until_true "it is let go" no_widget go-on/forget
# The run that was started over had ended before: that one was kept, and comes back.
[ "$(find "$work/data/heed" -name experiment.json | wc -l)" = 1 ] || fail "one run is left"
click train/task/reverse
until_true "the run that was started over comes back" experiment_is finished
echo "the real window, training: $(cat "$work/verdict")"
