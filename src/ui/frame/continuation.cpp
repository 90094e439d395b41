#include "ui/frame/continuation.hpp"

#include "ui/frame/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace heed::ui {

namespace {

const tokenizers::Tokenizer* tokenizer_of(const Panel& p) {
    const auto& run = p.snapshot().run;
    const models::TextToIds* ids = run ? run->model->text_to_ids() : nullptr;
    return ids ? ids->tokenizers.target.get() : nullptr;
}

/// What is shown is of what is typed.
bool is_fresh(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    return s.run && !s.error && s.document == p.document();
}

/// What a token adds to the text: a space before it is there or not by the token before it.
std::string written_behind(const tokenizers::Tokenizer& tokenizer,
                           const std::vector<text::Token>& read, int id) {
    const auto last = std::find_if(read.rbegin(), read.rend(),
                                   [](const text::Token& token) { return token.row >= 0; });
    const int one[] = {id};
    if (last == read.rend() || tokenizer.is_special(last->row)) return tokenizer.decode(one, true);
    const int before[] = {last->row}, both[] = {last->row, id};
    const std::string from = tokenizer.decode(before, true), to = tokenizer.decode(both, true);
    return to.starts_with(from) ? to.substr(from.size()) : tokenizer.shown(id);
}

num::Index likeliest(const Panel& p) {
    num::Index row = 0;
    p.snapshot().prediction->probabilities.maxCoeff(&row);
    return row;
}

} // namespace

bool can_go_on(const Panel& p) {
    return tokenizer_of(p) && p.snapshot().prediction && traits_now(p).decodes &&
           !traits_now(p).classifies();
}

void go_on_with(Panel& p, num::Index row) {
    const tokenizers::Tokenizer& tokenizer = *tokenizer_of(p);
    const int id = static_cast<int>(row);
    if (tokenizer.is_special(id)) {
        p.state.player.playing = false;
        p.commands.push_back(
            Say{{fmt::format("The text ends here: {}", tokenizer.token(id)), false}});
        return;
    }
    std::string text = p.document().target;
    if (text.empty() && !traits_now(p).encodes) text = p.document().source;
    const std::string more = written_behind(tokenizer, p.snapshot().run->trace.target, id);
    p.change_text({app::UndoTag::Of::target}, "next token", true,
                  [&](app::Document& d) { d.target = text + more; });
}

void toggle_going_on(Panel& p) {
    p.state.player.playing = !p.state.player.playing;
    p.state.player.said = 0;
}

void keep_going_on(Panel& p) {
    constexpr int kMost = 64; // at one press
    Player& player = p.state.player;
    if (!player.playing || !can_go_on(p) || !is_fresh(p)) return;
    player.playing = ++player.said < kMost;
    go_on_with(p, likeliest(p));
}

} // namespace heed::ui
