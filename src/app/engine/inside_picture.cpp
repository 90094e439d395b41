#include "app/engine/inside_picture.hpp"

#include "app/document/prepare_input.hpp"
#include "app/engine/measures.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace heed::app {

namespace {

using base::ErrorKind;
using base::Result;
using num::Index;

constexpr Index kLensTokens = 10;
constexpr std::size_t kSaid = 8;    // words of the list
constexpr std::size_t kAtOnce = 16; // whose logits are read together

Result<inside::Question> question_of(const models::Run& run, const inside::Readout& readout,
                                     const InsideFocus& asked, num::ThreadPool& pool) {
    auto question = inside::usual_question(run, pool);
    if (!question || readout.classes || !asked.token) return question;
    const Index tokens = inside::final_states(run, readout.stack).rows();
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

/// False when stopped.
bool read_other(InsidePicture& now, const Snapshot& snapshot, num::ThreadPool& pool,
                const std::stop_token& stop) {
    const auto& run = snapshot.run;
    const auto input = prepare_other(snapshot.document, *run, now.asked.other);
    if (!input) {
        now.other_error = input.error();
        return true;
    }
    models::RunOptions options;
    options.previous = run;
    options.stop = stop;
    const auto other = models::run(run->model, *input, run->controls, pool, options);
    if (stop.stop_requested()) return false;
    if (!other) {
        now.other_error = other.error();
    } else if (const auto pair = inside::check_pair(*run, **other); !pair) {
        now.other_error = pair.error();
    } else {
        now.other = *other;
        now.patched_stack = inside::patched_stack(*run, **other);
        now.patches = now.asked.patch_heads ? inside::head_by_head(*run)
                                            : inside::layer_by_token(*run, now.patched_stack);
    }
    return true;
}

std::vector<inside::LensPlace> all_places(const InsidePicture& now) {
    return inside::lens_places(now.readout, now.first_token, now.tokens);
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

Result<void> measure_lens(InsidePicture& now, const models::Run& run, num::ThreadPool& pool,
                          const std::stop_token& stop) {
    auto cells = now.lens ? *now.lens : std::vector<inside::LensCell>();
    inside::LensOptions options;
    options.stop = stop;
    const auto more =
        inside::logit_lens(run, following(all_places(now), cells.size(), kAtOnce), pool, options);
    if (!more) return tl::make_unexpected(more.error());
    cells.insert(cells.end(), more->begin(), more->end());
    now.lens = std::make_shared<const std::vector<inside::LensCell>>(std::move(cells));
    return {};
}

Result<void> measure_parts(InsidePicture& now, const std::shared_ptr<const models::Run>& run,
                           num::ThreadPool& pool, const std::stop_token& stop) {
    inside::AblationOptions options;
    options.stop = stop;
    options.instead = now.instead();
    options.other = now.other;
    options.parts = following(all_parts(*run), now.without.size(), kAtOnce);
    options.whole = now.answer;
    const auto more = inside::ablate(run, now.question, pool, options);
    if (!more) return tl::make_unexpected(more.error());
    now.without.insert(now.without.end(), more->parts.begin(), more->parts.end());
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

bool has_other(const InsidePicture& now) {
    return !now.reads_other() || now.other || now.other_error;
}
bool has_lens(const InsidePicture& now) {
    return (now.lens ? now.lens->size() : 0) >= now.lens_cells;
}
bool has_attribution(const InsidePicture& now) { return now.attribution || now.attribution_error; }
bool has_patches(const InsidePicture& now) {
    return !now.other || now.other_error || now.patched.size() >= now.patches.size();
}

/// One step of what is left. Errors: what the measures say.
Result<void> measure_some(InsidePicture& now, const std::shared_ptr<const models::Run>& run,
                          num::ThreadPool& pool, const std::stop_token& stop) {
    if (!has_attribution(now)) {
        auto made = inside::attribute(*run, now.question);
        if (made) {
            now.attribution = *std::move(made);
        } else {
            now.attribution_error = made.error();
        }
        return {};
    }
    if (!has_lens(now)) return measure_lens(now, *run, pool, stop);
    if (now.without.size() < now.parts) return measure_parts(now, run, pool, stop);
    auto patched = measure_patches(now, run, pool, stop);
    if (patched || patched.error().kind == ErrorKind::cancelled) return patched;
    now.other_error = patched.error();
    return {};
}

} // namespace

inside::Instead InsidePicture::instead() const {
    return asked.instead == inside::Instead::other && !other ? inside::Instead::mean
                                                             : asked.instead;
}

bool InsidePicture::complete() const {
    if (error) return true;
    if (!has_other(*this)) return false;
    return has_lens(*this) && has_attribution(*this) && without.size() >= parts &&
           has_patches(*this);
}

std::shared_ptr<const InsidePicture> inside_begun(const Snapshot& snapshot, const Snapshot* before,
                                                  num::ThreadPool& pool) {
    const models::Run& run = *snapshot.run;
    const InsidePicture* former =
        before && before->run == snapshot.run ? before->inside.get() : nullptr;
    if (former && former->asked == *snapshot.needs.inside) return before->inside;
    auto now = std::make_shared<InsidePicture>();
    now->asked = *snapshot.needs.inside;
    const auto readout = inside::readout_of(run);
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
        now->tokens = std::min(now->question.token + 1, kLensTokens);
        now->first_token = now->question.token + 1 - now->tokens;
        now->lens_cells = static_cast<std::size_t>(now->tokens * readout->layers);
    }
    now->parts = inside::parts_of(run).size();
    if (former && former->first_token == now->first_token && former->tokens == now->tokens) {
        now->lens = former->lens;
    }
    return now;
}

std::shared_ptr<const InsidePicture>
inside_measured(const Snapshot& snapshot, num::ThreadPool& pool, const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kSlice = std::chrono::milliseconds(50);
    auto now = std::make_shared<InsidePicture>(*snapshot.inside);
    const auto end = Clock::now() + kSlice;
    if (!has_other(*now) && !read_other(*now, snapshot, pool, stop)) return nullptr;
    do {
        const auto ok = measure_some(*now, snapshot.run, pool, stop);
        if (stop.stop_requested()) return nullptr;
        if (!ok) now->error = ok.error();
    } while (!now->complete() && Clock::now() < end);
    return now;
}

} // namespace heed::app
