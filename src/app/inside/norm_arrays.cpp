#include "app/inside/norm_arrays.hpp"

#include "inside/head_values.hpp"

namespace heed::app {

namespace {

void append(tensors::Array& array, const num::RowVector<float>& row) {
    array.shape = {array.shape.empty() ? 1 : array.shape[0] + 1, row.size()};
    array.values.insert(array.values.end(), row.data(), row.data() + row.size());
}

} // namespace

void add_norms(tensors::Archive& archive, const models::Run& run) {
    for (const auto& layer : run.trace.layers) {
        for (const auto& attention : layer->attentions) {
            tensors::Array plain, transformed;
            for (int h = 0; h < static_cast<int>(std::ssize(attention->heads)); ++h) {
                const trace::HeadId head{attention->kind, attention->layer, h};
                append(plain, inside::value_norms(run, head));
                const auto written = inside::transformed_norms(run, head);
                if (written) append(transformed, *written);
            }
            archive.arrays[attention->name + ".value_norms"] = std::move(plain);
            if (transformed.values.empty()) continue;
            archive.arrays[attention->name + ".transformed_norms"] = std::move(transformed);
        }
    }
    tensors::Array stream, update;
    std::vector<std::string> names;
    for (const inside::LayerNorms& layer : inside::layer_norms(run)) {
        names.push_back(layer.name);
        stream.values.push_back(static_cast<float>(layer.stream));
        update.values.push_back(static_cast<float>(layer.update));
    }
    if (names.empty()) return;
    stream.shape = update.shape = {std::ssize(names)};
    archive.arrays["stream_norms"] = std::move(stream);
    archive.arrays["update_norms"] = std::move(update);
    archive.strings["norm_layers"] = std::move(names);
}

} // namespace heed::app
