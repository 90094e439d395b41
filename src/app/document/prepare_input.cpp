#include "app/document/prepare_input.hpp"

#include "base/utf8.hpp"
#include "models/model/sides.hpp"
#include "text/known_words.hpp"
#include "train/tasks/task.hpp"

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::app {

namespace {

std::vector<text::Token> cut(std::vector<text::Token> tokens, std::size_t& dropped) {
    if (tokens.size() > models::kMaxTokens) {
        dropped = tokens.size() - models::kMaxTokens;
        tokens.resize(models::kMaxTokens);
    }
    return tokens;
}

} // namespace

namespace {

void read_ids(const Document& document, const models::Model& model, PreparedInput& prepared) {
    const models::Traits& traits = model.traits();
    const auto read = [&](models::SideRead side, const std::string& sentence,
                          std::size_t& dropped) -> std::vector<text::Token> {
        auto tokens = models::tokens_of(*model.text_to_ids(), traits, side, sentence, dropped);
        if (tokens) return *std::move(tokens);
        prepared.failed = tokens.error();
        prepared.failed->message +=
            "; `heed attend` reads ids without one (--source-ids, --target-ids)";
        return {};
    };
    using enum models::SideRead;
    models::Input& input = prepared.input;
    if (traits.encodes) {
        input.source = read(encoder, document.source, prepared.source_dropped);
    }
    if (!traits.decodes) return;
    const bool own = traits.encodes || !document.target.empty();
    input.target = read(decoder, own ? document.target : document.source, prepared.target_dropped);
    const std::vector<int>* written = written_ids(document);
    if (written && model.text_to_ids()->tokenizers.target) {
        auto tokens = models::tokens_of_ids(*model.text_to_ids(), traits, *written, input.target,
                                            document.target, prepared.target_dropped);
        if (!tokens) {
            prepared.failed = tokens.error();
        } else {
            input.target = *std::move(tokens);
        }
    }
    // A decoder beside an encoder that was given nothing says what it would.
    const bool finds = traits.encodes && document.target.empty() && !written;
    if (finds && input.decoding.rule == models::Decoding::Rule::forced) {
        input.decoding.rule = models::Decoding::Rule::greedy;
    }
}

} // namespace

namespace {

bool has_letter(std::string_view word, bool chinese) {
    for (std::size_t at = 0; at < word.size();) {
        const base::Decoded letter = base::decode_utf8(word, at);
        const char32_t c = letter.code_point;
        const bool latin = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7);
        if (chinese ? c >= 0x4E00 && c <= 0x9FFF : latin) return true;
        at += letter.length;
    }
    return false;
}

/// One vocabulary has the words of both languages, and those of the other one were never read as a
/// source: the grammar writes no Latin letter in Chinese, and no Chinese one in English. English
/// and French words differ in no letter.
void mark_unread(std::vector<text::Token>& source, const models::Model& reader) {
    if (!reader.provenance()) return;
    const auto task = train::task_named(reader.provenance()->task);
    if (task == train::Task::en_fr) {
        const text::Vocabulary& words = *reader.words();
        for (text::Token& token : source) {
            token.known =
                token.known && train::in_english_source(words.word(words.row(token.text)));
        }
    }
    if (task != train::Task::zh_en && task != train::Task::en_zh) return;
    for (text::Token& token : source) {
        if (has_letter(token.text, task == train::Task::en_zh)) token.known = false;
    }
}

} // namespace

PreparedInput prepare_input(const Document& document, const models::Model* reader) {
    PreparedInput prepared;
    prepared.input.pad_to = document.pad_to;
    prepared.input.decoding = document.decoding;
    if (reader && reader->traits().weights_alone) {
        prepared.input.sentence = document.sentence;
        return prepared;
    }
    if (reader && reader->text_to_ids()) {
        read_ids(document, *reader, prepared);
        return prepared;
    }
    const text::Vocabulary* words = reader ? reader->words() : nullptr;
    // Every token is counted, so that the window can say how many it leaves out.
    const auto tokens = [&](const std::string& sentence) {
        constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
        return words ? text::tokenize(sentence, document.segmentation, *words)
                     : text::tokenize(sentence, document.segmentation, kAll);
    };
    prepared.input.source = cut(tokens(document.source), prepared.source_dropped);
    if (words) mark_unread(prepared.input.source, *reader);
    prepared.input.target = cut(tokens(document.target), prepared.target_dropped);
    return prepared;
}

base::Result<models::Input> prepare_other(const Document& document, const models::Run& run,
                                          const std::string& other) {
    const models::Traits& traits = run.model->traits();
    Document changed = document;
    const bool target = !traits.encodes && !traits.source_leads && !document.target.empty();
    (target ? changed.target : changed.source) = other;
    PreparedInput prepared = prepare_input(changed, run.model.get());
    if (prepared.failed) return tl::make_unexpected(*prepared.failed);
    if (traits.decodes && (traits.encodes || traits.source_leads)) {
        const models::Input said = models::forced_input(run);
        prepared.input.target = said.target;
        prepared.input.decoding = said.decoding;
    }
    return std::move(prepared.input);
}

} // namespace heed::app
