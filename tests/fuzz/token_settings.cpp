// The settings beside a tokeniser: what stands before the first zero byte is tokenizer_config.json,
// the rest special_tokens_map.json. They are read for a vocab.txt, and for vocab.json and
// merges.txt.
#include "fuzz/encoding.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("tokenizer_config.json", files.first);
    fuzz::write("special_tokens_map.json", files.second.empty() ? "{}" : files.second);
    fuzz::write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\n[PAD]\n[MASK]\nthe\ncat\n##s\n'\n1\n2\n");
    for (const bool words : {true, false}) {
        if (words) {
            std::filesystem::remove(fuzz::folder() / "vocab.json");
        } else {
            fuzz::write("vocab.json", R"({"<s>":0,"</s>":1,"<unk>":2,"c":3,"a":4,"ca":5,"t":6})");
            fuzz::write("merges.txt", "#version: 0.2\nc a\n");
        }
        const auto tokenizer = tokenizers::open_tokenizer(fuzz::folder().string());
        if (tokenizer) fuzz::encode_and_decode(**tokenizer);
    }
    return 0;
}
