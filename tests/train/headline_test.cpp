#include "train/tasks/task.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace heed;
using namespace heed::train;

namespace {

constexpr Task kHeadlines[] = {Task::headlines_zh, Task::headlines_en};

/// How often each word comes with each topic.
std::map<std::string, std::vector<double>> counts(const std::vector<Pair>& pairs) {
    std::map<std::string, std::vector<double>> found;
    for (const Pair& pair : pairs) {
        for (const auto& word : std::set<std::string>(pair.source.begin(), pair.source.end())) {
            auto& topics = found.try_emplace(word, 10, 0.0).first->second;
            topics[static_cast<std::size_t>(pair.label)] += 1;
        }
    }
    return found;
}

} // namespace

TEST_CASE("headlines have ten topics, each about as often") {
    for (const Task task : kHeadlines) {
        CHECK(is_classification(task));
        REQUIRE(labels(task).size() == 10);
        const TaskData data = make_task(task, {.training = 5000, .held_out = 500});
        CHECK(data.training.size() == 5000);
        CHECK(data.held_out.size() == 500);
        std::vector<int> times(10);
        for (const Pair& pair : data.training) {
            CHECK(pair.target.empty());
            CHECK(pair.source.size() >= 2);
            ++times.at(static_cast<std::size_t>(pair.label));
        }
        CHECK(*std::min_element(times.begin(), times.end()) > 400);
    }
}

TEST_CASE("a headline has one topic") {
    for (const Task task : kHeadlines) {
        std::map<std::string, int> topics;
        for (std::uint64_t i = 0; i < 40'000; ++i) {
            const Pair pair = draw_pair(task, {}, i);
            INFO(joined(pair.source));
            CHECK(topics.emplace(joined(pair.source), pair.label).first->second == pair.label);
        }
    }
}

TEST_CASE("words together tell the topic, the most telling word alone does not") {
    for (const Task task : kHeadlines) {
        INFO(name(task));
        const TaskData data = make_task(task, {.training = 10'000, .held_out = 1000});
        const auto words = counts(data.training);
        int by_one_word = 0, by_all = 0;
        for (const Pair& pair : data.held_out) {
            // The topic that the one word says which says most; and naive Bayes over all words.
            double most = 0;
            std::size_t said = 0;
            std::vector<double> sums(10);
            for (const auto& word : pair.source) {
                const auto found = words.find(word);
                if (found == words.end()) continue;
                double total = 0;
                for (const double c : found->second) total += c;
                for (std::size_t t = 0; t < 10; ++t) {
                    sums[t] += std::log(found->second[t] + 0.1);
                    // A word seen ten times says less than one seen a hundred times as purely.
                    const double share = found->second[t] / (total + 1);
                    if (share > most) {
                        most = share;
                        said = t;
                    }
                }
            }
            const auto best = std::max_element(sums.begin(), sums.end()) - sums.begin();
            by_one_word += static_cast<int>(said) == pair.label ? 1 : 0;
            by_all += best == pair.label ? 1 : 0;
        }
        CHECK(by_one_word < 940);
        CHECK(by_all > 950);
    }
}

TEST_CASE("a user who types a headline gets its words") {
    for (const Task task : kHeadlines) {
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const Pair pair = draw_pair(task, {}, i);
            std::vector<std::string> typed;
            for (const auto& token :
                 text::tokenize(joined(pair.source), text::Segmentation::words, 99)) {
                typed.push_back(token.text);
            }
            CHECK(typed == pair.source);
        }
    }
}
