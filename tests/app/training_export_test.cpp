// What the Train room shows, as files.
#include "app/training/training_export.hpp"
#include "app/training/training_room.hpp"

#include "catch.hpp"
#include "temporary_folder.hpp"
#include "tensors/named.hpp"

using namespace heed;

namespace {

/// A class of one that was never filmed.
app::ExperimentSnapshot unfilmed() {
    train::TaskOptions sentences;
    sentences.training = 20;
    sentences.held_out = 4;
    sentences.max_length = 5;
    app::ExperimentSnapshot snapshot;
    const auto dataset = train::prepare_dataset(train::Task::reverse, sentences);
    REQUIRE(dataset);
    snapshot.dataset = *dataset;
    app::Trainee trainee;
    trainee.plan = train::usual_plan(train::Task::reverse, train::small_recurrent());
    trainee.history = std::make_shared<const train::History>();
    snapshot.trainees.push_back(std::move(trainee));
    return snapshot;
}

} // namespace

TEST_CASE("a film without frames cannot be exported, and that is said") {
    const TemporaryFolder folder;
    const app::ExperimentSnapshot snapshot = unfilmed();
    for (const auto part :
         {app::TrainingPart::film, app::TrainingPart::gif, app::TrainingPart::animation}) {
        const bool gif = part == app::TrainingPart::gif;
        const auto written = app::export_training(
            snapshot, {folder / (gif ? "film.gif" : "film.png"), part, {}, true, {}});
        REQUIRE_FALSE(written);
        CHECK(written.error().kind == base::ErrorKind::not_found);
        CHECK(base::describe(written.error()).find("no frames") != std::string::npos);
    }
    CHECK(app::export_training(snapshot,
                               {folder / "curves.csv", app::TrainingPart::film, {}, true, {}}));
}

TEST_CASE("the numbers of a training are its losses, measures and alignment by name") {
    const TemporaryFolder folder;
    app::ExperimentSnapshot snapshot = unfilmed();
    train::History history;
    train::HeldOutPoint measured;
    measured.step = 10;
    measured.measures.exact_match = 0.25;
    history.add(measured);
    snapshot.trainees[0].history = std::make_shared<const train::History>(history);
    snapshot.trainees[0].alignment =
        std::make_shared<const num::Matrix<float>>(num::Matrix<float>::Constant(2, 3, 0.5f));
    REQUIRE(app::export_training(snapshot,
                                 {folder / "run.npz", app::TrainingPart::room, {}, true, {}}));
    const auto npz = tensors::read_npz(folder.bytes("run.npz"), "npz").value();
    CHECK(npz.arrays.at("alignment").shape == std::vector<std::int64_t>{2, 3});
    CHECK(npz.arrays.at("losses").shape == std::vector<std::int64_t>{0, 4});
    CHECK(npz.arrays.at("held out").values == std::vector<float>{10, 0, 0, 0.25f, 0});
}

TEST_CASE("the sheet of a film says which task, model and sentence it is of") {
    const TemporaryFolder folder;
    app::ExperimentSnapshot snapshot = unfilmed();
    train::History history;
    for (const std::uint64_t step : {0u, 10u}) {
        const auto weights = std::make_shared<const num::Matrix<float>>(
            num::Matrix<float>::Constant(3, 3, 1.0f / 3));
        history.film.push_back({step, nullptr, 0, std::nullopt, weights});
    }
    snapshot.trainees[0].history = std::make_shared<const train::History>(history);
    REQUIRE(app::export_training(snapshot,
                                 {folder / "film.svg", app::TrainingPart::film, {}, true, {}}));
    const std::string svg = folder.bytes("film.svg");
    const train::Pair& pair = snapshot.dataset->pairs[0];
    CHECK(svg.find("Reverse · additive attention") != std::string::npos);
    CHECK(svg.find(train::joined(pair.source) + " → " + train::joined(pair.target)) !=
          std::string::npos);
    CHECK(svg.find("step 10") != std::string::npos);
    CHECK(svg.find("3 × 3 · 0–1<") != std::string::npos); // alike in every frame
}

TEST_CASE("a cell of the watched map is named by its row and its column") {
    app::ExperimentSnapshot snapshot = unfilmed();
    const train::Pair& pair = snapshot.dataset->pairs[0];
    const auto n = static_cast<num::Index>(pair.source.size());
    REQUIRE(n > 1);
    REQUIRE(pair.source[0] != pair.target[0]);
    app::Trainee& trainee = snapshot.trainees[0];
    trainee.alignment =
        std::make_shared<const num::Matrix<float>>(num::Matrix<float>::Constant(n + 1, n, 0.25f));
    const int end = static_cast<int>(n);
    CHECK(app::link_words(snapshot, {}, 0, 1) ==
          pair.target[0] + " → " + pair.source[1] + ": 0.2500");
    CHECK(app::link_words(snapshot, {}, end, 0) == "⟨end⟩ → " + pair.source[0] + ": 0.2500");
    CHECK(app::link_words(snapshot, {}, 0, end).empty());
    models::ModelSpec encoder; // whose sentence looks at itself
    encoder.architecture = models::Architecture::encoder_only;
    trainee.plan.model = encoder;
    CHECK(app::link_words(snapshot, {}, 0, 1) ==
          pair.source[0] + " → " + pair.source[1] + ": 0.2500");
    CHECK(app::link_words(snapshot, {}, end, 0).empty());
}

TEST_CASE("a film moves as a GIF whatever was chosen, where the file's name says so") {
    const TemporaryFolder folder;
    app::ExperimentSnapshot snapshot = unfilmed();
    train::History history;
    for (const std::uint64_t step : {0u, 10u, 30u}) {
        const auto weights = std::make_shared<const num::Matrix<float>>(
            num::Matrix<float>::Constant(3, 3, 1.0f / static_cast<float>(3 + step)));
        history.film.push_back({step, nullptr, 0, std::nullopt, weights});
    }
    snapshot.trainees[0].history = std::make_shared<const train::History>(history);
    for (const auto part : {app::TrainingPart::room, app::TrainingPart::gif}) {
        const auto written =
            app::export_training(snapshot, {folder / "film.GIF", part, {}, true, {}});
        if (!written) FAIL(base::describe(written.error()));
        const std::string gif = folder.bytes("film.GIF");
        CHECK(gif.starts_with("GIF89a"));
        std::size_t frames = 0; // a control for each
        for (auto at = gif.find("\x21\xF9\x04"); at != std::string::npos;
             at = gif.find("\x21\xF9\x04", at + 3)) {
            ++frames;
        }
        CHECK(frames == 3);
    }
    const auto pdf =
        app::export_training(snapshot, {folder / "film.pdf", app::TrainingPart::gif, {}, true, {}});
    REQUIRE_FALSE(pdf);
    CHECK(base::describe(pdf.error()).find(".gif") != std::string::npos);
}
