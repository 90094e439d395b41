#!/bin/sh
# The real window under a virtual display: every card and every page of the Learn room is opened,
# the first thing on each page is turned, and its pictures are others then.
# usage: real_learn.sh path/to/heed
. "$(dirname "$0")/real_display.sh"

echo '{}' >"$work/config/heed/settings.json"
start
until_true "the first picture" up_to_date

rests() { value_is learning resting; }
pictures_since() { [ "$(value pictures)" -gt "$1" ]; }
opens_room() {
    click room/learn
    until_true "the Learn room" has_widget learn/lesson/0
    until_true "its page rests" rests
}

# The cards, from the list.
for lesson in 0 1 2 3 4 5 6 7; do
    opens_room
    click "learn/lesson/$lesson"
    until_true "card $lesson" has_widget lesson/close
    until_true "its state" sh -c "grep -q \"^lesson	$lesson \" '$status'"
done
click lesson/back
until_true "the card before" sh -c "grep -q '^lesson	6 ' '$status'"
click lesson/close
until_true "no card" no_widget lesson/close

# One of them, done.
opens_room
click learn/lesson/3
until_true "the card about the scale" has_widget lesson/skip
until_true "the scale is on" is_on scale
click scale 95
until_true "it is seen" value_is lesson '3 seen'

# The pages, by their key. The first widget of an experiment that is no label is turned: a slider is
# dragged, a switch and a choice are clicked by it, a field is typed into.
first_widget() {
    awk -F '\t' '$1 == "widget" && $2 ~ /^learn\/set\// && $2 !~ /label|heading\/|\/reset$|\/number\// {
        print $2; exit }' "$status"
}
opens_room
# Through the cards to the first page.
for card in 1 2 3 4 5 6 7 8 9 10; do
    has_widget learn/set/seed/more && break
    key Right
    sleep 0.3
done
until_true "the first page" has_widget learn/set/seed/more
turned=0
pages=$("$heed" learn | grep -c '^  [a-z]')
while :; do
    page=$(value page)
    until_true "pictures of $page" has_widget learn/picture/1
    until_true "$page rests" rests
    shown=$(value pictures)
    widget=$(first_widget)
    case $widget in
    */0)
        is_on "$widget" && widget=${widget%/0}/1
        click "$widget"
        ;;
    *)
        drag "$widget" 50 85
        sleep 0.3
        pictures_since "$shown" || xdotool type 'low'
        ;;
    esac
    until_true "the pictures of $page follow $widget" pictures_since "$shown"
    turned=$((turned + 1))
    key Escape
    [ "$turned" -eq "$pages" ] && break
    key Right
    until_true "the page after $page" sh -c "! grep -q '^page	$page\$' '$status'"
done
[ "$turned" -ge 2 ] || fail "there are pages to turn"

kill -0 "$program" 2>/dev/null || fail "the window is still open"
until_true "the last page rests" rests
ticks() { cut -d ')' -f 2 "/proc/$program/stat" | awk '{ print $12 + $13 }'; }
sleep 1
ticks_before=$(ticks)
sleep 3
idle=$(($(ticks) - ticks_before))
xdotool key ctrl+q
leaving=$program
program=
wait "$leaving" || fail "the window closes and the program ends well"
echo "the real window, learning: $turned pages, idle $idle of $((3 * $(getconf CLK_TCK))) clock ticks"
