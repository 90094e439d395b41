// Folders and files of tokenisers.
#include "base/links.hpp"
#include "tokenizers/folder_settings.hpp"
#include "tokenizers/gguf_tokenizer.hpp"
#include "tokenizers/old_files.hpp"
#include "tokenizers/pipeline.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;
using base::Result;

namespace {

using Opened = std::shared_ptr<const Tokenizer>;

/// `settings` say which tokens are for what.
Opened made(Parts parts, const FolderSettings& settings) {
    const Opened first = make_tokenizer(parts);
    parts.named = settings.named(*first, parts.named);
    return make_tokenizer(std::move(parts));
}

/// Error of what stood within a file, which gets the file's name.
base::Error told_of(base::Error error, const std::string& path) {
    if (error.subject.starts_with(path)) return error;
    error.message = describe(error);
    error.subject = path;
    return error;
}

constexpr const char* kFiles[] = {"tokenizer.json",
                                  "tokenizer_config.json",
                                  "special_tokens_map.json",
                                  "source.spm",
                                  "target.spm",
                                  "vocab.json",
                                  "merges.txt",
                                  "vocab.txt",
                                  "spiece.model",
                                  "tokenizer.model",
                                  "sentencepiece.bpe.model"};

Opened open_folder(const std::string& folder) {
    for (const char* name : kFiles) {
        const auto ok = base::check_stays(folder, (std::filesystem::path(folder) / name).string());
        if (!ok) throw Refused(ok.error());
    }
    const FolderSettings settings(folder);
    const auto has = [&](const char* name) { return has_file(folder, name); };
    if (has("tokenizer.json")) {
        const std::string path = folder + "/tokenizer.json";
        try {
            auto document = read_document(bytes_of_file(path), path);
            if (!document) throw Refused(document.error());
            return made(read_parts(std::move(**document)), settings);
        } catch (const Refused& refused) {
            throw Refused(told_of(refused.error(), path));
        }
    }
    if (has("source.spm")) return made(parts_of_marian(folder, "source.spm"), settings);
    if (has("vocab.json") && has("merges.txt"))
        return made(parts_of_merges(folder, settings), settings);
    if (has("vocab.txt")) return made(parts_of_words(folder, settings), settings);
    for (const char* name : {"spiece.model", "tokenizer.model", "sentencepiece.bpe.model"}) {
        if (has(name))
            return made(parts_of_sentencepiece(folder + "/" + name, &settings), settings);
    }
    throw Refused(
        ErrorKind::not_found, folder,
        "no tokeniser in it (tokenizer.json, or vocab.json and merges.txt; also vocab.txt, "
        "spiece.model, tokenizer.model, sentencepiece.bpe.model or source.spm)");
}

} // namespace

Result<Opened> open_tokenizer(const std::string& path) {
    std::error_code failed;
    try {
        if (std::filesystem::is_directory(path, failed)) return open_folder(path);
        if (path.ends_with(".gguf")) {
            const auto file = tensors::GgufFile::open(path);
            if (!file) return tl::make_unexpected(file.error());
            return read_gguf_tokenizer(*file);
        }
        const std::string bytes = bytes_of_file(path);
        if (path.ends_with(".model") || path.ends_with(".spm")) {
            return make_tokenizer(parts_of_sentencepiece(path, nullptr));
        }
        return read_tokenizer(bytes, path);
    } catch (const Refused& refused) {
        return tl::make_unexpected(told_of(refused.error(), path));
    }
}

Result<Tokenizers> open_tokenizers(const std::string& path) {
    auto source = open_tokenizer(path);
    if (!source) return tl::make_unexpected(source.error());
    Tokenizers both{*source, *source};
    try {
        if (!has_file(path, "tokenizer.json") && has_file(path, "target.spm")) {
            both.target = made(parts_of_marian(path, "target.spm"), FolderSettings(path));
        }
    } catch (const Refused& refused) {
        return tl::make_unexpected(told_of(refused.error(), path));
    }
    return both;
}

} // namespace heed::tokenizers
