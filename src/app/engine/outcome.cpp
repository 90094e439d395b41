#include "app/engine/outcome.hpp"

#include "app/engine/measures.hpp"
#include "models/model/sampling.hpp"
#include "models/model/sides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heed::app {

namespace {

constexpr std::size_t kMostWords = 50000; // remembered
constexpr std::size_t kNamed = 3;

void add_name(std::vector<std::string>& names, const std::string& word) {
    if (names.size() < kNamed && std::find(names.begin(), names.end(), word) == names.end()) {
        names.push_back(word);
    }
}

Outcome outcome(const std::shared_ptr<const models::Run>& run,
                const std::shared_ptr<const Prediction>& prediction) {
    if (!run) return {};
    return {prediction, run->trace.tensor("memory")};
}

} // namespace

Outcome outcome_of(const Snapshot& snapshot) { return outcome(snapshot.run, snapshot.prediction); }
Outcome outcome_of(const ReferencePicture& reference) {
    return outcome(reference.run, reference.prediction);
}

bool reads_alike(const Document& a, const Document& b) {
    return same_text(a, b) && a.image_file == b.image_file;
}

std::optional<float> memory_change(const Outcome& now, const Outcome& former) {
    if (!now.memory || !former.memory) return {};
    const Matrix<float>&a = now.memory->values, &b = former.memory->values;
    if (a.rows() != b.rows() || a.cols() != b.cols() || b.norm() == 0) return {};
    return (a - b).norm() / b.norm();
}

float told(const Prediction& prediction, num::Index row) {
    return prediction.cut ? prediction.cut->shown(row) : prediction.probabilities(row);
}
float told_entropy(const Prediction& prediction) {
    return prediction.cut ? prediction.cut->entropy_bits : prediction.entropy_bits;
}

namespace {

num::Index rank_of(const num::RowVector<float>& p, num::Index row) {
    return (p.array() > p(row)).count() + (p.head(row).array() == p(row)).count();
}

} // namespace

NextWord next_word(const Prediction& now, const Prediction* former, std::size_t most) {
    const auto& p = now.probabilities;
    if (former != nullptr && former->probabilities.size() != p.size()) former = nullptr;
    std::vector<num::Index> order = now.likeliest;
    if (order.size() < most) order = likeliest_rows(p, most);
    order.resize(std::min(most, order.size()));
    if (former != nullptr && most > 0) {
        num::Index first = 0;
        former->probabilities.maxCoeff(&first);
        if (std::find(order.begin(), order.end(), first) == order.end()) order.push_back(first);
    }
    NextWord words{{}, 1};
    for (const num::Index row : order) {
        Candidate c{row, told(now, row), {}};
        c.kept = !now.cut || now.cut->keeps[static_cast<std::size_t>(row)];
        c.rank = rank_of(p, row);
        if (former != nullptr) {
            c.former = told(*former, row);
            c.former_rank = rank_of(former->probabilities, row);
        }
        if (c.kept) words.rest -= c.probability;
        words.candidates.push_back(c);
    }
    const auto kept = now.cut ? now.cut->kept : p.size();
    const bool all = std::ranges::count(words.candidates, true, &Candidate::kept) == kept;
    words.rest = all ? 0 : std::max(words.rest, 0.f); // no rounding of their sum
    return words;
}

void SeenWords::note(const std::vector<text::Token>& tokens) {
    for (const text::Token& token : tokens) {
        if (words_.size() >= kMostWords) return;
        if (!known_.insert(token.text).second) continue;
        words_.push_back(token.text);
        if (model_) add_name(by_row_[model_->vocabulary_row(token.text)], token.text);
    }
}

std::string SeenWords::name(num::Index row, const models::Run& now) const {
    if (std::string word = now.model->candidate(row); !word.empty()) return word;
    if (now.model != model_) {
        model_ = now.model;
        by_row_.clear();
        for (const std::string& word : words_) {
            add_name(by_row_[model_->vocabulary_row(word)], word);
        }
    }
    std::vector<std::string> names;
    for (const auto* side : {&now.input.target, &now.input.source}) {
        for (const text::Token& token : *side) {
            if (models::row_of(*model_, token) == row) add_name(names, token.text);
        }
    }
    if (const auto earlier = by_row_.find(row); earlier != by_row_.end()) {
        for (const std::string& word : earlier->second) add_name(names, word);
    }
    return names.empty() ? fmt::format("no. {}", row) : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace heed::app
