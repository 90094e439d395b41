// The files of GPT-2's tokeniser: what stands before the first zero byte is vocab.json, the rest
// merges.txt.
#include "fuzz/encoding.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("vocab.json", files.first);
    fuzz::write("merges.txt", files.second);
    const auto tokenizer = tokenizers::open_tokenizer(fuzz::folder().string());
    if (tokenizer) fuzz::encode_and_decode(**tokenizer);
    return 0;
}
