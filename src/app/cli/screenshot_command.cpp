// heed screenshot: parses; the window's own room draws.
#include "app/cli/command.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/cli/image_flag.hpp"
#include "app/cli/maps_flag.hpp"
#include "app/cli/view_flags.hpp"
#include "app/document/names.hpp"
#include "app/engine/prepare.hpp"
#include "app/learn/lessons.hpp"
#include "lab/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

/// "1600x1000".
Result<void> read_window(const Given& given, ScreenshotRequest& request) {
    const auto size = given.find("--window");
    if (!size) return {};
    const std::size_t cross = size->find('x');
    if (cross == std::string::npos) {
        return fail(ErrorKind::usage, "--window",
                    fmt::format("'{}' is not WIDTHxHEIGHT such as 1600x1000", *size));
    }
    const auto width =
        parse_integer(std::string_view(*size).substr(0, cross), "--window", 320, 16384);
    if (!width) return tl::make_unexpected(width.error());
    const auto height =
        parse_integer(std::string_view(*size).substr(cross + 1), "--window", 240, 16384);
    if (!height) return tl::make_unexpected(height.error());
    request.width = static_cast<int>(*width);
    request.height = static_cast<int>(*height);
    return {};
}

/// A room other than Explore is a view of its own.
Result<void> read_room(const Given& given, ViewState& view) {
    const std::string room = given.find("--room").value_or("explore");
    if (room == "explore") return {};
    constexpr View kRooms[] = {View::inside, View::learn, View::positions, View::softmax,
                               View::train};
    const auto* named = std::ranges::find(kRooms, room, [](View v) { return info(v).name; });
    if (named == std::end(kRooms)) {
        return fail(
            ErrorKind::usage, "--room",
            fmt::format("'{}' is not one of explore, inside, learn, positions, softmax, train",
                        room));
    }
    if (given.has("--view")) {
        return fail(ErrorKind::usage, "--view", "is Explore's; it cannot stand beside this --room");
    }
    if (*named == View::train && given.has("--model")) {
        return fail(ErrorKind::usage, "--model",
                    "is not read in --room train, which trains models of its own");
    }
    view.view = *named;
    return {};
}

Result<void> check_lesson(const ScreenshotRequest& request) {
    if (request.view.view == View::learn) {
        return fail(ErrorKind::usage, "--lesson",
                    "a card is followed in any room but Learn, where it is chosen");
    }
    const auto& lessons = shipped_lessons();
    if (std::ranges::find(lessons, request.lesson, &ListedLesson::name) != lessons.end()) return {};
    return fail(ErrorKind::usage, "--lesson",
                fmt::format("'{}' is no card; see heed lesson", request.lesson));
}

Result<void> read_card(const Given& given, ScreenshotRequest& request) {
    request.card = given.find("--card").value_or("");
    request.presents = given.has("--presenting");
    if (!request.card.empty() && request.presents) {
        return fail(ErrorKind::usage, "--card", "does not lie over the stage of --presenting");
    }
    if (request.card == "models" && request.view.view == View::train) {
        return fail(ErrorKind::usage, "--card", "models are not chosen in --room train");
    }
    const auto* named = std::ranges::find(kScreenshotCards, request.card);
    if (request.card.empty() || named != std::end(kScreenshotCards)) return {};
    return fail(
        ErrorKind::usage, "--card",
        fmt::format("'{}' is not one of {}", request.card, fmt::join(kScreenshotCards, ", ")));
}

Result<ScreenshotRequest> read_request(const Given& given) {
    ScreenshotRequest request;
    request.output = given.find("--output").value_or("");
    if (request.output.empty()) {
        return fail(ErrorKind::usage, "--output", "is needed: a path that ends in .png, or -");
    }
    if (request.output != "-" && !request.output.ends_with(".png")) {
        return fail(ErrorKind::usage, "--output",
                    fmt::format("'{}' does not end in .png, and is not -", request.output));
    }
    const auto view = read_view(given);
    if (!view) return tl::make_unexpected(view.error());
    request.view = *view;
    Result<void> ok = read_room(given, request.view);
    if (ok) ok = read_window(given, request);
    if (ok) ok = read_card(given, request);
    if (ok) ok = read_real(given, "--scale", {0.5, 8}, request.scale);
    if (ok) ok = read_maps(given, request.document);
    if (ok) ok = read_model(given, request.document);
    if (ok) ok = read_sentences(given, request.document);
    if (ok) ok = read_controls_file(given, request.document);
    if (ok) ok = read_integer(given, "--train-steps", 1, 100'000, request.train_steps);
    request.page = given.find("--page").value_or("");
    const bool page_there = request.page.empty() || lab::page_named(request.page) != nullptr;
    if (ok && !page_there) {
        ok = fail(ErrorKind::usage, "--page",
                  fmt::format("'{}' is no page; see heed learn", request.page));
    }
    request.lesson = given.find("--lesson").value_or("");
    if (ok && !request.lesson.empty()) ok = check_lesson(request);
    if (ok && request.train_steps > 0 && request.view.view != View::train) {
        ok = fail(ErrorKind::usage, "--train-steps", "is of --room train alone");
    }
    if (!ok) return tl::make_unexpected(ok.error());
    return request;
}

/// A model is read for the words alone that are named.
Result<void> ask_inside(const Given& given, num::ThreadPool& pool, Document& document) {
    std::shared_ptr<const models::Model> model;
    if (asks_of_words(given)) {
        auto read = prepare_model(document, pool);
        if (!read) return tl::make_unexpected(read.error());
        model = *std::move(read);
    }
    return read_asked(given, model, pool, document);
}

int run_screenshot(const Given& given, const Io& io) {
    auto request = read_request(given);
    if (!request) return complain_of_flags(io, request.error());
    num::ThreadPool pool;
    const auto model = facts_of(request->document, pool);
    if (!model) return complain_of_run(io, model.error(), &given);
    if (const auto ok = check_image(given, model->config); !ok) {
        return complain_of_flags(io, ok.error());
    }
    if (const auto ok = check_maps(given, model->config, request->document); !ok) {
        return complain_of_flags(io, ok.error());
    }
    fit_sentences(given, *model, request->document);
    fit_view(io, given, model->config, request->view);
    if (request->view.view == View::inside) {
        if (const auto ok = ask_inside(given, pool, request->document); !ok) {
            return complain_of_flags(io, ok.error());
        }
    }
    const auto focus = read_focus(given, *model);
    if (!focus) return complain_of_flags(io, focus.error());
    request->focus = *focus;
    if (io.screenshot == nullptr) {
        return complain(io,
                        {ErrorKind::unavailable, "screenshot", "this build has no window to draw"},
                        kFailed);
    }
    return io.screenshot(*request);
}

} // namespace

Command screenshot_command() {
    std::vector<Flag> flags = {
        {"-o,--output", "PATH", "a .png file; - is standard output", kOutput},
        {"--room", "ROOM", "explore, inside, learn, positions, softmax, train (default explore)",
         kOutput},
        {"--page", "PAGE", "a page of --room learn, as heed learn lists them", kOutput},
        {"--lesson", "NAME", "the card of a lesson above it, as heed lesson lists them", kOutput},
        {"--card", "NAME", fmt::format("that lies over it: {}", fmt::join(kScreenshotCards, ", ")),
         kOutput},
        {"--presenting", "", "the stage alone, as F11 shows it", kOutput},
        {"--train-steps", "N", "steps that four models take in --room train before the picture",
         kOutput},
        {"--window", "WIDTHxHEIGHT", "of the window (default 1600x1000)", kOutput},
        {"--scale", "X", "pixels a unit of the window, 0.5 to 8 (default 1)", kOutput},
        controls_file_flag(),
    };
    for (const auto& list : {view_flags(), model_flags(), maps_flags(), sentence_flags(),
                             question_flags(), std::vector<Flag>{patch_flag()}}) {
        flags.insert(flags.end(), list.begin(), list.end());
    }
    return {"screenshot",
            "Draw the real window off-screen, as a picture.",
            "No display is needed.",
            "Examples:\n"
            "  heed screenshot --room explore --window 1600x1000 --scale 1 -o shot.png\n"
            "  heed screenshot --theme dark --layer 2 --head 3 --scale 2 -o dark.png",
            std::move(flags),
            run_screenshot};
}

} // namespace heed::app
