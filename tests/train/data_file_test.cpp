#include "train/data/data_file.hpp"

#include "catch.hpp"
#include "paths.hpp"

#include <cstdio>
#include <fstream>

using namespace heed;
using namespace heed::train;
using base::ErrorKind;

namespace {

using Strings = std::vector<std::string>;

std::vector<std::size_t> numbers(const BadLines& bad) {
    std::vector<std::size_t> lines;
    for (const BadLine& line : bad.first) lines.push_back(line.line);
    return lines;
}

} // namespace

TEST_CASE("pairs are read as Tatoeba and Anki export them") {
    const auto file = parse_pairs("I ate an apple.\t我昨天吃了一个苹果。\tCC-BY 2.0 (France)\r\n"
                                  "\r\n"
                                  "Go.\tVa !\n"
                                  "The end.\tFin.");
    REQUIRE(file);
    CHECK(file->bad.count == 0);
    REQUIRE(file->pairs.size() == 3);
    CHECK(file->pairs[0].source == Strings{"I", "ate", "an", "apple", "."});
    CHECK(file->pairs[0].target.front() == "我");
    CHECK(file->pairs[0].target.size() > 4); // the dictionary found words
    CHECK(file->pairs[1].target == Strings{"Va", "!"});
    CHECK(file->pairs[2].target == Strings{"Fin", "."});
    CHECK(file->pairs[0].label == -1);
}

TEST_CASE("a byte order mark is no part of the first word") {
    const auto file = parse_pairs("\xEF\xBB\xBFHello\tBonjour\n");
    REQUIRE(file);
    CHECK(file->pairs[0].source == Strings{"Hello"});
}

TEST_CASE("bad lines are told by their numbers and skipped") {
    std::string bytes = "one\tun\n"
                        "no tab here\n"
                        "two\tdeux\n"
                        "\tnothing\n"
                        "nothing\t \n"
                        "broken \xFF\tcassé\n"
                        "\n";
    bytes += std::string("long");
    for (int i = 0; i < 300; ++i) bytes += " word";
    bytes += "\tlong\nthree\ttrois\n";
    const auto file = parse_pairs(bytes);
    REQUIRE(file);
    CHECK(file->pairs.size() == 3);
    CHECK(file->bad.count == 5);
    CHECK(numbers(file->bad) == std::vector<std::size_t>{2, 4, 5, 6, 8});
    CHECK(file->bad.first[0].reason == "it has no tab");
    CHECK(file->bad.first[1].reason == "there is no source");
    CHECK(file->bad.first[2].reason == "there is no target");
    CHECK(file->bad.first[3].reason == "it is not valid UTF-8");
    CHECK(file->bad.first[4].reason == "the source has more than 200 words");
}

TEST_CASE("of a long text that is labelled the first words are read") {
    std::string bytes = "news\t";
    for (int i = 0; i < 300; ++i) bytes += "word ";
    const auto file = parse_labelled(bytes + "\n");
    REQUIRE(file);
    CHECK(file->bad.count == 0);
    CHECK(file->pairs[0].source.size() == 200);
}

TEST_CASE("of ten thousand bad lines a hundred are kept and all are counted") {
    std::string bytes;
    for (int i = 0; i < 10'000; ++i) bytes += "bad\n";
    const auto file = parse_pairs(bytes + "good\tbon\n");
    REQUIRE(file);
    CHECK(file->bad.count == 10'000);
    CHECK(file->bad.first.size() == 100);
}

TEST_CASE("a file without a good line is an error that says what is wrong with it") {
    const auto file = parse_pairs("a b c\nd e f\n");
    REQUIRE(!file);
    CHECK(file.error().kind == ErrorKind::malformed);
    CHECK(file.error().message ==
          "no line has two columns with a tab between them; line 1: it has no tab");
    CHECK(parse_pairs("").error().message == "the file is empty");
    CHECK(parse_pairs("\n\n\r\n").error().kind == ErrorKind::malformed);
}

TEST_CASE("lines beyond the limit are not read, and that is told") {
    const auto file = parse_pairs("a\tb\nc\td\ne\tf\n", {.lines = 2});
    REQUIRE(file);
    CHECK(file->pairs.size() == 2);
    CHECK(file->cut);
    CHECK(!parse_pairs("a\tb\nc\td\n", {.lines = 2})->cut);
}

TEST_CASE("labels are counted in the order they come") {
    const auto file = parse_labelled("sport\tthe team won\n体育\t球队 赢 了 比赛\n"
                                     " sport \tthey lost again\n\tno label\n");
    REQUIRE(file);
    CHECK(file->labels == Strings{"sport", "体育"});
    REQUIRE(file->pairs.size() == 3);
    CHECK(file->pairs[0].source == Strings{"the", "team", "won"});
    CHECK(file->pairs[0].target.empty());
    CHECK(file->pairs[1].label == 1);
    CHECK(file->pairs[2].label == 0);
    CHECK(numbers(file->bad) == std::vector<std::size_t>{4});
}

TEST_CASE("files are told by their paths") {
    const std::string path = HEED_BINARY_DIR "/data_file_test.tsv";
    std::ofstream(path) << "bonjour\thello\n";
    CHECK(read_pairs(path)->pairs.size() == 1);
    CHECK(read_pairs(path, {.bytes = 4}).error().kind == ErrorKind::out_of_range);
    std::ofstream(path) << "bonjour\n";
    const auto broken = read_labelled(path);
    REQUIRE(!broken);
    CHECK(broken.error().subject == path);
    std::remove(path.c_str());
    CHECK(read_pairs(path).error().kind == ErrorKind::not_found);
}

TEST_CASE("a source that comes with several targets stays on one side") {
    std::vector<Pair> pairs;
    for (int i = 0; i < 400; ++i) pairs.push_back({{std::to_string(i % 100)}, {"x"}, {}, -1});
    const TaskData data = split(pairs);
    CHECK(data.training.size() + data.held_out.size() == 400);
    CHECK(data.held_out.size() % 4 == 0);
    CHECK(!data.held_out.empty());
}

TEST_CASE("word vectors are read with and without a header") {
    const std::string lines = "the 0.5 -1 2e-3\n苹果 1 2 3\n";
    for (const std::string& bytes : {lines, "2 3\n" + lines, "\xEF\xBB\xBF" + lines}) {
        const auto vectors = parse_word_vectors(bytes);
        REQUIRE(vectors);
        CHECK(vectors->bad.count == 0);
        CHECK(vectors->words == Strings{"the", "苹果"});
        num::Matrix<float> expected(2, 3);
        expected << 0.5f, -1, 2e-3f, 1, 2, 3;
        CHECK(vectors->vectors == expected);
    }
}

TEST_CASE("a first line of two numbers is a word where nothing follows as it says") {
    const auto vectors = parse_word_vectors("7 3\n8 4\n");
    REQUIRE(vectors);
    CHECK(vectors->words == Strings{"7", "8"});
    CHECK(vectors->vectors(1, 0) == 4);
}

TEST_CASE("bad vectors are told by their lines and skipped") {
    const auto vectors = parse_word_vectors("4 2\n"
                                            "a 1 2\n"
                                            "b 1\n"
                                            "c 1 nan\n"
                                            "d 1 inf\n"
                                            "e 1 x2\n"
                                            "f\n"
                                            "a 3 4\n"
                                            "\xFF 1 2\n"
                                            "g 1e-60 1e60\n"
                                            "h 1e-60 -5\n");
    REQUIRE(vectors);
    CHECK(vectors->words == Strings{"a", "h"});
    CHECK(vectors->vectors(1, 0) == 0);
    CHECK(numbers(vectors->bad) == std::vector<std::size_t>{3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(vectors->bad.first[0].reason == "it has 1 numbers instead of 2");
    CHECK(vectors->bad.first[1].reason == "\"nan\" is not finite");
    CHECK(vectors->bad.first[3].reason == "\"x2\" is not a number");
    CHECK(parse_word_vectors("a b c\n").error().kind == ErrorKind::malformed);
}

TEST_CASE("of a vocabulary's vectors only its words are kept, and fill its rows") {
    const text::Vocabulary vocabulary({"apple", "pear"}, 2);
    const auto vectors =
        parse_word_vectors("plum 9 9\npear 1 2\n⟨end⟩ 7 7\n⟨pad⟩ 8 8\n", &vocabulary);
    REQUIRE(vectors);
    CHECK(vectors->words == Strings{"pear"});
    num::Matrix<float> table = num::Matrix<float>::Zero(7, 2);
    CHECK(fill_embedding(*vectors, vocabulary, table).value() == 1);
    CHECK(table(4, 0) == 1);
    CHECK(table(4, 1) == 2);
    CHECK(table.cwiseAbs().sum() == 3);
    num::Matrix<float> wide(7, 5);
    const auto wrong = fill_embedding(*vectors, vocabulary, wide);
    REQUIRE(!wrong);
    CHECK(wrong.error().kind == ErrorKind::mismatch);
}

TEST_CASE("every prefix of a good file is read or refused, none breaks the reader") {
    const std::string pairs = "吃苹果\teat an apple\tnote\r\nde l’eau\twater\n";
    const std::string vectors = "2 3\n吃 0.5 -1e-3 2\neau 1 2 3\n";
    for (std::size_t n = 0; n <= pairs.size(); ++n) {
        const auto file = parse_pairs(pairs.substr(0, n));
        CHECK((file || file.error().kind == ErrorKind::malformed));
        (void)parse_labelled(pairs.substr(0, n));
    }
    for (std::size_t n = 0; n <= vectors.size(); ++n) {
        const auto file = parse_word_vectors(vectors.substr(0, n));
        CHECK((file || file.error().kind == ErrorKind::malformed));
    }
}
