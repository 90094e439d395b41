// heed tokens: what a model's tokeniser makes of a text.
#include "app/cli/command.hpp"
#include "app/files/shipped_models.hpp"
#include "base/file.hpp"
#include "tensors/json.hpp"
#include "tokenizers/tokenizer.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kTokens = "Tokens";
constexpr std::size_t kMaxLines = std::size_t{256} << 20;

std::string json_of_pieces(const std::vector<tokenizers::Piece>& pieces) {
    tensors::Json ids = tensors::Json::array(), tokens = tensors::Json::array(),
                  offsets = tensors::Json::array();
    for (const tokenizers::Piece& piece : pieces) {
        ids.push_back(piece.id);
        tokens.push_back(piece.token);
        offsets.push_back({piece.begin, piece.end});
    }
    return tensors::dump_json(
        {{"ids", std::move(ids)}, {"tokens", std::move(tokens)}, {"offsets", std::move(offsets)}});
}

/// One JSON string on each line of the file.
Result<std::vector<std::string>> lines_of(const std::string& path) {
    const auto bytes =
        path == "-" ? base::read_standard_input(kMaxLines) : base::read_file(path, kMaxLines);
    if (!bytes) return tl::make_unexpected(bytes.error());
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < bytes->size();) {
        const std::size_t end = std::min(bytes->find('\n', begin), bytes->size());
        const std::string place = fmt::format("{}, line {}", path, lines.size() + 1);
        const auto json =
            tensors::parse_json(std::string_view(*bytes).substr(begin, end - begin), place);
        if (!json) return tl::make_unexpected(json.error());
        if (!json->is_string()) {
            return fail(ErrorKind::malformed, place,
                        fmt::format("expected a string in quotes, found {}", json->type_name()));
        }
        lines.push_back(json->get<std::string>());
        begin = end + 1;
    }
    return lines;
}

int run_tokens(const Given& given, const Io& io) {
    const auto usage = [&](const char* flag, const char* message) {
        return complain(io, {ErrorKind::usage, flag, message}, kWrongUsage);
    };
    const auto model = given.find("--model"), text = given.find("--text");
    const auto file = given.find("--lines");
    if (!model || model->empty()) {
        return usage("--model", "is needed: the folder of a model, or its tokenizer.json");
    }
    std::error_code failed;
    if (!std::filesystem::exists(*model, failed) && !shipped_model(*model).empty()) {
        return usage("--model", "this model has words of its own and no tokeniser; what it reads "
                                "of a sentence is printed by heed attend");
    }
    if (text && file) return usage("--lines", "cannot be set beside --text");
    if (!text && !file) {
        return usage("--text", "is needed, or --lines with a file of one JSON string on each line");
    }
    std::vector<std::string> lines;
    if (text) {
        lines.push_back(*text);
    } else if (auto read = lines_of(*file)) {
        lines = std::move(*read);
    } else {
        return complain(io, read.error(), kFailed);
    }
    const auto opened = tokenizers::open_tokenizer(*model);
    if (!opened) return complain(io, opened.error(), kFailed);
    for (const std::string& line : lines) {
        const auto pieces = (*opened)->try_encode(line, !given.has("--no-special"),
                                                  tokenizers::Tokenizer::kUnlimited);
        if (!pieces) return complain(io, pieces.error(), kFailed);
        io.out << json_of_pieces(*pieces) << '\n';
    }
    return kGood;
}

} // namespace

Command tokens_command() {
    return {"tokens",
            "Cut a text into the tokens of a model.",
            "Prints one JSON line for each text: ids, tokens as the vocabulary spells them, and "
            "offsets, "
            "the bytes of the text that each token comes from, as [begin, end]. Special tokens are "
            "as the "
            "model adds them. Reads tokenizer.json (BPE, WordPiece, Unigram, WordLevel), "
            "vocab.json with "
            "merges.txt, vocab.txt, and SentencePiece models.",
            "Examples:\n"
            "  heed tokens --model gpt2/ --text \"The black cat\"\n"
            "  heed tokens --model tokenizer.json --lines texts.txt --no-special",
            {{"--model", "PATH", "the folder of a model, or its tokenizer.json", kTokens},
             {"--text", "TEXT", "what is cut", kTokens},
             {"--lines", "FILE", "texts, one JSON string on each line (- for the standard input)",
              kTokens},
             {"--no-special", "", "without the special tokens that the model adds", kTokens}},
            run_tokens};
}

} // namespace heed::app
