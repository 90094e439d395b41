// A folder with a SentencePiece model: what stands before the first zero byte is
// tokenizer_config.json, the rest spiece.model.
#include "fuzz/encoding.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("tokenizer_config.json", files.first);
    fuzz::write("spiece.model", files.second);
    const auto tokenizer = tokenizers::open_tokenizer(fuzz::folder().string());
    if (tokenizer) fuzz::encode_and_decode(**tokenizer);
    return 0;
}
