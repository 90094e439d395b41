#include "train/loop/plan.hpp"

#include "models/file/metadata.hpp"
#include "train/loop/learns.hpp"

#include <cmath>

namespace heed::train {

namespace {

using base::ErrorKind;
using base::fail;

template <class P, class Visitor> void visit_fields(P& p, Visitor&& v) {
    models::Words<Task> tasks;
    for (const Task task : all_tasks()) tasks.push_back({name(task), task});
    v.word("training.task", p.task, tasks);
    v.number("training.sentences.seed", p.sentences.seed);
    v.number("training.sentences", p.sentences.training);
    v.number("training.held_out", p.sentences.held_out);
    v.number("training.min_length", p.sentences.min_length);
    v.number("training.max_length", p.sentences.max_length);
    v.word("training.symbols", p.sentences.symbols,
           {{"letters", Symbols::letters},
            {"numbers", Symbols::numbers},
            {"shapes", Symbols::shapes}});
    models::Words<Schedule::Kind> schedules;
    for (const Schedule::Kind kind : kSchedules) schedules.push_back({name(kind), kind});
    v.word("training.schedule", p.schedule.kind, schedules);
    v.number("training.rate", p.schedule.rate);
    v.number("training.every", p.schedule.every);
    v.number("training.drop", p.schedule.drop);
    v.number("training.warm_up", p.schedule.warm_up);
    v.number("training.dropout", p.regularization.dropout);
    v.number("training.label_smoothing", p.regularization.label_smoothing);
    v.number("training.scheduled_sampling", p.regularization.scheduled_sampling);
    v.number("training.batch", p.batch_size);
    v.number("training.max_norm", p.max_norm);
    v.number("training.seed", p.seed);
    v.number("training.steps", p.steps);
    v.newer_text("training.own.file", p.sentences.own.file);
    v.newer_number("training.own.words", p.sentences.own.words);
    v.newer_text("training.vectors", p.vectors);
    v.newer_number("training.patience", p.patience);
}

template <class R, class Visitor> void visit_rule(R& rule, Visitor&& v) {
    if (auto* adam = std::get_if<Adam>(&rule)) {
        v.number("training.beta1", adam->beta1);
        v.number("training.beta2", adam->beta2);
        v.number("training.epsilon", adam->epsilon);
    } else if (auto* rms = std::get_if<RmsProp>(&rule)) {
        v.number("training.decay", rms->decay);
        v.number("training.epsilon", rms->epsilon);
    } else if (auto* sgd = std::get_if<Sgd>(&rule)) {
        v.number("training.momentum", sgd->momentum);
    }
}

/// Beside Adam's. A gradient of SGD's is not divided by its own size.
float usual_rate(const UpdateRule& rule) { return std::holds_alternative<Sgd>(rule) ? 100 : 1; }

/// Fields are floats, and so are the ends that they may have.
base::Result<void> within(const char* field, double value, double low, double high) {
    const auto as_float = [](double end) { return static_cast<double>(static_cast<float>(end)); };
    if (value >= as_float(low) && value <= as_float(high)) return {}; // not so for NaN
    return fail(ErrorKind::out_of_range, field,
                fmt::format("is {:.7g}; allowed are {:g} to {:g}", value, low, high));
}

} // namespace

base::Result<void> check(const Plan& plan) {
    const struct {
        const char* field;
        double value, low, high;
    } limits[] = {
        {"steps", static_cast<double>(plan.steps), 1, 1e9},
        {"batch", static_cast<double>(plan.batch_size), 1, 4096},
        {"rate", static_cast<double>(plan.schedule.rate), 1e-9, 100},
        {"warm_up", static_cast<double>(plan.schedule.warm_up), 1, 1e9},
        {"every", static_cast<double>(plan.schedule.every), 1, 1e9},
        {"drop", static_cast<double>(plan.schedule.drop), 1e-6, 1},
        {"dropout", static_cast<double>(plan.regularization.dropout), 0, 0.95},
        {"label_smoothing", static_cast<double>(plan.regularization.label_smoothing), 0, 0.95},
        {"scheduled_sampling", static_cast<double>(plan.regularization.scheduled_sampling), 0, 1},
        {"max_norm", plan.max_norm, 0, 1e9},
        {"sentences", static_cast<double>(plan.sentences.training), 1, 1e7},
        {"vocabulary", static_cast<double>(plan.sentences.own.words), 10, 100'000},
        {"patience", static_cast<double>(plan.patience), 0, 1e6},
        {"held_out", static_cast<double>(plan.sentences.held_out), 1, 1e6},
        {"min_length", static_cast<double>(plan.sentences.min_length), 1, 30},
        {"max_length", static_cast<double>(plan.sentences.max_length),
         static_cast<double>(plan.sentences.min_length), 30},
    };
    for (const auto& limit : limits) {
        if (auto ok = within(limit.field, limit.value, limit.low, limit.high); !ok) return ok;
    }
    if (auto ok = check_learns(plan.model, plan.task, plan.sentences); !ok) return ok;
    const auto limits_of = [&](const char* field, float value, float high) {
        return within(field, static_cast<double>(value), 0, static_cast<double>(high));
    };
    base::Result<void> rule;
    if (const auto* adam = std::get_if<Adam>(&plan.rule)) {
        rule = limits_of("beta1", adam->beta1, 0.99999f);
        if (rule) rule = limits_of("beta2", adam->beta2, 0.99999f);
        if (rule) rule = limits_of("epsilon", adam->epsilon, 1);
    } else if (const auto* rms = std::get_if<RmsProp>(&plan.rule)) {
        rule = limits_of("decay", rms->decay, 0.99999f);
        if (rule) rule = limits_of("epsilon", rms->epsilon, 1);
    } else if (const auto* sgd = std::get_if<Sgd>(&plan.rule)) {
        rule = limits_of("momentum", sgd->momentum, 0.99999f);
    }
    return rule ? models::check(plan.model) : rule;
}

void write_plan(const Plan& plan, std::map<std::string, std::string>& metadata) {
    models::MetadataWriter writer{metadata};
    visit_fields(plan, writer);
    metadata["training.rule"] = name(plan.rule);
    visit_rule(plan.rule, writer);
}

base::Result<Plan> read_plan(const models::Config& model,
                             const std::map<std::string, std::string>& metadata,
                             const std::string& path) {
    Plan plan;
    plan.model = model;
    models::MetadataReader reader{metadata, path};
    visit_fields(plan, reader);
    models::Words<UpdateRule> rules;
    for (const UpdateRule& rule : kUpdateRules) rules.push_back({name(rule), rule});
    reader.word("training.rule", plan.rule, rules);
    visit_rule(plan.rule, reader);
    if (!reader.result) return tl::make_unexpected(reader.result.error());
    if (auto ok = check(plan); !ok) {
        return fail(ok.error().kind, path, "its training: " + base::describe(ok.error()));
    }
    return plan;
}

models::ModelSpec small_transformer(models::Architecture architecture) {
    models::ModelSpec c;
    c.architecture = architecture;
    c.d_model = 64;
    c.n_heads = 4;
    c.n_encoder_layers = c.n_decoder_layers = 2;
    c.d_ff = 256;
    c.norm = models::NormOrder::pre;
    // A decoder alone has both sentences in one row.
    c.max_positions = architecture == models::Architecture::decoder_only ? 128 : 64;
    c.has_vocabulary = true;
    return c;
}

models::RecurrentConfig small_recurrent() {
    models::RecurrentConfig c;
    c.hidden = 96;
    c.embedding = 48;
    return c;
}

models::ModelSpec small_classifier() { return models::classifier_spec(); }

Plan usual_plan(Task task, const models::Config& model) {
    Plan plan;
    plan.task = task;
    plan.model = model;
    const models::Traits traits = models::traits(model);
    if (traits.is_stepwise()) {
        plan.schedule = {Schedule::Kind::constant, 2e-3f, 1000, 0.5f, 400};
    } else if (traits.classifies()) {
        plan.schedule = {Schedule::Kind::step, 2e-3f, 1000, 0.5f, 400};
    } else {
        plan.schedule = {Schedule::Kind::warm_up, 7e-4f, 1000, 0.5f, 400};
        plan.rule = Adam{0.9f, 0.98f, 1e-9f};
    }
    return plan;
}

void choose_rule(Plan& plan, const UpdateRule& rule) {
    if (rule.index() == plan.rule.index()) return;
    plan.schedule.rate *= usual_rate(rule) / usual_rate(plan.rule);
    plan.rule = rule;
}

} // namespace heed::train
