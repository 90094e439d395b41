#include "app/engine/continuation.hpp"

#include <algorithm>

namespace heed::app {

bool can_go_on(const Snapshot& snapshot) {
    if (!snapshot.run || !snapshot.prediction) return false;
    const models::Model& model = *snapshot.run->model;
    const models::TextToIds* ids = model.text_to_ids();
    return ids && ids->tokenizers.target && model.traits().decodes && !model.traits().classifies();
}

std::optional<std::string> written_behind(const models::Run& run, num::Index token) {
    const tokenizers::Tokenizer& tokenizer = *run.model->text_to_ids()->tokenizers.target;
    const int id = static_cast<int>(token);
    if (tokenizer.is_special(id)) return std::nullopt;
    const auto& read = run.trace.target;
    const auto last =
        std::find_if(read.rbegin(), read.rend(), [](const text::Token& t) { return t.row >= 0; });
    const int one[] = {id};
    if (last == read.rend() || tokenizer.is_special(last->row)) return tokenizer.decode(one, true);
    // A space before it is there or not by the token before it.
    const int before[] = {last->row}, both[] = {last->row, id};
    const std::string from = tokenizer.decode(before, true), to = tokenizer.decode(both, true);
    return to.starts_with(from) ? to.substr(from.size()) : tokenizer.shown(id);
}

} // namespace heed::app
