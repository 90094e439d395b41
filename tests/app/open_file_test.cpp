#include "app/files/file_desk.hpp"
#include "app/files/open_file.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <thread>

using namespace heed;

namespace {

void write(const std::string& path, std::string_view bytes) {
    REQUIRE(base::write_file_atomic(path, bytes));
}

std::string why(const std::string& path) {
    const auto opened = app::read_opened(path);
    REQUIRE_FALSE(opened.has_value());
    return base::describe(opened.error());
}

app::FileDone wait_for(app::FileDesk& desk) {
    while (desk.busy()) {
        if (auto done = desk.take()) return *std::move(done);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the desk has nothing to do");
    return app::FileSaved{};
}

} // namespace

TEST_CASE("a text becomes one line of valid UTF-8, and bytes that are none are refused") {
    const TemporaryFolder folder;
    write(folder / "a.txt", "one\r\ntwo\tcaf\xC3");
    const auto opened = app::read_opened(folder / "a.txt");
    REQUIRE(opened);
    CHECK(std::get<app::OpenedText>(*opened).sentence == "one  two caf\uFFFD");
    write(folder / "b.bin", std::string_view("a\0b", 3));
    CHECK(contains(why(folder / "b.bin"), "is not a text"));
    write(folder / "c.txt", std::string(64 * 1024 + 1, 'a'));
    CHECK(contains(why(folder / "c.txt"), "c.txt"));
    CHECK(contains(why(folder / "none.txt"), "none.txt"));
    CHECK(contains(why(folder.path()), folder.path()));
    CHECK(contains(why(folder.path()), "no config.json in this folder"));
    CHECK(contains(why(folder.path()), "tokenizer"));
}

TEST_CASE("a folder with a config.json is a model, and so are its files") {
    const TemporaryFolder folder;
    write(folder / "config.json", "{}");
    write(folder / "pytorch_model.bin", "PK");
    for (const std::string& path :
         {folder.path(), folder / "config.json", folder / "pytorch_model.bin"}) {
        const auto opened = app::read_opened(path);
        REQUIRE(opened);
        CHECK(std::holds_alternative<app::OpenedModel>(*opened));
    }
}

TEST_CASE("a session finds its model where it was, or beside itself, and says when it is gone") {
    const TemporaryFolder folder, other;
    app::Session session;
    session.document.model_file = folder / "m.safetensors";
    session.kept.push_back({"with another", session.document, {}, {}});
    session.kept[0].document.model_file = folder / "k.safetensors";
    REQUIRE(app::save_session(session, folder / "s.json"));
    CHECK(contains(why(folder / "s.json"), "m.safetensors, is gone"));

    write(folder / "m.safetensors", "x");
    const auto here = app::read_opened(folder / "s.json");
    REQUIRE(here);
    const auto& opened = std::get<app::OpenedSession>(*here);
    CHECK(opened.session.document.model_file == folder / "m.safetensors");
    CHECK(contains(opened.remark, "with another"));

    // The folder was moved as a whole.
    std::filesystem::rename(folder / "m.safetensors", other / "m.safetensors");
    std::filesystem::rename(folder / "s.json", other / "s.json");
    const auto moved = app::read_opened(other / "s.json");
    REQUIRE(moved);
    CHECK(std::get<app::OpenedSession>(*moved).session.document.model_file ==
          other / "m.safetensors");
}

TEST_CASE("a session finds its GGUF file beside itself, and says when it is gone") {
    const TemporaryFolder folder, other;
    app::Session session;
    session.document.model_file = folder / "m.gguf";
    REQUIRE(app::save_session(session, other / "s.json"));
    CHECK(contains(why(other / "s.json"), "m.gguf, is gone"));
    write(other / "m.gguf", "x");
    const auto opened = app::read_opened(other / "s.json");
    REQUIRE(opened);
    CHECK(std::get<app::OpenedSession>(*opened).session.document.model_file == other / "m.gguf");
}

TEST_CASE("a picture is known by its first bytes, and a session finds its own beside itself") {
    const TemporaryFolder folder, other;
    write(folder / "cat", "\x89PNG\r\n and no more");
    const auto opened = app::read_opened(folder / "cat");
    REQUIRE(opened);
    CHECK(std::holds_alternative<app::OpenedPicture>(*opened));
    app::Session session;
    session.document.image_file = folder / "cat";
    REQUIRE(app::save_session(session, other / "s.json"));
    const auto picture = [&] {
        return std::get<app::OpenedSession>(app::read_opened(other / "s.json").value())
            .session.document.image_file;
    };
    CHECK(picture() == folder / "cat");
    std::filesystem::rename(folder / "cat", other / "cat");
    CHECK(picture() == other / "cat");
    std::filesystem::remove(other / "cat");
    CHECK(picture() == folder / "cat"); // gone: the engine says so
}

TEST_CASE("a GGUF file is a decoder alone, whatever lies beside it") {
    const TemporaryFolder folder;
    write(folder / "m.gguf", "GGUF");
    write(folder / "config.json", R"({"is_encoder_decoder": true})");
    const auto opened = app::read_opened(folder / "m.gguf");
    REQUIRE(opened);
    CHECK(std::get<app::OpenedModel>(*opened).of_one_sequence);
}

TEST_CASE("a path may begin at home, or be relative") {
    CHECK(app::whole_path("/a/../b") == "/b");
    CHECK(app::whole_path("x.json") == (std::filesystem::current_path() / "x.json").string());
    if (const char* home = std::getenv("HOME")) {
        const auto expected = (std::filesystem::absolute(home) / "x").lexically_normal();
        CHECK(app::whole_path("~/x") == expected.string());
    }
    CHECK(app::whole_path("/~x") == "/~x");
}

TEST_CASE("the desk does one thing after the other, and ends only when all is written") {
    const TemporaryFolder folder;
    app::Session session;
    session.document.source = "first";
    {
        app::FileDesk desk;
        CHECK_FALSE(desk.busy());
        desk.save(session, folder / "s.json");
        desk.open(folder / "s.json");
        const auto saved = wait_for(desk);
        REQUIRE(std::holds_alternative<app::FileSaved>(saved));
        CHECK(std::get<app::FileSaved>(saved).result);
        const auto opened = std::get<app::FileOpened>(wait_for(desk));
        REQUIRE(opened.result);
        CHECK(std::get<app::OpenedSession>(*opened.result).session == session);
        CHECK_FALSE(desk.busy());
        CHECK_FALSE(desk.take());
        desk.save(session, "/nowhere/s.json");
        CHECK_FALSE(std::get<app::FileSaved>(wait_for(desk)).result);
        session.document.source = "last";
        desk.save(session, folder / "t.json");
    }
    CHECK(app::load_session(folder / "t.json").value() == session);
}

TEST_CASE("what is no file is refused, and not waited for") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe.txt";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(contains(why(pipe), "is not a file"));
    CHECK(contains(why(folder / "."), "no config.json in this folder"));
}
