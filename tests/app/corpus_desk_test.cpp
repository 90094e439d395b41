// A corpus measured beside the window, and what its means stand in the place of.
#include "app/engine/computation.hpp"
#include "app/engine/continuation.hpp"
#include "app/engine/prepare.hpp"
#include "app/inside/corpus_desk.hpp"
#include "app/views/inside_view.hpp"
#include "app/views/view_figure.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "inside_room.hpp"
#include "temporary_folder.hpp"

#include <string>

using namespace heed;

namespace {

constexpr const char* kCorpus = "the black cat sleeps\n\nthe cat sat on the mat and the cat sat\n"
                                "she sees the red house\n";

app::CorpusTask task_of(const app::Document& document, const std::string& path) {
    num::ThreadPool pool(1);
    app::CorpusTask task;
    task.model = app::prepare_model(document, pool).value();
    task.model_name = "small";
    task.path = path;
    task.document = document;
    task.sequences = 2;
    return task;
}

} // namespace

TEST_CASE("a corpus is measured beside the window as heed heads measures it") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", kCorpus));
    const app::CorpusTask task = task_of(decoder_document(), folder / "a.txt");
    app::CorpusDesk desk;
    CHECK_FALSE(desk.latest().measuring);
    desk.measure(task);
    desk.wait();
    const app::CorpusState state = desk.latest();
    REQUIRE(state.found);
    CHECK_FALSE(state.error);
    app::CorpusPlan plan;
    plan.model = task.model;
    plan.model_name = "small";
    plan.corpus_name = "a.txt";
    plan.path = task.path;
    plan.text = kCorpus;
    plan.document = task.document;
    plan.sequences = 2;
    plan.most_top = state.found->measured.corpus.most_top;
    num::ThreadPool pool(1);
    const auto whole = app::measure_corpus(plan, pool);
    REQUIRE(whole);
    CHECK(state.found->measured.corpus == whole->corpus); // to the last bit
    CHECK(state.found->measured.corpus.lines == 3);
    REQUIRE(state.found->means);
    CHECK(state.found->means->means.tokens() == 4 + 10 + 5);
    // Every line that a head does something most on can be quoted.
    const auto lines = app::lines_of(kCorpus);
    for (const app::CorpusHead& head : whole->corpus.heads) {
        for (const auto& top : head.top) {
            for (const app::TopLine& at : top) {
                REQUIRE(state.found->lines.contains(at.line));
                CHECK(state.found->lines.at(at.line) == lines[at.line - 1]);
            }
        }
    }
}

TEST_CASE("a corpus that cannot be read says why, and what was found before stays") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", kCorpus));
    REQUIRE(base::write_file_atomic(folder / "blank.txt", "\n \n"));
    app::CorpusDesk desk;
    desk.measure(task_of(decoder_document(), folder / "a.txt"));
    desk.wait();
    const auto found = desk.latest().found;
    REQUIRE(found);
    for (const char* name : {"none.txt", "blank.txt"}) {
        desk.measure(task_of(decoder_document(), folder / name));
        desk.wait();
        REQUIRE(desk.latest().error);
        CHECK(desk.latest().error->subject.ends_with(name));
        CHECK(desk.latest().found == found);
    }
    desk.measure(task_of(decoder_document(), folder / "a.txt"));
    desk.stop();
    CHECK_FALSE(desk.latest().measuring);
    CHECK(desk.latest().found);
}

TEST_CASE("a head at the mean over a corpus answers otherwise than at its own, and the card says "
          "which") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", kCorpus));
    const app::Document document = decoder_document();
    app::ViewState state;
    state.view = app::View::inside;
    app::Computation computation{1};
    const auto whole = [&](std::uint64_t revision) {
        auto snapshot = computation.answer({revision, document, {}, app::needs_of(state, {})}, {});
        while (const auto more = computation.refine({})) snapshot = more;
        return snapshot;
    };
    const auto own = whole(1);
    app::CorpusTask task = task_of(document, folder / "a.txt");
    task.model = own->run->model;
    app::CorpusDesk desk;
    desk.measure(task);
    desk.wait();
    REQUIRE(desk.latest().found);
    state.means = desk.latest().found->means;
    const auto over = whole(2);
    REQUIRE(over->inside->without.size() == own->inside->without.size());
    CHECK(over->inside->means_of_corpus(*over->run));
    // Against the measure itself, asked once for all.
    inside::AblationOptions options;
    options.means = &state.means->means;
    num::ThreadPool pool(1);
    const auto measured = inside::ablate(over->run, over->inside->question, pool, options);
    REQUIRE(measured);
    bool differs = false;
    for (std::size_t i = 0; i < measured->parts.size(); ++i) {
        CHECK(over->inside->without[i].answer.logit == measured->parts[i].answer.logit);
        differs |= over->inside->without[i].answer.logit != own->inside->without[i].answer.logit;
    }
    CHECK(differs);
    const std::string words = figure::dump(app::make_figure(*over, state, 1200, 900));
    CHECK(words.find("set to its mean over a.txt") != std::string::npos);
}

TEST_CASE("without a head the text that follows is what the model says with the head at 0") {
    app::Document document = small_document();
    document.target.clear();
    document.decoding.rule = models::Decoding::Rule::greedy;
    app::ViewState state;
    state.view = app::View::inside;
    app::Computation computation{1};
    auto snapshot = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
    while (const auto more = computation.refine({})) snapshot = more;
    CHECK_FALSE(app::following_due(*snapshot));
    const app::Following* following = app::following_of(*snapshot);
    if (!following) return; // an untrained model says no words
    CHECK(following->head == snapshot->focus.head);
}
