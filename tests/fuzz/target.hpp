// What a fuzz target is: one file that defines LLVMFuzzerTestOneInput. It feeds the bytes to one
// reader and checks, with HEED_CHECK, what must hold for any bytes at all; an error that the reader
// returns is a good end, anything thrown or trapped is a finding.
//
// Each target is built twice: with libFuzzer (preset `fuzz`), and with replay.cpp as an ordinary
// test that runs the committed corpus and some thousand mutations of it. To add one, write
// tests/fuzz/<name>.cpp, put a few small inputs into tests/fuzz/corpus/<name>/, and add a line to
// tests/fuzz/CMakeLists.txt.
#pragma once

#include "base/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace heed::fuzz {

inline std::string_view bytes_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

} // namespace heed::fuzz
