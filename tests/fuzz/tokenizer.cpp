// tokenizer.json: what is accepted encodes any text to pieces that lie within it.
#include "tokenizers/tokenizer.hpp"
#include "fuzz/encoding.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto tokenizer = tokenizers::read_tokenizer(fuzz::bytes_of(data, size), "input");
    if (tokenizer) fuzz::encode_and_decode(**tokenizer);
    return 0;
}
