// A lesson's file is a lesson, or says of every mistake where it stands.
#include "app/learn/lesson.hpp"
#include "base/utf8.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const app::ReadLesson read = app::parse_lesson(fuzz::bytes_of(data, size), "lesson.md");
    for (const base::Error& error : read.wrong) {
        HEED_CHECK(error.subject.starts_with("lesson.md, line "), "a mistake without a line");
        HEED_CHECK(base::is_valid_utf8(error.message), "a message that is no text");
    }
    if (!read.wrong.empty()) return 0;
    HEED_CHECK(!read.lesson.title.empty() && !read.lesson.checks.empty(), "a lesson of nothing");
    for (const app::Condition& check : read.lesson.checks) {
        const auto again = app::parse_condition(check.written, "again");
        HEED_CHECK(again && again->kind == check.kind && again->fact == check.fact,
                   "a condition that is not read as it is written");
    }
    return 0;
}
