#include "train/tasks/writers.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace heed::train {

namespace {

/// Symbols in the order that `sort` brings them to.
std::vector<std::string> symbols_of(Symbols symbols) {
    std::vector<std::string> all;
    switch (symbols) {
    case Symbols::letters:
        for (char c = 'a'; c <= 'z'; ++c) all.emplace_back(1, c);
        break;
    case Symbols::numbers:
        for (int n = 0; n < 50; ++n) all.push_back(std::to_string(n));
        break;
    case Symbols::shapes:
        all = {"○", "●", "△", "▲", "□", "■", "◇", "◆", "☆", "★",
               "♡", "♥", "♢", "♦", "♤", "♠", "♧", "♣", "☼", "☾"};
        break;
    }
    return all;
}

const std::vector<std::string>& list_of(Symbols symbols) {
    static const std::vector<std::string> lists[] = {
        symbols_of(Symbols::letters), symbols_of(Symbols::numbers), symbols_of(Symbols::shapes)};
    return lists[static_cast<std::size_t>(symbols)];
}

} // namespace

Pair write_symbols(TaskRng& rng, Task task, Symbols symbols, int length) {
    const std::vector<std::string>& list = list_of(symbols);
    std::vector<std::size_t> drawn;
    for (int i = 0; i < length; ++i) drawn.push_back(rng.below(list.size()));

    std::vector<std::size_t> from(drawn.size()); // the source's place of each target word
    std::iota(from.begin(), from.end(), std::size_t{0});
    if (task == Task::reverse) std::reverse(from.begin(), from.end());
    if (task == Task::sort) {
        std::stable_sort(from.begin(), from.end(),
                         [&](std::size_t a, std::size_t b) { return drawn[a] < drawn[b]; });
    }

    Pair pair;
    for (const std::size_t symbol : drawn) pair.source.push_back(list[symbol]);
    for (std::size_t t = 0; t < from.size(); ++t) {
        pair.target.push_back(pair.source[from[t]]);
        // Which of several equal symbols is meant cannot be told once they are sorted.
        const bool only =
            task != Task::sort || std::count(drawn.begin(), drawn.end(), drawn[from[t]]) == 1;
        for (std::size_t s = 0; s < drawn.size(); ++s) {
            if (only ? s != from[t] : drawn[s] != drawn[from[t]]) continue;
            pair.gold.push_back({static_cast<int>(t), static_cast<int>(s), only});
        }
    }
    return pair;
}

Pair write_repeat(TaskRng& rng, Symbols symbols, int length) {
    std::vector<std::string> once;
    const auto n = static_cast<std::size_t>(std::max(2, length - 1));
    while (once.size() < n) {
        std::vector<std::string> round = list_of(symbols);
        rng.shuffle(round);
        round.resize(std::min(round.size(), n - once.size()));
        once.insert(once.end(), round.begin(), round.end());
    }
    Pair pair{once, {once.begin() + 1, once.end()}, {}};
    pair.source.push_back(once.front());
    for (int t = 0; t < static_cast<int>(pair.target.size()); ++t) {
        pair.gold.push_back({t, t + 1, true});
    }
    return pair;
}

} // namespace heed::train
