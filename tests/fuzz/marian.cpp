// A translator's tokenisers: what stands before the first zero byte is vocab.json, the rest both
// source.spm and target.spm.
#include "fuzz/encoding.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("vocab.json", files.first);
    fuzz::write("source.spm", files.second);
    fuzz::write("target.spm", files.second);
    const auto both = tokenizers::open_tokenizers(fuzz::folder().string());
    if (!both) return 0;
    fuzz::encode_and_decode(*both->source);
    fuzz::encode_and_decode(*both->target);
    return 0;
}
