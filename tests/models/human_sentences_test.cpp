// The shipped models on sentences written by hand, not on what a grammar wrote.
#include "catch.hpp"
#include "models/model/model.hpp"
#include "models/open.hpp"
#include "paths.hpp"
#include "text/known_words.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

using namespace heed;

namespace {

using Shipped = std::shared_ptr<const models::Model>;

/// The fields of each line, which tabs separate.
std::vector<std::vector<std::string>> lines_of(const std::string& file) {
    std::ifstream stream(std::string(HEED_SOURCE_DIR "/tests/models/") + file);
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        auto& list = lines.emplace_back();
        for (std::string field; std::getline(fields, field, '\t');) list.push_back(field);
    }
    return lines;
}

Shipped shipped(const std::string& name, num::ThreadPool& pool) {
    static std::map<std::string, Shipped> loaded;
    if (const auto found = loaded.find(name); found != loaded.end()) return found->second;
    auto model =
        models::load_model(HEED_SOURCE_DIR "/assets/models/" + name + ".safetensors", pool);
    if (!model) FAIL(base::describe(model.error()));
    return loaded[name] = *model;
}

std::shared_ptr<const models::Run> sentence_read(const Shipped& model, const std::string& sentence,
                                                 num::ThreadPool& pool) {
    models::Input input;
    input.source = text::tokenize(sentence, text::Segmentation::words, *model->words());
    for (const text::Token& token : input.source) {
        INFO(sentence << ": " << token.text);
        CHECK(token.known);
    }
    input.decoding.limit = 40;
    auto run = models::run(model, input, {}, pool);
    if (!run) FAIL(base::describe(run.error()));
    return *run;
}

/// Words between spaces, without what begins and ends every sentence.
std::string said(const models::Run& run) {
    std::string sentence;
    for (const text::Token& token : run.trace.target) {
        if (token.text == models::kStartToken || token.text == models::kEndToken) continue;
        sentence += (sentence.empty() ? "" : " ") + token.text;
    }
    return sentence;
}

bool is_one_of(const std::string& sentence, const std::string& alternatives) {
    return (" | " + alternatives + " | ").find(" | " + sentence + " | ") != std::string::npos;
}

} // namespace

TEST_CASE("of sixty sentences written by hand at least fifty are translated right") {
    num::ThreadPool pool(2);
    const auto lines = lines_of("human_sentences.tsv");
    REQUIRE(lines.size() == 60);
    int right = 0;
    for (const auto& line : lines) {
        REQUIRE(line.size() == 3);
        const std::string answer = said(*sentence_read(shipped(line[0], pool), line[1], pool));
        const bool good = is_one_of(answer, line[2]);
        right += good ? 1 : 0;
        if (!good) UNSCOPED_INFO(line[0] << ": " << line[1] << " -> " << answer);
    }
    INFO(right << " of 60");
    CHECK(right >= 50);
}

TEST_CASE("of twenty headlines written by hand at least eighteen get their topic") {
    num::ThreadPool pool(2);
    const auto lines = lines_of("human_headlines.tsv");
    REQUIRE(lines.size() == 20);
    for (const std::string name : {"headlines-en-one-head", "headlines-en-four-heads"}) {
        const Shipped model = shipped(name, pool);
        int right = 0;
        for (const auto& line : lines) {
            REQUIRE(line.size() == 2);
            const auto run = sentence_read(model, line[0], pool);
            num::Index best = 0;
            run->trace.tensor("class_probabilities")->values.row(0).maxCoeff(&best);
            const std::string& topic = model->classes()[static_cast<std::size_t>(best)];
            right += topic == line[1] ? 1 : 0;
            if (topic != line[1]) UNSCOPED_INFO(name << ": " << line[0] << " -> " << topic);
        }
        INFO(right << " of 20");
        CHECK(right >= 18);
    }
}
