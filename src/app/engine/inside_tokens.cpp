#include "app/engine/inside_tokens.hpp"

#include "app/engine/measures.hpp"
#include "app/engine/merging.hpp"

#include <algorithm>

namespace heed::app {

namespace {

constexpr int kMostNodes = 32, kLeastNodes = 8; // of the integral
constexpr int kTokensOfNodes = 4096;            // that all of its passes read, about
constexpr std::size_t kQuickOnes = 3;           // accounts, before the row and the integral

bool account_due(const Snapshot& s, std::size_t most) {
    const InsidePicture& now = *s.inside;
    return !now.accounts_error && now.accounts.tried < most;
}

std::size_t wanted_accounts(const Snapshot& s) {
    return tokens_shown(s) ? inside::kTokenMethods.size() : 1;
}

bool row_due(const Snapshot& s) {
    return tokens_shown(s) && asked_row(s) && !other_row_of(s);
}

bool measure_account(InsidePicture& now, const Snapshot& s, num::ThreadPool& pool,
                     const std::stop_token& stop) {
    inside::IntegratedOptions options;
    const auto tokens = static_cast<int>(s.run->trace.source.size() + s.run->trace.target.size());
    options.most_nodes = std::clamp(kTokensOfNodes / std::max(tokens, 1), kLeastNodes, kMostNodes);
    options.nodes = std::min(options.nodes, options.most_nodes);
    options.stop = stop;
    const auto ok = inside::add_account(now.accounts, *s.run, now.question, pool, options);
    if (!ok) now.accounts_error = ok.error();
    return !stop.stop_requested();
}

bool measure_row(InsidePicture& now, const Snapshot& s, num::ThreadPool& pool,
                 const std::stop_token& stop) {
    OtherRow row = *asked_row(s);
    inside::OtherWeightsOptions options;
    options.stop = stop;
    auto found = inside::other_weights(s.run, now.question, row.head, row.query, pool, options);
    if (found) {
        row.found = *std::move(found);
    } else {
        row.error = found.error();
    }
    now.other_rows.push_back(std::move(row));
    return !stop.stop_requested();
}

} // namespace

bool tokens_shown(const Snapshot& s) {
    return s.needs.inside_tokens && s.inside && !s.inside->readout.recurrent;
}

std::optional<OtherRow> asked_row(const Snapshot& s) {
    if (!s.run || !s.inside || s.inside->error) return std::nullopt;
    const trace::HeadId& head = s.focus.head;
    if (!s.run->trace.map(head)) return std::nullopt;
    const bool encoder = head.kind == trace::AttentionKind::encoder_self;
    const bool says = encoder == (s.inside->readout.stack == trace::AttentionKind::encoder_self);
    const num::Index queries = std::ssize(s.run->trace.queries(head.kind));
    const num::Index row = says ? s.inside->question.token : s.needs.encoder_row;
    return OtherRow{head, row_or_first(static_cast<int>(row), queries)};
}

const OtherRow* other_row_of(const Snapshot& s) {
    const auto asked = asked_row(s);
    if (!asked) return nullptr;
    for (const OtherRow& row : s.inside->other_rows) {
        if (row.head == asked->head && row.query == asked->query) return &row;
    }
    return nullptr;
}

int asked_place(const InsidePicture& picture) {
    const bool target = picture.readout.stack == trace::AttentionKind::decoder_self;
    const auto& scores = picture.accounts.accounts.front().scores;
    return static_cast<int>(picture.question.token) +
           (target ? static_cast<int>(scores.source.size()) : 0);
}

std::vector<int> account_places(const Snapshot& s) {
    if (s.inside->accounts.accounts.empty()) return {};
    const auto& scores = s.inside->accounts.accounts.front().scores;
    const auto source = static_cast<int>(scores.source.size());
    std::vector<int> hidden;
    if (source > 0) hidden = hidden_queries(s.units.get(), trace::AttentionKind::encoder_self);
    for (const int token : hidden_queries(s.units.get(), trace::AttentionKind::decoder_self)) {
        hidden.push_back(source + token);
    }
    std::erase(hidden, asked_place(*s.inside)); // it is what is asked about
    return without(hidden, scores.source.size() + scores.target.size());
}

bool tokens_due(const Snapshot& s) {
    if (!s.run || !s.inside || s.inside->error) return false;
    return account_due(s, wanted_accounts(s)) || row_due(s);
}

std::shared_ptr<const InsidePicture> tokens_measured(const Snapshot& s, num::ThreadPool& pool,
                                                     const std::stop_token& stop) {
    auto now = std::make_shared<InsidePicture>(*s.inside);
    const bool row = row_due(s) && !account_due(s, kQuickOnes);
    const bool done = row ? measure_row(*now, s, pool, stop) : measure_account(*now, s, pool, stop);
    return done ? now : nullptr;
}

} // namespace heed::app
