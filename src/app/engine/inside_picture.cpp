#include "app/engine/inside_picture.hpp"

#include "app/document/other_sentence.hpp"
#include "app/document/prepare_input.hpp"
#include "app/engine/inside_other.hpp"
#include "app/engine/measures.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace heed::app {

namespace {

using base::ErrorKind;
using base::Result;
using num::Index;

constexpr Index kLensTokens = 24;         // as many of them have a column as there is room for
constexpr std::size_t kSaid = 8;          // words of the list
constexpr std::size_t kAtOnce = 16;       // whose logits are read together
constexpr std::size_t kUnseenAtOnce = 64; // of what nobody waits for

Result<inside::Question> question_of(const models::Run& run, const inside::Readout& readout,
                                     const InsideFocus& asked, num::ThreadPool& pool) {
    auto question = inside::usual_question(run, pool);
    if (!question || readout.classes || !asked.token) return question;
    const Index tokens = inside::askable_tokens(run, readout);
    question->token = std::clamp<Index>(*asked.token, 0, tokens - 1);
    return question;
}

/// The word that is asked about, and what else may be said there.
void read_answer(InsidePicture& now, const models::Run& run, num::ThreadPool& pool) {
    const auto row = inside::asked_row(run, now.readout, now.question);
    const Matrix<float> logits =
        now.readout.classes ? row : inside::word_logits(now.readout, row, pool);
    const num::RowVector<float> p = num::softmax<float>(logits.row(0));
    now.entropy_bits = num::entropy_bits(p);
    for (const Index word : likeliest_rows(p, kSaid)) now.likeliest.push_back({word, p(word)});
    const auto known = [&](const std::optional<int>& word) {
        return word && *word >= 0 && *word < p.size();
    };
    now.question.word = known(now.asked.word) ? *now.asked.word : now.likeliest.front().word;
    now.question.against.reset();
    if (known(now.asked.against) && *now.asked.against != now.question.word) {
        now.question.against = *now.asked.against;
    }
    now.answer = inside::answers_of(logits, now.question)[0];
}

/// A run of another sentence. Errors: those of reading it, of the run, and of check_pair.
Result<std::shared_ptr<const models::Run>> run_other(const Snapshot& snapshot,
                                                     const std::string& sentence,
                                                     num::ThreadPool& pool,
                                                     const std::stop_token& stop) {
    const auto& run = snapshot.run;
    auto input = prepare_other(snapshot.document, *run, sentence);
    if (!input) return tl::make_unexpected(input.error());
    // One of another length is refused below; a run of it says how long it is.
    models::RunOptions options;
    options.previous = run;
    options.stop = stop;
    auto other = models::run(run->model, *std::move(input), run->controls, pool, options);
    if (!other) return other;
    if (const auto pair = inside::check_pair(*run, **other); !pair) {
        return tl::make_unexpected(pair.error());
    }
    return other;
}

/// True where the word is said at a token that differs: its own stream then brings all of it back.
bool changes_asked(const InsidePicture& now, const models::Run& run, const models::Run& other) {
    if (now.readout.classes || now.readout.recurrent) return false;
    const auto at = static_cast<std::size_t>(now.question.token);
    const auto stack = now.readout.stack;
    return run.trace.queries(stack)[at].text != other.trace.queries(stack)[at].text;
}

/// Choice among the sentences that can be made: the first of as many tokens on which the model says
/// another word, before those that change the asked token itself; else the one that moves the answer
/// most. False when stopped.
bool make_other(InsidePicture& now, const Snapshot& snapshot, KnownWords& known,
                num::ThreadPool& pool, const std::stop_token& stop) {
    const models::Model& model = *snapshot.run->model;
    const int most_tried = model.provenance() ? 48 : 12; // those that Heed trains are small
    const models::Traits& traits = model.traits();
    if (traits.reads_pictures || traits.weights_alone) return true;
    const auto& against = now.question.against;
    const std::string& own = first_sentence(snapshot.document, traits);
    const models::Input& input = snapshot.run->input;
    const bool target = &own == &snapshot.document.target;
    const std::string asked = model.answer(now.question.word);
    auto sentences =
        known.neighbour_sentences(snapshot.run->model, own, target ? input.target : input.source,
                                  asked, pool, stop);
    if (stop.stop_requested()) return false;
    if (const auto swapped = words_swapped(own, asked, against ? model.answer(*against) : "")) {
        sentences.insert(sentences.begin(), *swapped);
    }
    float most = 0;
    int tried = 0;
    bool says_other = false;
    std::optional<std::pair<std::shared_ptr<const models::Run>, std::string>> of_asked;
    for (const std::string& sentence : sentences) {
        auto other = run_other(snapshot, sentence, pool, stop);
        if (stop.stop_requested()) return false;
        if (!other) continue;
        const auto row = inside::asked_row(**other, now.readout, now.question);
        const inside::Answer answer =
            now.readout.classes ? inside::answers_of(row, now.question)[0]
                                : inside::answers_of(now.readout, row, now.question, pool)[0];
        const float moved = std::abs(answer.logit - now.answer.logit);
        says_other = answer.says != now.answer.says;
        if (says_other && changes_asked(now, *snapshot.run, **other)) {
            if (!of_asked) of_asked.emplace(*other, sentence);
            says_other = false;
        } else if (says_other || !now.other || moved > most) {
            most = moved;
            now.other = *other;
            now.other_text = sentence;
        }
        if (says_other || ++tried == most_tried) break;
    }
    if (!says_other && of_asked) std::tie(now.other, now.other_text) = *std::move(of_asked);
    return true;
}

/// The tokens in which the two sentences differ, and behind them the nearest ones before the word:
/// of a long sentence no more than can be measured in a minute or so. Ascending.
std::vector<Index> patched_tokens(const InsidePicture& now, const models::Run& run) {
    constexpr Index kTokensReplayed = 4096, kFewest = 12;
    const auto& tokens = run.trace.queries(now.patched_stack);
    const auto& others = now.other->trace.queries(now.patched_stack);
    const Index count = std::ssize(tokens);
    const Index most = std::max(kFewest, kTokensReplayed / std::max<Index>(count, 1));
    const bool says = now.patched_stack == now.readout.stack && !now.readout.classes;
    const Index last = says ? std::min(now.question.token, count - 1) : count - 1;
    std::vector<Index> order;
    for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (tokens[at].text != others[at].text) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](Index i) { return std::abs(i - last); });
    const bool behind_is_unseen = says && now.patched_stack == trace::AttentionKind::decoder_self;
    const Index end = behind_is_unseen && count > most ? last + 1 : count;
    for (Index away = 0; away < count; ++away) {
        for (const Index i : {last - away, last + away}) {
            const bool known = std::ranges::find(order, i) != order.end();
            if (i >= 0 && i < end && !known) order.push_back(i);
        }
    }
    if (std::ssize(order) > most) order.resize(static_cast<std::size_t>(most));
    std::ranges::sort(order);
    return order;
}

void list_patches(InsidePicture& now, const models::Run& run) {
    now.patched_stack = inside::patched_stack(run, *now.other);
    switch (now.patch) {
    case PatchBy::stream: {
        const auto tokens = patched_tokens(now, run);
        now.patches = inside::layer_by_token(run, now.patched_stack);
        if (now.patches.empty()) { // it has no residual stream
            now.patch = PatchBy::heads;
            now.patches = inside::head_by_head(run);
            return;
        }
        std::erase_if(now.patches, [&](const inside::Patch& patch) {
            return !std::ranges::binary_search(tokens, *patch.token);
        });
        return;
    }
    case PatchBy::heads: now.patches = inside::head_by_head(run); return;
    case PatchBy::paths: break;
    }
    const int last = std::max(run.model->traits().layers(now.patched_stack) - 1, 0);
    const int to = std::clamp(now.asked.to, std::min(1, last), last);
    now.asked_paths = {now.patched_stack, std::clamp(now.asked.from, 0, std::max(to - 1, 0)), to};
}

/// False when stopped.
bool read_other(InsidePicture& now, const Snapshot& snapshot, KnownWords& known,
                num::ThreadPool& pool, const std::stop_token& stop) {
    if (now.made_other()) {
        if (!make_other(now, snapshot, known, pool, stop)) return false;
    } else {
        auto other = run_other(snapshot, now.asked.other, pool, stop);
        if (stop.stop_requested()) return false;
        now.other_text = now.asked.other;
        if (other) {
            now.other = *std::move(other);
        } else {
            now.other_error = other.error();
        }
    }
    now.other_read = true;
    if (now.other) list_patches(now, *snapshot.run);
    return true;
}

/// The next places of the lens, the nearest tokens first, and of a token the last layer.
std::vector<inside::LensPlace> next_places(const InsidePicture& now, std::size_t most) {
    std::vector<inside::LensPlace> places;
    const Index asked = now.question.token;
    const auto add = [&](Index token) {
        if (token < 0 || token >= now.lens_tokens) return;
        for (int layer = now.readout.layers - 1; layer >= 0 && places.size() < most; --layer) {
            if (!now.lens_cell(layer, token)) places.push_back({layer, token});
        }
    };
    for (Index away = 0; away < now.lens_tokens && places.size() < most; ++away) {
        add(asked - away);
        if (away > 0) add(asked + away);
    }
    return places;
}

std::vector<inside::PartId> all_parts(const models::Run& run) {
    auto parts = inside::parts_of(run);
    std::reverse(parts.begin(), parts.end());
    return parts;
}

/// The next `most` of a list, behind the `done` ones.
template <class T>
std::vector<T> following(const std::vector<T>& all, std::size_t done, std::size_t most) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(std::min(done, all.size()));
    return {begin,
            begin + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(most), all.end() - begin)};
}

Result<void> measure_lens(InsidePicture& now, const models::Run& run, std::size_t at_once,
                          num::ThreadPool& pool, const std::stop_token& stop) {
    inside::LensOptions options;
    options.stop = stop;
    const auto more = inside::logit_lens(run, next_places(now, at_once), pool, options);
    if (!more) return tl::make_unexpected(more.error());
    auto cells = now.lens ? *now.lens : std::vector<inside::LensCell>();
    cells.resize(static_cast<std::size_t>(now.readout.layers * now.lens_tokens));
    for (const inside::LensCell& cell : *more) {
        const Index at = cell.place.layer * now.lens_tokens + cell.place.token;
        cells[static_cast<std::size_t>(at)] = cell;
    }
    now.lens_measured += more->size();
    now.lens = std::make_shared<const std::vector<inside::LensCell>>(std::move(cells));
    return {};
}

/// A class that is read from the mean over tokens cannot tell the heads of one layer from their
/// means, and one token is its own mean.
bool means_tell_nothing(const InsidePicture& now, const models::Run& run) {
    const bool one = run.input.source.size() <= 1 && run.input.target.size() <= 1;
    return (one || run.model->traits().pooling == models::Pooling::mean) &&
           now.instead() == inside::Instead::mean && now.without.size() >= now.parts &&
           std::ranges::all_of(now.without, [&](const inside::Ablated& part) {
               return std::abs(part.answer.logit - now.answer.logit) < 1e-4f;
           });
}

Result<void> measure_parts(InsidePicture& now, const std::shared_ptr<const models::Run>& run,
                           num::ThreadPool& pool, const std::stop_token& stop) {
    inside::AblationOptions options;
    options.stop = stop;
    options.instead = now.instead();
    options.other = now.other;
    if (now.means_of_corpus(*run)) options.means = &now.means->means;
    options.parts = following(all_parts(*run), now.without.size(), kAtOnce);
    options.whole = now.answer;
    const auto more = inside::ablate(run, now.question, pool, options);
    if (!more) return tl::make_unexpected(more.error());
    now.without.insert(now.without.end(), more->parts.begin(), more->parts.end());
    if (means_tell_nothing(now, *run)) {
        now.mean_changes_nothing = true;
        now.without.clear(); // and all of them again at zero
    }
    return {};
}

Result<void> measure_patches(InsidePicture& now, const std::shared_ptr<const models::Run>& run,
                             num::ThreadPool& pool, const std::stop_token& stop) {
    inside::PatchOptions options;
    options.stop = stop;
    options.clean = now.answer;
    if (!now.patched.empty()) options.corrupted = now.corrupted;
    const auto more =
        inside::patch(run, now.other, now.question,
                      following(now.patches, now.patched.size(), kAtOnce), pool, options);
    if (!more) return tl::make_unexpected(more.error());
    now.corrupted = more->corrupted;
    now.patched.insert(now.patched.end(), more->patches.begin(), more->patches.end());
    return {};
}

Result<void> measure_paths(InsidePicture& now, const std::shared_ptr<const models::Run>& run,
                           num::ThreadPool& pool, const std::stop_token& stop) {
    auto paths = inside::patch_paths(run, now.other, now.question, now.asked_paths, pool, stop);
    if (!paths) return tl::make_unexpected(paths.error());
    now.corrupted = paths->corrupted;
    now.paths = *std::move(paths);
    return {};
}

/// True where all is measured that is shown.
bool has_lens(const InsidePicture& now) {
    for (Index token = now.first_token; token < now.first_token + now.tokens; ++token) {
        for (int layer = 0; layer < now.readout.layers; ++layer) {
            if (!now.lens_cell(layer, token)) return false;
        }
    }
    return true;
}
bool has_attribution(const InsidePicture& now) { return now.attribution || now.attribution_error; }
bool has_patches(const InsidePicture& now) {
    if (!now.other || now.other_error) return true;
    return now.patch == PatchBy::paths ? now.paths.has_value()
                                       : now.patched.size() >= now.patches.size();
}

/// One step of what is left. Errors: what the measures say.
Result<void> measure_some(InsidePicture& now, const std::shared_ptr<const models::Run>& run,
                          num::ThreadPool& pool, const std::stop_token& stop) {
    if (now.complete()) return measure_lens(now, *run, kUnseenAtOnce, pool, stop);
    if (!has_attribution(now)) {
        auto made = inside::attribute(*run, now.question);
        if (made) {
            now.attribution = *std::move(made);
        } else {
            now.attribution_error = made.error();
        }
        return {};
    }
    if (!has_lens(now)) return measure_lens(now, *run, kAtOnce, pool, stop);
    if (now.without.size() < now.parts) return measure_parts(now, run, pool, stop);
    auto patched = now.patch == PatchBy::paths ? measure_paths(now, run, pool, stop)
                                               : measure_patches(now, run, pool, stop);
    if (patched || patched.error().kind == ErrorKind::cancelled) return patched;
    now.other_error = patched.error();
    return {};
}

} // namespace

inside::Instead InsidePicture::instead() const {
    const bool lacks = asked.instead == inside::Instead::other && !other;
    const inside::Instead chosen = lacks ? inside::Instead::mean : asked.instead;
    const bool mute = chosen == inside::Instead::mean && mean_changes_nothing;
    return mute ? inside::Instead::zero : chosen;
}

bool InsidePicture::means_of_corpus(const models::Run& run) const {
    return instead() == inside::Instead::mean && means && means->model == run.model;
}

const inside::LensCell* InsidePicture::lens_cell(int layer, Index token) const {
    if (!lens || layer < 0 || token < 0 || token >= lens_tokens) return nullptr;
    const auto at = static_cast<std::size_t>(layer * lens_tokens + token);
    return at < lens->size() && !(*lens)[at].likeliest.empty() ? &(*lens)[at] : nullptr;
}

bool InsidePicture::lens_complete() const {
    return error || lens_measured >= static_cast<std::size_t>(readout.layers * lens_tokens);
}

bool InsidePicture::complete() const {
    if (error) return true;
    return other_read && answers_words() && without.size() >= parts && has_patches(*this);
}

bool InsidePicture::answers_words() const {
    return error || (has_lens(*this) && has_attribution(*this));
}

std::shared_ptr<const InsidePicture> inside_begun(const Snapshot& snapshot, const Snapshot* before,
                                                  num::ThreadPool& pool) {
    const models::Run& run = *snapshot.run;
    const InsidePicture* former =
        before && before->run == snapshot.run ? before->inside.get() : nullptr;
    const bool same = former && former->asked == snapshot.document.inside &&
                      former->means == snapshot.needs.means;
    if (same) return before->inside;
    auto now = std::make_shared<InsidePicture>();
    now->asked = snapshot.document.inside;
    now->means = snapshot.needs.means;
    now->patch = now->asked.patch;
    const auto readout = inside::any_readout_of(run);
    const auto question = readout ? question_of(run, *readout, now->asked, pool)
                                  : Result<inside::Question>(tl::make_unexpected(readout.error()));
    if (!question) {
        now->error = question.error();
        return now;
    }
    now->readout = *readout;
    now->question = *question;
    read_answer(*now, run, pool);
    if (!readout->classes) {
        now->lens_tokens = inside::askable_tokens(run, *readout);
        now->tokens = std::min(now->lens_tokens, kLensTokens);
        now->first_token = std::clamp<Index>(now->question.token - now->tokens / 2, 0,
                                             now->lens_tokens - now->tokens);
    }
    if (readout->recurrent) {
        now->other_read = true;
        now->other_error = inside::readout_of(run).error();
    } else {
        now->parts = inside::parts_of(run).size();
    }
    if (former) now->following = former->following;
    if (former && !now->means) now->mean_changes_nothing = former->mean_changes_nothing;
    if (former && former->question == now->question) {
        now->accounts = former->accounts;
        now->accounts_error = former->accounts_error;
        now->other_rows = former->other_rows;
    }
    now->norms = former ? former->norms : inside::layer_norms(run);
    if (former && former->lens_tokens == now->lens_tokens) {
        now->lens = former->lens;
        now->lens_measured = former->lens_measured;
    }
    return now;
}

std::shared_ptr<const InsidePicture> inside_measured(const Snapshot& snapshot, KnownWords& known,
                                                     num::ThreadPool& pool,
                                                     const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kSlice = std::chrono::milliseconds(50);
    auto now = std::make_shared<InsidePicture>(*snapshot.inside);
    const auto end = Clock::now() + kSlice;
    do {
        if (!now->other_read && now->answers_words()) { // the quick cards come first
            if (!read_other(*now, snapshot, known, pool, stop)) return nullptr;
            continue;
        }
        const auto ok = measure_some(*now, snapshot.run, pool, stop);
        if (stop.stop_requested()) return nullptr;
        if (!ok) now->error = ok.error();
    } while (!now->complete() && Clock::now() < end);
    return now;
}

} // namespace heed::app
