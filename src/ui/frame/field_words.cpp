#include "ui/frame/field_words.hpp"

#include "app/document/names.hpp"
#include "inside/head_score.hpp"
#include "ui/frame/tips.hpp"

namespace heed::ui {

std::string field_word_tip(FieldWord word) {
    switch (word) {
    case FieldWord::query: return stage_tip(trace::Stage::q);
    case FieldWord::key: return stage_tip(trace::Stage::k);
    case FieldWord::value: return stage_tip(trace::Stage::v);
    case FieldWord::cross_attention: return kind_tip(trace::AttentionKind::cross);
    case FieldWord::pre_norm: return std::string(app::tip_of(models::NormOrder::pre));
    case FieldWord::post_norm: return std::string(app::tip_of(models::NormOrder::post));
    case FieldWord::rope: return positions_tip(nn::Positions::rotary);
    case FieldWord::alibi: return positions_tip(nn::Positions::alibi);
    case FieldWord::greedy: return std::string(app::tip_of(models::Decoding::Rule::greedy));
    case FieldWord::beam: return std::string(app::tip_of(models::Decoding::Rule::beam));
    case FieldWord::teacher_forcing:
        return std::string(app::tip_of(models::Decoding::Rule::forced));
    case FieldWord::gold_alignment: {
        const inside::HeadScoreInfo& row = inside::info(inside::HeadScore::alignment);
        return tip_words(row.tip, row.formula, row.citation);
    }
    default: return tip_words(info(word).sentence, info(word).formula, info(word).citation);
    }
}

} // namespace heed::ui
