#include "app/bench/inside_bench.hpp"

#include "inside/lens.hpp"
#include "inside/patching.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

namespace {

using base::Result;
using Run = std::shared_ptr<const models::Run>;

template <class T> Result<void> only_errors(const Result<T>& made) {
    if (!made) return tl::make_unexpected(made.error());
    return {};
}

/// Inputs of the cases: a run, another one with another token in the middle, and a question.
struct Asked {
    Run run, other;
    inside::Readout readout;
    inside::Question question;
};

Result<Asked> asked_of(const std::shared_ptr<const models::Model>& model, int tokens,
                       num::ThreadPool& pool) {
    const Asked asked;
    models::Input input = row_input(tokens);
    const auto run = models::run(model, input, {}, pool);
    if (!run) return tl::make_unexpected(run.error());
    text::Token& middle = input.target[input.target.size() / 2];
    middle.row += 1;
    const auto other = models::run(model, input, {}, pool);
    if (!other) return tl::make_unexpected(other.error());
    const auto readout = inside::readout_of(**run);
    if (!readout) return tl::make_unexpected(readout.error());
    const auto question = inside::usual_question(**run, pool);
    if (!question) return tl::make_unexpected(question.error());
    return Asked{*run, *other, *readout, *question};
}

} // namespace

Result<std::vector<ModelCase>> InsideBench::cases(std::string_view only, int tokens,
                                                  num::ThreadPool& pool) {
    if (!model_) {
        const auto model = models::Transformer::draw(gpt2_spec(), pool);
        if (!model) return tl::make_unexpected(model.error());
        model_ = *model;
    }
    const auto made = asked_of(model_, tokens, pool);
    if (!made) return tl::make_unexpected(made.error());
    const auto asked = std::make_shared<const Asked>(*made);
    std::vector<ModelCase> cases;
    const auto add = [&](const char* name, std::function<Result<void>()> work) {
        if (std::string_view(name).starts_with(only)) {
            cases.push_back({name, tokens, 0, 0, std::move(work)});
        }
    };
    add("inside/run", [asked, &pool]() -> Result<void> {
        const auto run = models::run(asked->run->model, asked->run->input, {}, pool);
        if (!run) return tl::make_unexpected(run.error());
        inside::answers_of(asked->readout,
                           inside::asked_row(**run, asked->readout, asked->question),
                           asked->question, pool);
        return {};
    });
    const auto lens = [asked, &pool](num::Index first, num::Index count) {
        const auto places = inside::lens_places(asked->readout, first, count);
        return only_errors(inside::logit_lens(*asked->run, places, pool));
    };
    add("inside/lens", [lens, tokens] { return lens(0, tokens); });
    add("inside/lens/last", [lens, tokens] { return lens(tokens - 1, 1); });
    add("inside/attribution",
        [asked] { return only_errors(inside::attribute(*asked->run, asked->question)); });
    add("inside/ablation", [asked, &pool] {
        inside::AblationOptions options;
        for (const inside::PartId& part : inside::parts_of(*asked->run)) {
            if (part.kind == inside::PartId::Kind::head) options.parts.push_back(part);
        }
        return only_errors(inside::ablate(asked->run, asked->question, pool, options));
    });
    add("inside/patching", [asked, &pool] {
        const auto places = inside::layer_by_token(*asked->run, asked->readout.stack);
        return only_errors(inside::patch(asked->run, asked->other, asked->question, places, pool));
    });
    return cases;
}

} // namespace heed::app
