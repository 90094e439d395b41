#include "ui/frame/tips.hpp"

#include "app/document/kinds.hpp"
#include "models/model/model.hpp"
#include "nn/attention/score_info.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/stages.hpp"

namespace heed::ui {

std::string scale_tip() {
    return tip_words("Divides scores by √dₖ, the root of a head's width, so that softmax does not "
                     "saturate. (Scaled dot already includes it.)",
                     "q·k / √dₖ", "Vaswani et al. 2017, section 3.2.1");
}

std::string score_tip(nn::Score score) {
    const nn::ScoreInfo& row = nn::info(score);
    return tip_words(row.tip, nn::formula(row.row_formula, "q", "k"), row.citation);
}

std::string positions_tip(nn::Positions positions) {
    const nn::PositionInfo& row = nn::info(positions);
    return tip_words(row.tip, row.formula, row.citation);
}

std::string stage_tip(trace::Stage stage) {
    const trace::StageInfo& row = trace::info(stage);
    return tip_words(row.tip, row.formula, row.citation);
}

std::string kind_tip(trace::AttentionKind kind) {
    const trace::AttentionKindInfo& row = trace::info(kind);
    return tip_words(row.tip, {}, row.citation);
}

std::string architecture_tip(models::Architecture architecture) {
    switch (architecture) {
    case models::Architecture::encoder_decoder:
        return "An encoder reads the source, and a decoder writes the target while it looks back "
               "at the source.\nVaswani et al. 2017, section 3.1";
    case models::Architecture::encoder_only:
        return "Reads a sentence in both directions and writes none, as BERT.\nDevlin et al. 2019";
    case models::Architecture::decoder_only:
        return "Guesses each next word from those before it, as GPT.\nRadford et al. 2018";
    }
    return {};
}

std::string continues_tip(const models::Model& model, num::Index row) {
    return model.continues_word(row)
               ? "\n## at its front: it goes on with the word before it, without a space"
               : "";
}

std::string label_of(app::Compare way) {
    return way == app::Compare::beside ? "side by side" : std::string(app::name_of(way));
}

std::string label_of(app::Against against) {
    return against == app::Against::unaltered ? "original" : "pinned";
}

} // namespace heed::ui
