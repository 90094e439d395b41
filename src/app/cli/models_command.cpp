// heed models: what was trained and comes with the program.
#include "app/cli/command.hpp"
#include "app/files/open_file.hpp"
#include "app/files/shipped_models.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace heed::app {

namespace {

struct ListedModel {
    std::string name, path;
    ShippedTitle title;
    models::Provenance provenance;
};

/// One that cannot be read is told, and left out.
std::vector<ListedModel> listed_models(const Io& io) {
    std::vector<ListedModel> list;
    for (const std::string& name : shipped_models()) {
        const std::string path = shipped_model(name);
        const auto opened = read_opened(path);
        if (!opened) mention(io, base::describe(opened.error()));
        const auto* model = opened ? std::get_if<OpenedModel>(&*opened) : nullptr;
        if (!model || !model->provenance) continue;
        list.push_back({name, path, shipped_title(name), *model->provenance});
    }
    return list;
}

void print_table(const std::vector<ListedModel>& list, std::ostream& out) {
    out << fmt::format("{:<24} {:>13}   {}\n", "model", "fully correct",
                       "task, kind, and a sentence");
    for (const ListedModel& model : list) {
        const std::string share = model.provenance.exact_match
                                      ? fmt::format("{:.1f} %", 100 * *model.provenance.exact_match)
                                      : "-";
        out << fmt::format("{:<24} {:>13}   {}{}{}\n", model.name, share, model.title.task,
                           model.title.kind.empty() ? "" : ", ", model.title.kind);
        out << fmt::format("{:<41} {}\n", "",
                           opening_of(model.path, model.provenance).document.source);
    }
}

void print_json(const std::vector<ListedModel>& list, std::ostream& out) {
    auto json = tensors::Json::array();
    for (const ListedModel& model : list) {
        tensors::Json entry = {
            {"name", model.name},
            {"task", model.provenance.task},
            {"title", model.title.task},
            {"kind", model.title.kind},
            {"exact_match", nullptr},
            {"sentence", opening_of(model.path, model.provenance).document.source},
            {"file", model.path}};
        if (model.provenance.exact_match) entry["exact_match"] = *model.provenance.exact_match;
        json.push_back(std::move(entry));
    }
    out << tensors::dump_json(json, 2) << '\n';
}

int run_models(const Given& given, const Io& io) {
    const std::vector<ListedModel> list = listed_models(io);
    if (given.has("--json")) {
        print_json(list, io.out);
    } else if (list.empty()) {
        io.err << "heed: no trained model is installed; $HEED_MODELS can name a folder of them\n";
    } else {
        print_table(list, io.out);
    }
    return kGood;
}

} // namespace

Command models_command() {
    return {
        "models",
        "List the trained models that come with Heed.",
        "Each with the share of held-out sentences that it gets fully correct, and a sentence that "
        "it knows. Their names go after --model in every command but tokens: they have words of "
        "their own and no tokeniser.",
        "Examples:\n"
        "  heed models\n"
        "  heed models --json\n"
        "  heed export --model zh-en-transformer -o map.pdf",
        {{"--json", "", "as a JSON array", kOutput}},
        run_models};
}

} // namespace heed::app
