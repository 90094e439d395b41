// Output of `heed inside`: the measured numbers as a table or as JSON.
#pragma once

#include "inside/lens.hpp"
#include "inside/paths.hpp"

#include <memory>
#include <optional>
#include <string>

namespace heed::app {

enum class InsideWhat { lens, attribution, ablation, patching, paths, gradients, weights };
std::string_view name(InsideWhat what);
std::optional<InsideWhat> inside_what_named(std::string_view name);

struct InsideReport {
    InsideWhat what = InsideWhat::lens;
    std::shared_ptr<const models::Run> run;
    inside::Question question;
    std::shared_ptr<const models::Run> other; // of patching, paths, and Instead::other
    inside::Instead instead = inside::Instead::mean;
    std::shared_ptr<const inside::MeanActivations> means = {}; // of a corpus; null: of the run
    std::size_t likeliest = 5;                                 // words a cell of the lens
    inside::PathsAsked paths{}; // but for the stack, which is that in which the two differ
    trace::HeadId head{};       // of weights: whose row of which query
    num::Index query = 0;
    double allowed = 0.01; // the most that other weights may change the answer
};

/// Columns of text; layers, heads and tokens count from 1. Errors: those of the measures.
base::Result<std::string> inside_text(const InsideReport& report, num::ThreadPool& pool);
/// An object; layers, heads and tokens count from 0. Errors: the same.
base::Result<std::string> inside_json(const InsideReport& report, num::ThreadPool& pool);

} // namespace heed::app
