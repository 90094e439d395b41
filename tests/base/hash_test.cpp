#include "base/hash.hpp"

#include "catch.hpp"

using namespace heed::base;

TEST_CASE("hashes are those that their authors publish") {
    CHECK(hash_bytes("") == 0xcbf29ce484222325ull); // FNV-1a, 64 bits
    CHECK(hash_bytes("a") == 0xaf63dc4c8601ec8cull);
    CHECK(hash_bytes("foobar") == 0x85944171f73967e8ull);
    CHECK(mix(0) == 0xe220a8397b1dcdafull); // splitmix64 from seed 0, its first number
}

TEST_CASE("a hash goes on where another ended") {
    CHECK(hash_bytes("bar", hash_bytes("foo")) == hash_bytes("foobar"));
}
