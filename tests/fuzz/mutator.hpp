// Small deterministic changes to an input, so that an ordinary test run fuzzes a little.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heed::fuzz {

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    /// One to four changes of `input`; `corpus` is what pieces are taken from.
    std::string mutate(std::string input, const std::vector<std::string>& corpus) {
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(input, corpus);
        return input;
    }

    std::size_t below(std::size_t bound) {
        return bound == 0 ? 0 : static_cast<std::size_t>(random_() % bound);
    }

  private:
    void change(std::string& input, const std::vector<std::string>& corpus) {
        const std::size_t at = below(input.size() + 1);
        const std::size_t length = std::min(input.size() - at, 1 + below(16));
        switch (below(8)) {
        case 0: // a bit
            if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
            break;
        case 1: // a byte
            if (at < input.size()) input[at] = static_cast<char>(below(256));
            break;
        case 2: input.erase(at, length); break;
        case 3: input.insert(at, input.substr(at, length)); break;
        case 4: input.insert(at, 1, static_cast<char>(below(256))); break;
        case 5: input.resize(at); break;
        case 6: overwrite_number(input, at); break;
        case 7: { // a piece of another input
            const std::string& other = corpus[below(corpus.size())];
            input.insert(at, other.substr(below(other.size() + 1), 1 + below(32)));
            break;
        }
        }
    }

    /// Lengths and offsets at the borders of their types.
    void overwrite_number(std::string& input, std::size_t at) {
        constexpr std::uint64_t kBorders[] = {0,          1,          0x7F,       0xFF,
                                              0x7FFF,     0xFFFF,     0x7FFFFFFF, 0xFFFFFFFF,
                                              1ull << 32, 1ull << 62, 1ull << 63, ~0ull};
        std::uint64_t number = kBorders[below(std::size(kBorders))];
        const std::size_t width =
            std::min<std::size_t>(std::size_t{1} << below(4), input.size() - at);
        for (std::size_t i = 0; i < width; ++i, number >>= 8) {
            input[at + i] = static_cast<char>(number & 0xFF);
        }
    }

    std::mt19937_64 random_;
};

} // namespace heed::fuzz
