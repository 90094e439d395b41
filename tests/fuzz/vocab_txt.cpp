// The files of BERT's tokeniser: what stands before the first zero byte is vocab.txt, the rest
// tokenizer_config.json, or there is none.
#include "fuzz/encoding.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("vocab.txt", files.first);
    fuzz::write("tokenizer_config.json", files.second.empty() ? "{}" : files.second);
    const auto tokenizer = tokenizers::open_tokenizer(fuzz::folder().string());
    if (tokenizer) fuzz::encode_and_decode(**tokenizer);
    return 0;
}
