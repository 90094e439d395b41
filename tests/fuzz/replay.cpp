// Runs a fuzz target over its committed corpus and over mutations of it, the same ones every time.
// usage: replay <corpus folder> [<mutations>]; or replay <file>, to look at one finding.
#include "fuzz/mutator.hpp"
#include "fuzz/target.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Keeps the input of a finding, because a crash leaves no other trace of it.
bool run(const std::string& input, const std::string& what) {
    try {
        // A copy of just this size, so that a sanitizer sees a read past the end.
        const std::vector<char> exact(input.begin(), input.end());
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(exact.data()), exact.size());
        return true;
    } catch (const std::exception& error) {
        std::ofstream("finding.bin", std::ios::binary) << input;
        std::fprintf(stderr, "%s: %s (input kept in finding.bin)\n", what.c_str(), error.what());
        return false;
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s <corpus folder or file> [<mutations>]\n", argv[0]);
        return 2;
    }
    if (fs::is_regular_file(argv[1])) return run(read(argv[1]), argv[1]) ? 0 : 1;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(argv[1])) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    if (paths.empty()) {
        std::fprintf(stderr, "%s holds no inputs\n", argv[1]);
        return 1;
    }
    std::vector<std::string> corpus;
    bool survived = run("", "the empty input");
    for (const fs::path& path : paths) {
        corpus.push_back(read(path));
        survived = run(corpus.back(), path.filename().string()) && survived;
    }
    const int mutations = argc > 2 ? std::atoi(argv[2]) : 0;
    heed::fuzz::Mutator mutator(20170612); // the day "Attention is all you need" appeared
    for (int i = 0; i < mutations && survived; ++i) {
        const std::size_t from = mutator.below(corpus.size());
        survived = run(mutator.mutate(corpus[from], corpus),
                       "mutation " + std::to_string(i) + " of " + paths[from].filename().string());
    }
    return survived ? 0 : 1;
}
