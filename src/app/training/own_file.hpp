// A look into a user's own sentences before they are learned from.
#pragma once

#include "app/training/experiment_form.hpp"
#include "base/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace heed::app {

/// The pairs of a file as an experiment would take them.
struct OwnFile {
    std::size_t training = 0, held_out = 0;
    std::string left_out{}; // "7 pairs left out: their source came before", or nothing
};

/// Reads the file and the word vectors of a form, as opening its experiment would. Errors: those of
/// reading them, of a plan that cannot be, and usage where no model is to learn; cancelled when
/// stopped.
base::Result<OwnFile> read_own_file(const ExperimentForm& form, const std::stop_token& stop = {});

/// Reads on a thread of its own the newest form that was asked for. The thread ends with the
/// reader, soon; one that a disk does not answer keeps neither the reader nor the next form
/// waiting.
class OwnFileReader {
  public:
    /// Function that reads as read_own_file() does.
    using Read =
        std::function<base::Result<OwnFile>(const ExperimentForm&, const std::stop_token&)>;
    explicit OwnFileReader(Read read = read_own_file);
    ~OwnFileReader();
    OwnFileReader(const OwnFileReader&) = delete; // the end of one would be that of the other
    OwnFileReader& operator=(const OwnFileReader&) = delete;

    /// Asks. What is read within a moment has been read then. Where no thread can be had, the
    /// answer is an error.
    void ask(ExperimentForm form, std::chrono::milliseconds moment);
    /// The answer to the newest question, once it is there, and once.
    std::optional<base::Result<OwnFile>> take();
    void forget();
    /// True until the answer is taken.
    bool asks() const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace heed::app
