// 64-bit hashes that are the same on every machine and in every run.
#pragma once

#include <cstdint>
#include <string_view>

namespace heed::base {

/// FNV-1a.
constexpr std::uint64_t hash_bytes(std::string_view bytes,
                                   std::uint64_t seed = 0xcbf29ce484222325ull) {
    for (const char byte : bytes) {
        seed = (seed ^ static_cast<unsigned char>(byte)) * 0x100000001b3ull;
    }
    return seed;
}

/// The finaliser of splitmix64: every bit of the result depends on every bit of x.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

} // namespace heed::base
