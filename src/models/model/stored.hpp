// Attention from a file as a model that computes nothing: its run is the maps that the file holds,
// so that every picture of weights has them.
#pragma once

#include "models/model/attention_file.hpp"
#include "models/model/model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heed::models {

/// True where a file is attention and no model, by its name and its beginning: .npz; a .json that
/// is no part of a checkpoint; a .safetensors whose header names maps (attention_file.hpp) and no
/// model of Heed's, or holds one array of four dimensions alone; a text whose first line is an
/// alignment (alignment_file.hpp). What of it is broken, read() tells.
bool holds_attention(const std::string& path);

class Stored final : public Model {
  public:
    /// `sentences`: at least one, all with as many layers and heads.
    explicit Stored(std::vector<AttentionFile> sentences);
    /// Errors: those of read_attention_file() and read_alignments().
    static base::Result<std::shared_ptr<const Stored>> read(const std::string& path);

    /// The arrays of the first sentence, as `heed attend` writes them.
    tensors::Archive archive() const override;
    num::Index vocabulary_row(std::string_view) const override { return 0; }
    num::Index vocabulary_size() const override { return 0; }
    bool reads_ids() const override { return true; }
    num::RowVector<float> next_token_probabilities(const Run&, num::ThreadPool&) const override {
        return {};
    }
    num::Matrix<float> logits(const Run&, num::ThreadPool&) const override { return {}; }

  private:
    /// The maps of input.sentence. Errors: out_of_range where the file has fewer sentences.
    base::Result<void> compute(Run& run, num::ThreadPool& pool,
                               const RunOptions& options) const override;

    struct Sentence {
        std::vector<text::Token> source, target;
        std::vector<std::shared_ptr<const trace::Layer>> layers;
    };
    std::vector<Sentence> sentences_;
};

} // namespace heed::models
