#include "app/training/own_file.hpp"

#include "train/data/data_file.hpp"
#include "train/data/dataset.hpp"

namespace heed::app {

base::Result<OwnFile> read_own_file(const ExperimentForm& form) {
    const train::Plan plan = plans_of(form).front();
    if (auto ok = train::check(plan); !ok) return tl::make_unexpected(ok.error());
    const auto dataset = train::prepare_dataset(plan.task, plan.sentences);
    if (!dataset) return tl::make_unexpected(dataset.error());
    if (!plan.vectors.empty()) {
        const auto vectors = train::read_word_vectors(plan.vectors, &(*dataset)->vocabulary);
        if (!vectors) return tl::make_unexpected(vectors.error());
    }
    return OwnFile{(*dataset)->training.size(), (*dataset)->pairs.size()};
}

} // namespace heed::app
